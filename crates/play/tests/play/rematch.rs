//! Rematches.

use lusoria_play::{
    Admission, Bytes32, Colours, Command, Creation, Event, Match, MatchId, Phase, PlayerId, Refusal, Seat,
    SeatSeed, SeedBrought, Terms,
};
use lusoria_rules::{Game, Side};
use uuid::Uuid;

use crate::{
    bench::{BLITZ, Bench, CREATOR, ID, JOINER, STRANGER, seed, terms},
    chance::{Foretold, hash},
};

const NEXT: MatchId = MatchId(Uuid::from_u128(99));

/// A match that seat 1, as White, has lost.
fn lost(game: Game) -> Bench {
    let mut bench = Bench::playing(terms(game, BLITZ));
    bench.ask(Command::Resign { by: CREATOR, whole_match: true }).unwrap();
    bench
}

fn offer(by: PlayerId) -> Command {
    Command::OfferRematch { by, seed_hash: None }
}

fn accepted(bench: &Bench, by: PlayerId, seed: SeedBrought) -> Result<Creation, Refusal> {
    bench.state.rematch_creation(by, seed, NEXT, Bytes32([8; 32]))
}

#[test]
fn the_rematch_has_the_same_terms_with_colours_changed() {
    // The player who offers, and the side of seat 1 in the rematch: in the dice games the creator, who was
    // White, takes Black; in tablut the joiner has won and takes the king.
    for game in Game::ALL {
        for (offerer, accepter, side) in [(CREATOR, JOINER, Side::Black), (JOINER, CREATOR, Side::White)] {
            let mut bench = lost(game);
            bench.ask(offer(offerer)).unwrap();
            let creation = accepted(&bench, accepter, SeedBrought::Nothing).unwrap();
            assert_eq!(creation.creator.id, offerer);
            assert_eq!(creation.joiner.as_ref().unwrap().0.id, accepter);
            assert_eq!(creation.rematch_of, Some(ID));
            let expected = Terms { colours: Colours::SeatOne(side), ..terms(game, BLITZ) };
            assert_eq!(creation.terms, expected, "{game}");
            let next = Bench::create(creation, Foretold::from(3));
            assert_eq!(next.state.phase(), Phase::Playing);
            assert_eq!(next.state.rematch_of(), Some(ID));
            let events = bench.ask(Command::AcceptRematch { by: accepter, next: NEXT }).unwrap();
            assert_eq!(events, [Event::RematchAgreed { next: NEXT }]);
            assert_eq!(bench.state.rematch().next(), Some(NEXT));
            assert_eq!(bench.refused(offer(CREATOR)), "rematch_made");
        }
    }
}

#[test]
fn in_tablut_the_winner_keeps_the_king_and_a_draw_changes_the_sides() {
    let mut won = Bench::playing(terms(Game::Tablut, BLITZ));
    won.ask(Command::Resign { by: JOINER, whole_match: true }).unwrap();
    let mut drawn = Bench::playing(terms(Game::Tablut, BLITZ));
    drawn.ask(Command::OfferDraw { by: CREATOR }).unwrap();
    drawn.ask(Command::AnswerDraw { by: JOINER, accept: true }).unwrap();
    for (mut bench, side) in [(won, Side::White), (drawn, Side::Black)] {
        bench.ask(offer(CREATOR)).unwrap();
        let creation = accepted(&bench, JOINER, SeedBrought::Nothing).unwrap();
        assert_eq!(creation.terms.colours, Colours::SeatOne(side));
    }
}

#[test]
fn both_can_bring_seeds_to_a_rematch() {
    let (mine, theirs) = (seed("mine"), seed("theirs"));
    let mut bench = lost(Game::Zeno);
    bench.ask(Command::OfferRematch { by: JOINER, seed_hash: Some(hash(&theirs)) }).unwrap();
    let creation = accepted(&bench, CREATOR, SeedBrought::Hash(hash(&mine))).unwrap();
    let (next, _) = Match::create(creation, bench.now, &mut bench.chance).unwrap();
    assert_eq!(next.seed(Seat::One), Some(&SeatSeed::Hash(hash(&theirs))));
    assert_eq!(next.seed(Seat::Two), Some(&SeatSeed::Hash(hash(&mine))));
    assert_eq!(next.phase(), Phase::AwaitingSeeds(vec![Seat::One, Seat::Two]));
}

#[test]
fn a_declined_offer_cannot_be_repeated_but_answered_with_another() {
    let mut bench = lost(Game::Zeno);
    bench.ask(offer(CREATOR)).unwrap();
    assert_eq!(bench.refused(offer(JOINER)), "rematch_offered", "they accept instead");
    assert_eq!(bench.refused(Command::DeclineRematch { by: CREATOR }), "no_offer");
    let events = bench.ask(Command::DeclineRematch { by: JOINER }).unwrap();
    assert_eq!(events, [Event::RematchDeclined { seat: Seat::Two }]);
    assert_eq!(accepted(&bench, JOINER, SeedBrought::Nothing), Err(Refusal::NoOffer));
    assert_eq!(bench.refused(offer(CREATOR)), "rematch_offered");
    bench.ask(offer(JOINER)).unwrap();
    assert!(accepted(&bench, CREATOR, SeedBrought::Nothing).is_ok());
}

#[test]
fn matches_without_a_rematch() {
    let mut playing = Bench::playing(terms(Game::Zeno, BLITZ));
    assert_eq!(playing.refused(offer(CREATOR)), "match_not_over");
    playing.ask(Command::Abort { by: CREATOR }).unwrap();
    assert_eq!(playing.refused(offer(CREATOR)), "no_rematch");
    let mut bench = lost(Game::Zeno);
    assert_eq!(bench.refused(offer(STRANGER)), "not_a_player");
    assert_eq!(accepted(&bench, STRANGER, SeedBrought::Nothing), Err(Refusal::NotAPlayer));
    assert_eq!(bench.refused(Command::AcceptRematch { by: CREATOR, next: NEXT }), "no_offer");
}

#[test]
fn a_player_with_both_seats_gets_a_rematch_against_themselves() {
    let terms = Terms { admission: Admission::BothSeats, ..terms(Game::Tablut, BLITZ) };
    let mut bench = Bench::open(terms);
    bench.ask(Command::Resign { by: CREATOR, whole_match: true }).unwrap();
    bench.ask(offer(CREATOR)).unwrap();
    let creation = accepted(&bench, CREATOR, SeedBrought::Nothing).unwrap();
    let next = Bench::create(creation, Foretold::from(3));
    assert_eq!(next.state.phase(), Phase::Playing);
    assert_eq!(
        next.state.game().unwrap().white,
        Seat::One,
        "the attackers resigned, so seat 1 keeps the king"
    );
}
