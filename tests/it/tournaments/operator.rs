//! What the operator sees of tournaments, and does in them.

use lusoria::app::{
    TournamentState,
    admin::{AdminAction, AdminError, AdminOutcome, AdminQuery},
};
use lusoria_play::Seat;
use lusoria_store::{
    ModeratorAct, TournamentAppend, TournamentAppending, TournamentEvent, TournamentListing,
};
use lusoria_tournament::{Entrant, Event, PairingEnd};

use super::*;

/// What somebody makes of what lists show.
type Change = fn(TournamentListing) -> TournamentListing;

impl World {
    /// Four people who are there at the start, and have a match each a minute later.
    async fn running(&self) -> TournamentId {
        let id = self.announce(&json!({"listed": false})).await;
        tokio::time::sleep(Duration::from_millis(25 * MINUTE_MS)).await;
        for person in 0..4 {
            self.enter(person, id).await;
        }
        tokio::time::sleep(Duration::from_millis(6 * MINUTE_MS)).await;
        id
    }

    async fn act_as_operator(&self, act: AdminAction) -> Result<AdminOutcome, AdminError> {
        self.inner.app.administer(act).await
    }

    /// What a check finds; with a number of matches.
    async fn check(&self, id: TournamentId) -> (u64, Vec<String>) {
        let query = AdminQuery::CheckTournaments { id: Some(id.0) };
        let outcome = self.act_as_operator(AdminAction::Query(query)).await.expect("checked");
        let is_whole = outcome.is_whole();
        let AdminOutcome::TournamentsChecked { tournaments: 1, matches, differing } = outcome else {
            panic!("{outcome:?}")
        };
        assert_eq!(is_whole, differing.is_empty());
        (matches, differing.into_iter().flat_map(|of| of.first_differences).collect())
    }

    /// Stores what the server would not.
    async fn tamper(
        &self,
        id: TournamentId,
        events: &[Event],
        listing: impl FnOnce(TournamentListing) -> TournamentListing,
    ) {
        let row = self.inner.store.tournament(id).await.expect("read").expect("a row");
        let written = |(event, seq)| TournamentEvent {
            seq,
            at: self.now(),
            event: serde_json::to_string(event).expect("plain data"),
        };
        let append = TournamentAppend {
            id,
            head: row.head,
            events: events.iter().zip(row.head + 1..).map(written).collect(),
            listing: listing(row.listing),
            entered: Vec::new(),
            left: Vec::new(),
        };
        let appended = self.inner.store.append_tournament(append).await.expect("written");
        assert_eq!(appended, TournamentAppending::Appended);
    }

    /// The match of the first pairing.
    async fn first_match(&self, id: TournamentId) -> MatchId {
        from_value(self.pairings(id).await["pairings"][0]["match"].clone()).expect("an id")
    }
}

#[tokio::test(start_paused = true)]
async fn nothing_differs_at_any_moment_of_a_sound_tournament() {
    for format in [
        json!({"kind": "swiss"}),
        json!({"kind": "knockout", "seeding": "lot", "consolation": true}),
        json!({"kind": "arena", "lasts_ms": 15 * MINUTE_MS}),
    ] {
        let mut world = World::of(5).await;
        let id = world.announce(&json!({"format": format})).await;
        for person in 0..5 {
            world.enter(person, id).await;
        }
        world.people[3].vanishes_at = Some(world.now() + 32 * MINUTE_MS);
        let mut steps = 0;
        loop {
            let (matches, differences) = world.check(id).await;
            assert_eq!(differences, <[String; 0]>::default(), "{format} after {steps} steps");
            if world.seen_by(0, id).await["phase"] == "ended" {
                assert!(matches >= 4, "{format}: {matches}");
                break;
            }
            for person in 0..5 {
                world.act(person, id).await;
            }
            tokio::time::sleep(Duration::from_secs(15)).await;
            steps += 1;
            assert!(steps < 1_000, "{format} does not end");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_check_says_what_differs() {
    let world = World::of(4).await;
    let same = |listing| listing;
    let id = world.running().await;
    assert_eq!(world.check(id).await, (2, vec![]));
    let match_id = world.first_match(id).await;
    let end = PairingEnd::Won(Seat::One);
    world.tamper(id, &[Event::MatchEnded { match_id, end }], same).await;
    let (_, found) = world.check(id).await;
    let says = |text: &str| found.iter().any(|one| one.contains(text));
    assert!(says("its journal says: not ended; the events say: won by seat 1"), "{found:?}");
    assert!(says("pairing 1: it counts as 2 to 0 half points"), "{found:?}");

    let unknown = MatchId(uuid::Uuid::from_u128(7));
    let wake_never = |listing| TournamentListing { wake_at: None, ..listing };
    let hide = |listing| TournamentListing { listed: false, ..listing };
    let cases: [(Option<Event>, Change, &str); 4] = [
        (Some(Event::MatchBegan { match_id: unknown }), same, "its events name it, and no pairing does"),
        (Some(Event::Withdrew { entrant: Entrant(9) }), same, "its events do not fit together"),
        (None, wake_never, "it is woken hours too late, or never"),
        (None, hide, "lists show something else than its events say"),
    ];
    for (event, listing, expected) in cases {
        let id = world.announce(&json!({})).await;
        world.tamper(id, event.as_slice(), listing).await;
        let (_, found) = world.check(id).await;
        assert!(matches!(&found[..], [one] if one.contains(expected)), "{expected}: {found:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_the_operator_replaces_is_shown_nowhere_any_more() {
    let world = World::of(1).await;
    let id = world.announce(&json!({"name": "Offence", "description": "An offence"})).await;
    world.edit(id, json!({"name": "Another offence"})).await.expect("theirs");
    let rename = |name: Option<&str>, description: Option<&str>| AdminAction::RenameTournament {
        id: id.0,
        name: name.map(str::to_owned),
        description: description.map(str::to_owned),
        reason: " insults ".to_owned(),
    };
    for (name, description, why) in [
        (Some(" "), None, "a name has 1 to 60 characters"),
        (Some("a\u{200b}b"), None, "a name has 1 to 60 characters"),
        (None, Some("x".repeat(2_001)), "a description has at most 2000 characters"),
    ] {
        let refused = world.act_as_operator(rename(name, description.as_deref())).await;
        assert!(refused.expect_err("refused").to_string().contains(why), "{why}");
    }
    world.act_as_operator(rename(Some("A Cup"), None)).await.expect("renamed");
    world
        .act_as_operator(AdminAction::EndTournament { id: id.0, reason: "It is over".to_owned() })
        .await
        .expect("ended");
    world.act_as_operator(rename(None, Some(""))).await.expect("it may have ended");
    let seen = world.seen_by(0, id).await;
    let app = &world.inner.app;
    let events = app.tournament_events(id, 0, 100, ClientAddress(ADDRESS)).await.expect("events");
    let mut reader = app.read_tournament(id, 0).await.expect("a stream").0;
    let streamed = reader.next().await.expect("read").expect("events");
    let listed = app.tournaments(TournamentState::Ended, None, None, 9, ClientAddress(ADDRESS)).await;
    let shown = format!("{seen} {events:?} {streamed:?} {:?}", listed.expect("a list"));
    assert!(!shown.to_lowercase().contains("offence"), "{shown}");
    assert_eq!((&seen["name"], seen.get("description")), (&json!("A Cup"), None), "{seen:#}");
    assert_eq!(world.check(id).await, (0, vec![]));
    let log = world.inner.store.moderation_log(None, 9).await.expect("read");
    let renamed = log.iter().filter(|row| row.act == ModeratorAct::RenameTournament);
    let rows: Vec<_> = renamed.map(|row| (row.tournament, row.note.as_deref())).collect();
    assert_eq!(rows, [(Some(id.0), Some("insults")); 2]);
}

#[tokio::test(start_paused = true)]
async fn the_operator_excludes_an_entrant_and_ends_the_tournament() {
    let world = World::of(4).await;
    let id = world.running().await;
    let listed = world.act_as_operator(AdminAction::Query(AdminQuery::Tournaments { id: None })).await;
    let Ok(AdminOutcome::Tournaments { tournaments, more: false }) = listed else { panic!("{listed:?}") };
    let shown: Vec<_> = tournaments.iter().map(|of| (of.id, of.entrants, of.listed)).collect();
    assert_eq!(shown, [(id, 4, false)]);

    let exclude = |reason: &str| AdminAction::Exclude {
        id: id.0,
        guest: world.people[2].id(),
        reason: reason.to_owned(),
    };
    let end =
        |id: TournamentId, reason: &str| AdminAction::EndTournament { id: id.0, reason: reason.to_owned() };
    let (too_long, nowhere) = ("x".repeat(201), TournamentId(uuid::Uuid::from_u128(7)));
    for (act, why) in [
        (exclude(" "), "a reason has 1 to 200 characters"),
        (end(id, &too_long), "a reason has 1 to 200 characters"),
        (end(id, "no\u{202e}"), "a reason has 1 to 200 characters"),
        (end(nowhere, "a test"), "there is no tournament"),
    ] {
        let refused = world.act_as_operator(act).await.expect_err("refused").to_string();
        assert!(refused.contains(why), "{refused}");
    }

    world.act_as_operator(exclude(" insults ")).await.expect("excluded");
    let again = world.act_as_operator(exclude("insults")).await.expect_err("they were").to_string();
    assert!(again.contains("they were excluded"), "{again}");
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert_eq!(world.seen_by(2, id).await["you"]["state"], "excluded");
    let pairings = world.pairings(id).await;
    let resigned = pairings["pairings"].as_array().expect("a list").iter().filter(|pairing| {
        let lost = |seat: &str, place: usize| {
            pairing[seat]["player"]["id"] == world.people[2].id() && pairing["half_points"][place] == 0
        };
        lost("first", 0) || lost("second", 1)
    });
    assert_eq!(resigned.count(), 1, "their match is resigned: {pairings:#}");

    world.act_as_operator(end(id, "the name")).await.expect("ended");
    let seen = world.seen_by(0, id).await;
    assert_eq!((&seen["ended"], &seen["reason"]), (&json!("operator"), &json!("the name")), "{seen:#}");
    assert_eq!(world.check(id).await, (2, vec![]));
    let log = world.inner.store.moderation_log(None, 9).await.expect("read");
    let rows: Vec<_> =
        log.iter().map(|row| (row.act, row.tournament, row.guest, row.note.as_deref())).collect();
    let excluded = world.people[2].caller.id().0;
    assert_eq!(
        rows,
        [
            (ModeratorAct::EndTournament, Some(id.0), None, Some("the name")),
            (ModeratorAct::Exclude, Some(id.0), Some(excluded), Some("insults")),
        ]
    );
}
