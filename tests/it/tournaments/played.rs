//! Whole tournaments of each format.

use lusoria_play::Seat;
use lusoria_protocol::MatchResult;

use super::*;

/// The half points of each player, from pairings and byes alone.
fn recounted(pairings: &Value) -> BTreeMap<String, u64> {
    let mut points = BTreeMap::new();
    for pairing in pairings["pairings"].as_array().expect("a list") {
        for (place, seat) in ["first", "second"].into_iter().enumerate() {
            let player = pairing[seat]["player"]["id"].as_str().expect("an id").to_owned();
            *points.entry(player).or_default() += pairing["half_points"][place].as_u64().expect("decided");
        }
    }
    for bye in pairings["byes"].as_array().expect("a list") {
        let player = bye["player"]["id"].as_str().expect("an id").to_owned();
        *points.entry(player).or_default() += bye["half_points"].as_u64().expect("a number");
    }
    points
}

/// The half points that the exported records come to, in half points by player.
async fn points_of_records(world: &World, id: TournamentId) -> BTreeMap<String, u64> {
    let mut points = BTreeMap::new();
    let exported = world.inner.app.tournament_records(id, None, ClientAddress(ADDRESS)).await;
    let mut records = exported.expect("an export").records();
    while let Some(record) = records.next().await.expect("a record") {
        let Some(result) = record.result else { continue };
        let players = [(Seat::One, Some(record.players.one)), (Seat::Two, record.players.two)];
        for (seat, player) in players {
            let half_points = match (result.result, result.winner_seat) {
                (MatchResult::Won, winner) => 2 * u64::from(winner == Some(seat)),
                (MatchResult::Drawn, _) => 1,
                (MatchResult::Aborted, _) => 0,
            };
            *points.entry(player.expect("two players").id.to_string()).or_default() += half_points;
        }
    }
    points
}

#[tokio::test(start_paused = true)]
async fn a_swiss_of_eight_goes_on_when_two_vanish() {
    let mut world = World::of(8).await;
    let id = world.announce(&json!({"format": {"kind": "swiss"}})).await;
    for person in 0..8 {
        world.enter(person, id).await;
    }
    // They check in, and are never seen again.
    for person in [2, 5] {
        world.people[person].vanishes_at = Some(world.now() + 30 * MINUTE_MS + 6_000);
    }
    let ended = world.play_on(id, Duration::from_secs(5), Duration::from_hours(4)).await;
    assert_eq!((&ended["ended"], &ended["rounds"]), (&json!("finished"), &json!(4)), "{ended:#}");
    assert_eq!(ended["winner"]["id"], world.people[0].id(), "the first never resigns");
    let (standings, pairings) = (world.standings(id).await, world.pairings(id).await);
    assert_eq!(points(&standings), recounted(&pairings), "{standings:#}");
    // Records have no byes and no forfeits.
    let mut of_records = points_of_records(&world, id).await;
    let undecided =
        pairings["pairings"].as_array().expect("a list").iter().filter(|of| of["forfeit"] == true);
    for (place, seat, of) in undecided.flat_map(|of| [(0, "first", of), (1, "second", of)]) {
        let player = of[seat]["player"]["id"].as_str().expect("an id").to_owned();
        *of_records.entry(player).or_default() += of["half_points"][place].as_u64().expect("decided");
    }
    assert_eq!(points(&standings), of_records, "nobody has a bye with points here");
    // Both forfeit the first match that they do not play. From then on nobody waits for them.
    let forfeits = pairings["pairings"].as_array().expect("a list").iter();
    let forfeits = forfeits.filter(|pairing| pairing["forfeit"] == true);
    let absent = pairings["byes"].as_array().expect("a list").iter().filter(|bye| bye["why"] == "absent");
    assert_eq!((forfeits.count(), absent.count()), (2, 2), "{pairings:#}");
}

#[tokio::test(start_paused = true)]
async fn a_round_robin_of_five_is_played_by_correspondence() {
    let world = World::of(5).await;
    let id = world
        .announce(&json!({
            "format": {"kind": "round_robin", "ends_at": world.now() + 20 * 86_400_000},
            "clock": {"kind": "days", "days": 2}, "games": 2, "rated": true,
        }))
        .await;
    for person in 0..5 {
        world.enter(person, id).await;
    }
    let (hour, weeks) = (Duration::from_hours(1), Duration::from_hours(40 * 24));
    let ended = world.play_on(id, hour, weeks).await;
    assert_eq!(ended["ended"], "finished", "{ended:#}");
    let (standings, pairings) = (world.standings(id).await, world.pairings(id).await);
    assert_eq!(points(&standings), recounted(&pairings));
    assert_eq!(pairings["pairings"].as_array().map(Vec::len), Some(10), "everybody meets everybody once");
    let expected: Vec<u64> = vec![8, 6, 4, 2, 0];
    let found: Vec<u64> = world.people.iter().map(|person| points(&standings)[&person.id()]).collect();
    assert_eq!(found, expected, "{standings:#}");
}

#[tokio::test(start_paused = true)]
async fn a_knock_out_of_six_with_consolation_gives_byes_to_the_top() {
    let world = World::of(6).await;
    let format = json!({"kind": "knockout", "seeding": "lot", "consolation": true});
    let id = world.announce(&json!({"format": format})).await;
    for person in 0..6 {
        world.enter(person, id).await;
    }
    let ended = world.play_on(id, Duration::from_secs(5), Duration::from_hours(6)).await;
    assert_eq!(ended["winner"]["id"], world.people[0].id(), "{ended:#}");
    let pairings = world.pairings(id).await;
    let byes = pairings["byes"].as_array().expect("a list").iter();
    assert_eq!(byes.filter(|bye| bye["why"] == "top").count(), 2, "{pairings:#}");
    let of = |bracket: &str| {
        let all = pairings["pairings"].as_array().expect("a list").iter();
        all.filter(|pairing| pairing["bracket"] == bracket).count()
    };
    assert_eq!(of("main"), 5, "{pairings:#}");
    assert!(of("consolation") >= 1, "{pairings:#}");
    let standings = world.standings(id).await;
    assert_eq!(standings["standings"][0]["player"]["id"], world.people[0].id());
}

#[tokio::test(start_paused = true)]
async fn an_arena_of_twelve_admits_who_comes_late() {
    let mut world = World::of(12).await;
    let id = world.announce(&json!({"format": {"kind": "arena", "lasts_ms": 20 * MINUTE_MS}})).await;
    for person in 0..11 {
        world.enter(person, id).await;
    }
    for person in [3, 8] {
        world.people[person].vanishes_at = Some(world.now() + 35 * MINUTE_MS);
    }
    tokio::time::sleep(Duration::from_millis(36 * MINUTE_MS)).await;
    world.enter(11, id).await;
    let ended = world.play_on(id, Duration::from_secs(5), Duration::from_hours(1)).await;
    assert_eq!(ended["ended"], "finished", "{ended:#}");
    let (standings, pairings) = (world.standings(id).await, world.pairings(id).await);
    assert_eq!(points(&standings), recounted(&pairings));
    let late = &points(&standings)[&world.people[11].id()];
    let played = standings["standings"].as_array().expect("rows").iter();
    let of_late = played.filter(|row| row["player"]["id"] == world.people[11].id()).map(|row| &row["played"]);
    assert!(
        of_late.clone().all(|played| played.as_u64() > Some(3)),
        "{late} {:?}",
        of_late.collect::<Vec<_>>()
    );
}
