//! Matches of tournaments.

use lusoria::live::Answering;
use lusoria_play::{Admission, TournamentId};
use lusoria_store::{
    AccountOpening, NewAccount, NewTournament, PasswordHash, TournamentCreation, TournamentEvent,
    TournamentListing, TournamentStage,
};

use super::*;

const OF: TournamentId = TournamentId(Uuid::from_u128(0x7007));

/// Player 1 organises a tournament.
async fn organise(store: &Store) {
    let account = NewAccount {
        guest: player(1).id,
        by: SessionId(player(1).id.0),
        handle: "Zeno".to_owned(),
        skeleton: "zeno".to_owned(),
        default_name: String::new(),
        password: Some(PasswordHash(String::new())),
        passkey: None,
        recovery_codes: Vec::new(),
        sign_up_code: None,
        created_at: START,
    };
    assert_eq!(store.open_account(account).await.expect("asked"), AccountOpening::Opened);
    let new = NewTournament {
        id: OF,
        organiser: player(1).id,
        events: vec![TournamentEvent { seq: 1, at: START, event: "{}".to_owned() }],
        listing: TournamentListing {
            game: Game::Tablut,
            stage: TournamentStage::Running,
            listed: true,
            at: START,
            card: "{}".to_owned(),
            wake_at: None,
        },
        key: None,
    };
    assert_eq!(store.create_tournament(new).await.expect("asked"), TournamentCreation::Created);
}

/// Even if nobody learns at first that it was made.
#[tokio::test(start_paused = true)]
async fn the_match_of_a_pairing_is_made_once_and_its_tournament_learns_of_it() {
    let store = FailingStore::default();
    let world = World::on(store.clone(), START, 0).await;
    organise(&store).await;
    let id = MatchId(Uuid::from_u128(0x3a7c));
    let create = || {
        world.live.create(Creation {
            terms: Terms { admission: Admission::Invitation, ..terms(Game::Tablut, BLITZ) },
            creator: player(1),
            made_by: None,
            joiner: Some((player(2), SeedBrought::Nothing)),
            seed: SeedBrought::Nothing,
            invite: None,
            key: None,
            answers: Some(Answering::Pairing { of: OF, id }),
        })
    };
    store.fail(id, Fault::Unanswered);
    let unknown = create().await;
    assert!(matches!(unknown, Err(CommandError::Store(StoreError::Unknown(_)))), "{unknown:?}");
    store.heal();
    for _ in 0..2 {
        let made = create().await.expect("it is there");
        assert_eq!((made.id(), made.tournament(), made.phase()), (id, Some(OF), Phase::Playing));
    }
    world.command(id, Command::Abort { by: player(1).id }).await.expect("nobody has played");
    let told: Vec<Value> = (store.tournament_events(OF, 1, 9).await.expect("read").iter())
        .map(|told| serde_json::from_str(&told.event).expect("JSON"))
        .collect();
    let expected = [
        serde_json::json!({"type": "match_began", "match": id}),
        serde_json::json!({"type": "match_ended", "match": id, "end": {"no_show": Seat::One}}),
    ];
    assert_eq!(told, expected);
}
