//! Matches in which anything may happen that can: for records of every kind.

use lusoria_play::{
    Admission, Bytes32, Clock, Colours, Command, Creation, Length, Level, MatchId, Player, PlayerKind, Seat,
    SeedBrought, Sits, Terms, UnratedReason,
};
use lusoria_rules::{Game, Side, Variant};
use lusoria_testkit::{Table, player, seed, terms};
use uuid::Uuid;

/// The most that is asked for in a match: some stop while they are being played.
const ACTS_MAX: usize = 900;

/// A match of this game. The number chooses everything about it.
pub(crate) fn random_match(game: Game, number: u64) -> Table {
    let number =
        number * 5 + Game::ALL.iter().position(|&of| of == game).expect("all games are listed") as u64;
    // Any match, to draw from its generator.
    let mut draw = Table::open(terms(Variant::Tabula), number.wrapping_mul(0x9e37_79b9) % (1 << 32));
    let mut below = |end: usize| draw.random(end);
    let computer = |level: usize| Player::computer(Level::ALL[level]);
    let mut creation = Creation {
        id: MatchId(Uuid::nil()),
        terms: any_terms(game, &mut below),
        creator: Player { name: "Agathias \"the scholar\" \\".to_owned(), ..player(Seat::One) },
        commitment: Bytes32([0; 32]),
        seed: SeedBrought::Nothing,
        made_by: None,
        joiner: None,
        rematch_of: None,
        tournament: None,
    };
    match below(8) {
        0 => {
            let (admission, rated) = (Admission::BothSeats, false);
            creation.terms = Terms { admission, rated, ..creation.terms };
        }
        1 => creation.joiner = Some((computer(below(5)), SeedBrought::Nothing)),
        2 => {
            creation.made_by = Some(player(Seat::One));
            creation.creator = computer(below(5));
            creation.joiner = Some((computer(below(5)), SeedBrought::Nothing));
        }
        3 => {
            creation.rematch_of = Some(MatchId(Uuid::from_u128(7)));
            creation.joiner = Some((player(Seat::Two), hash("two  \"quoted\"")));
            creation.seed = hash("alea iacta est");
        }
        4 => creation.creator.kind = PlayerKind::Bot,
        _ => creation.seed = if below(2) == 0 { hash("alea iacta est") } else { SeedBrought::Nothing },
    }
    let mut table = Table::create(number, |id, commitment| Creation { id, commitment, ..creation });
    table.over_lines(number % 4 * 40);
    begin(&mut table);
    if table.random(15) == 0 {
        let by = table.state().player(Seat::One).expect("seat 1 is taken from the start").id;
        drop(table.try_ask(&Command::Abort { by }));
    }
    let acts = if table.random(5) == 0 { table.random(60) } else { ACTS_MAX };
    for _ in 0..acts {
        if table.state().end().is_some() {
            break;
        }
        act(&mut table);
    }
    if table.state().rated().is_some() && table.random(3) == 0 {
        table.wait(Clock::DAY_MS);
        let reason = UnratedReason::ALL[table.random(UnratedReason::ALL.len())];
        table.ask(Command::Unrate { reason });
    }
    if table.random(2) == 0 {
        play_again(&mut table);
    }
    table
}

fn hash(text: &str) -> SeedBrought {
    SeedBrought::Hash(Bytes32(lusoria_dice::seed_hash(text)))
}

fn any_terms(game: Game, below: &mut impl FnMut(usize) -> usize) -> Terms {
    let variants: Vec<_> = Variant::ALL.iter().filter(|variant| variant.game() == game).collect();
    let variant = *variants[below(variants.len())];
    let lengths = [1, 1, 1, 2, 3, 5].map(Length::Points).into_iter().chain([Length::Pair]);
    let terms = Terms {
        variant,
        length: lengths.collect::<Vec<_>>()[below(7)],
        clock: match below(5) {
            0 => Clock::Fischer { base_ms: 600_000, increment_ms: 5_500 },
            1 => Clock::Delay { base_ms: 300_001, delay_ms: 0 },
            2 => Clock::Days { days: 3 },
            _ => Clock::None {},
        },
        colours: [Colours::Lot, Colours::Lot, Colours::SeatOne(Side::White), Colours::SeatOne(Side::Black)]
            [below(4)],
        admission: [Admission::Open, Admission::Invitation][below(2)],
        rated: true,
    };
    if terms.check().is_ok() { terms } else { Terms { rated: false, ..terms } }
}

/// Fills seat 2 and reveals what was promised, unless nobody comes.
fn begin(table: &mut Table) {
    if table.state().player(Seat::Two).is_none() {
        if table.random(8) == 0 {
            return;
        }
        let brought = (table.random(2) == 0).then(|| seed("Tablen pheugete  \"pantes\" \\"));
        table.wait(12_345);
        table.ask(Command::Join { player: player(Seat::Two), seed: brought });
    }
    for text in ["alea iacta est", "two  \"quoted\""] {
        if table.random(12) > 0 {
            let seats = Seat::BOTH.map(|seat| table.state().player(seat).map(|player| player.id));
            for by in seats.into_iter().flatten() {
                let _ = table.try_ask(&Command::RevealSeed { by, seed: seed(text) });
            }
        }
    }
}

/// Does something, mostly a turn.
fn act(table: &mut Table) {
    let span = [0, 1, 900, 3_214, 20_000][table.random(5)];
    table.wait(span);
    let seat = if table.random(2) == 0 { Seat::One } else { Seat::Two };
    let Some(by) = table.state().player(seat).map(|player| player.id) else {
        table.run_out_of_time();
        return;
    };
    match table.random(400) {
        0 => drop(table.try_ask(&Command::Resign { by, whole_match: false })),
        1 => drop(table.try_ask(&Command::Resign { by, whole_match: true })),
        2..=11 | 50..=55 => drop(table.try_ask(&Command::OfferDraw { by })),
        12..=19 | 56..=63 => drop(table.try_ask(&Command::AnswerDraw { by, accept: false })),
        20 => drop(table.try_ask(&Command::AnswerDraw { by, accept: true })),
        21..=25 => table.credit(),
        26 => table.run_out_of_time(),
        27 => drop(table.try_ask(&Command::Abort { by })),
        30..=49 => {
            if let Some(turned) = table.state().may_take_back(by) {
                drop(table.try_ask(&Command::TakeBack { by, turned }));
                let opponent = table.state().player(seat.other()).map(|player| player.id);
                if let Some(by) = opponent.filter(|_| table.state().takeback_offer().is_some())
                    && let answer @ 0..=1 = table.random(3)
                {
                    let accept = answer == 1;
                    drop(table.try_ask(&Command::AnswerTakeback { by, turned, accept }));
                }
            }
        }
        28 => {
            table.wait(Clock::CLAIM_AFTER_MS);
            drop(table.try_ask(&Command::Claim { by, gone_ms: Clock::CLAIM_AFTER_MS }));
        }
        _ => {}
    }
    table.look_at_the_time();
    if table.state().end().is_none() {
        match table.state().to_play() {
            Some(_) if table.has_time() => table.turn(),
            Some(_) | None => table.run_out_of_time(),
        }
    }
}

/// Offers, declines and agrees on a rematch, as far as it can be had.
fn play_again(table: &mut Table) {
    let seats = Seat::BOTH.map(|seat| table.state().player(seat).map(|player| player.id));
    let [Some(one), Some(two)] = seats else { return };
    if table.state().sits(one) == Sits::InBoth {
        return;
    }
    table.wait(7);
    let _ = table.try_ask(&Command::OfferRematch { by: one, seed_hash: None });
    let _ = table.try_ask(&Command::DeclineRematch { by: two });
    let seed_hash = Some(Bytes32(lusoria_dice::seed_hash("again")));
    let _ = table.try_ask(&Command::OfferRematch { by: two, seed_hash });
    let _ = table.try_ask(&Command::AcceptRematch { by: one, next: MatchId(Uuid::from_u128(77)) });
}
