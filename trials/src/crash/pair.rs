//! Two players who play one match after another and keep what they receive.

use std::{collections::VecDeque, net::SocketAddr};

use lusoria_client::RequestError;
use lusoria_protocol::{
    Code, CreateMatch, Created, DeviceCode, Game, Guest, Hash, IdempotencyKey, Invitation, MatchId, Me,
    PlayerSeed, Problem, RenameGuest, Snapshot, SpendDeviceCode,
};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::{json, value::RawValue};
use sha2::{Digest, Sha256};

use super::{
    TrialError, clocks,
    current::{self, Current, PlayerRequest},
    error::{broken, promised, read},
    player::{KnownGuest, Player},
    seen::{Seen, Told},
    wish::Wish,
};

/// The number of responses kept, to check that a repeated request gets the same one.
const ANSWERS_KEPT: usize = 4;

/// The number of spent codes kept, to check that they stay spent.
const CODES_KEPT: usize = 4;

/// A request that may be repeated: its response is always the same.
#[derive(Debug, Clone)]
pub(crate) struct Answered {
    pub(crate) who: usize,
    pub(crate) wish: Wish,
    pub(crate) answer: Box<RawValue>,
}

/// The outcome of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StepOutcome {
    /// A turn was played.
    Turned,
    /// A match is over, and a new one follows.
    Left,
    /// Anything else.
    Other,
}

/// A pair of players.
pub(crate) struct Pair {
    number: usize,
    random: StdRng,
    pub(crate) players: [Player; 2],
    pub(crate) current: Option<Current>,
    /// Their finished matches.
    pub(crate) past: Vec<Seen>,
    /// The unanswered request, and whether it was sent.
    pub(crate) asked: Option<(PlayerRequest, bool)>,
    pub(crate) answered: VecDeque<Answered>,
    /// Requests with spent codes, which must be refused.
    pub(crate) spent: VecDeque<PlayerRequest>,
    keys: u32,
    /// The seed whose hash goes with the match that is being created.
    seed: Option<PlayerSeed>,
    /// Requests that were repeated because their outcome was unknown.
    pub(crate) resent: u64,
    /// Requests that were answered.
    pub(crate) answers: u64,
    /// How often the server was unavailable.
    pub(crate) unavailable: u64,
}

impl Pair {
    pub(crate) fn new(number: usize, seed: u64) -> Self {
        Self {
            number,
            random: StdRng::seed_from_u64(seed),
            players: [Player::new(), Player::new()],
            current: None,
            past: Vec::new(),
            asked: None,
            answered: VecDeque::new(),
            spent: VecDeque::new(),
            keys: 0,
            seed: None,
            resent: 0,
            answers: 0,
            unavailable: 0,
        }
    }

    /// Sends the next request, each player to their server. Repeats an unanswered one first.
    pub(crate) async fn step(&mut self, at: [SocketAddr; 2]) -> Result<StepOutcome, TrialError> {
        self.connect(at).await?;
        self.receive()?;
        let ((who, wish), sent) = match self.asked.take() {
            Some(asked) => asked,
            None => match self.wish() {
                Some(wish) => (wish, false),
                None => return Ok(self.leave()),
            },
        };
        self.resent += u64::from(sent);
        self.asked = Some(((who, wish.clone()), true));
        match self.players[who].ask(at[who], &wish.op()).await {
            Ok(answer) => {
                self.asked = None;
                self.answers += 1;
                self.take(who, wish, answer).await
            }
            Err(RequestError::Problem(problem)) if problem.status != 503 => {
                self.refused(at[who], who, &wish, sent, problem).await?;
                self.asked = None;
                Ok(StepOutcome::Other)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The number of the pair in the world, from 0.
    pub(crate) const fn number(&self) -> usize {
        self.number
    }

    /// Its events of a match, if the match is its own.
    pub(crate) fn seen_of(&mut self, id: MatchId) -> Option<&mut Seen> {
        let current = self.current.iter_mut().map(|current| &mut current.seen);
        current.chain(&mut self.past).find(|seen| seen.id() == id)
    }

    /// Closes the connections: the server is down.
    pub(crate) fn hang_up(&mut self) {
        for player in &mut self.players {
            player.close();
        }
    }

    async fn connect(&mut self, at: [SocketAddr; 2]) -> Result<(), TrialError> {
        let watch = self.current.as_ref().map(|current| (current.id(), current.seen.whole_until()));
        for (player, at) in self.players.iter_mut().zip(at) {
            if player.known.is_some() && !player.is_connected() {
                if self.random.random_ratio(1, 4) {
                    player.use_http();
                } else {
                    player.open(at, watch).await?;
                }
            }
        }
        Ok(())
    }

    /// Takes the events that were pushed.
    pub(crate) fn receive(&mut self) -> Result<(), TrialError> {
        for player in &mut self.players {
            for event in player.heard()? {
                if let Some(current) = self.current.as_mut().filter(|current| current.id() == event.id) {
                    current.seen.see(event.text())?;
                }
            }
        }
        self.current.as_mut().map_or(Ok(()), Current::follow)
    }

    fn wish(&mut self) -> Option<PlayerRequest> {
        if let Some(who) = self.players.iter().position(|player| player.known.is_none()) {
            return Some((who, Wish::Guest));
        }
        if self.random.random_ratio(1, 40) {
            return Some(self.about_themselves());
        }
        let Some(current) = &mut self.current else {
            let key = new_key(self.number, &mut self.keys);
            let create = Wish::Create(Some(key), Box::new(self.terms()));
            return Some((usize::from(self.random.random_ratio(1, 2)), create));
        };
        if current.lacks() {
            let since = current.view.as_ref().map_or(0, |view| view.head);
            return Some((current.creator, Wish::Events(current.id(), since)));
        }
        let (number, keys) = (self.number, &mut self.keys);
        current.wish(&mut self.random, &mut || new_key(number, keys))
    }

    /// Draws a request that concerns no match: a new name, or another device.
    fn about_themselves(&mut self) -> PlayerRequest {
        let who = usize::from(self.random.random_ratio(1, 2));
        let known = self.players[who].known.as_mut().expect("the pair's guests have been created");
        if let Some(code) = known.code.take() {
            return (who, Wish::SpendDeviceCode(SpendDeviceCode { code, device: None }));
        }
        if self.random.random_ratio(1, 2) {
            return (who, Wish::DeviceCode);
        }
        let name = format!("Guest {}", self.random.random_range(0..1_000_000));
        known.names.push(name.clone());
        let name = name.parse().expect("letters and digits make a name");
        (who, Wish::Rename(RenameGuest { name }))
    }

    fn terms(&mut self) -> CreateMatch {
        let random = &mut self.random;
        // The first pairs play one game each.
        let game = match Game::ALL.get(self.number) {
            Some(&game) => game,
            None => Game::ALL[random.random_range(..Game::ALL.len())],
        };
        let clock = match random.random_range(0..5) {
            0 | 1 => json!({"kind": "none"}),
            2 => json!({"kind": "fischer", "base_ms": 120_000, "increment_ms": 1_000}),
            3 => json!({"kind": "delay", "base_ms": 60_000, "delay_ms": 50}),
            _ => json!({"kind": "days", "days": 2}),
        };
        let terms = json!({
            "game": game,
            "clock": clock,
            "points": if random.random_ratio(1, 3) { 3 } else { 1 },
            "admission": if random.random_ratio(1, 3) { "invitation" } else { "open" },
        });
        let mut terms: CreateMatch = serde_json::from_value(terms).expect("the terms of a match");
        self.seed = self.random.random_ratio(1, 3).then(|| current::seed(&mut self.random));
        terms.seed_hash = self.seed.as_ref().map(hash);
        terms
    }

    async fn take(
        &mut self,
        who: usize,
        wish: Wish,
        answer: Box<RawValue>,
    ) -> Result<StepOutcome, TrialError> {
        let mut stepped = StepOutcome::Other;
        let told = answer.get();
        match &wish {
            Wish::Guest => self.players[who].known = Some(KnownGuest::new(read::<Guest>(told)?)),
            Wish::Rename(asked) => {
                let me: Me = read(told)?;
                promised!(me.name == asked.name, "renamed to {:?}, answered {told}", asked.name);
                self.known(who).names = vec![me.name.into()];
            }
            Wish::DeviceCode => self.known(who).code = Some(read::<DeviceCode>(told)?.code),
            Wish::SpendDeviceCode(_) => {
                let guest: Guest = read(told)?;
                let known = self.known(who);
                promised!(guest.id == known.id, "a device code of {} gave {}", known.id, guest.id);
                known.give(guest.token);
                self.players[who].close();
                self.spend((who, wish.clone()));
            }
            Wish::SpendInvitation(_, request) => {
                let again = Wish::SpendInvitation(None, request.clone());
                self.spend((who, again));
            }
            Wish::Create(..) => self.created(who, read(told)?).await?,
            Wish::Invite(_) => {
                let code = read::<Invitation>(told)?.code;
                self.current().code = Some(code);
            }
            Wish::Snapshot(_) => {
                let first = self.known(0).id;
                self.current().begin(read::<Snapshot>(told)?, first);
                self.watch().await?;
            }
            _ if wish.as_turn().is_some() => stepped = StepOutcome::Turned,
            _ => {}
        }
        if tells_events(&wish) {
            self.told(&read(told)?, &wish)?;
            if !matches!(wish, Wish::Events(..)) {
                self.answered.push_back(Answered { who, wish, answer });
                if self.answered.len() > ANSWERS_KEPT {
                    self.answered.pop_front();
                }
            }
        }
        Ok(stepped)
    }

    fn told(&mut self, told: &Told, wish: &Wish) -> Result<(), TrialError> {
        let current = self.current();
        let mut last = None;
        for event in &told.events {
            let seq = current.seen.see(event.get())?;
            let follows = last.is_none_or(|last| seq == last + 1);
            promised!(follows, "the answer to {wish:?} has a gap: {told:?}");
            last = Some(seq);
        }
        let is_whole = matches!(wish, Wish::Events(..)) || last == Some(told.head);
        promised!(is_whole, "the answer to {wish:?} has another head: {told:?}");
        current.next = told.next.or(current.next);
        current.follow()
    }

    async fn created(&mut self, who: usize, created: Created) -> Result<(), TrialError> {
        let mut current = Current::named(created.created.id);
        let first = self.known(0).id;
        current.begin(created.created, first);
        promised!(current.creator == who, "another guest created the match");
        current.code = created.invitation.map(|invitation| invitation.code);
        current.seed = self.seed.take();
        self.current = Some(current);
        self.watch().await
    }

    /// Makes both watch the match from its first event.
    async fn watch(&mut self) -> Result<(), TrialError> {
        let id = self.current().id();
        for player in &mut self.players {
            player.watch(id, 0).await?;
        }
        Ok(())
    }

    /// Handles a refusal that may happen: of a code that was spent by a request whose response was lost, or
    /// of an offer or a turn that came after the deadline.
    async fn refused(
        &mut self,
        at: SocketAddr,
        who: usize,
        wish: &Wish,
        sent: bool,
        problem: Box<Problem>,
    ) -> Result<(), TrialError> {
        if matches!(wish, Wish::SpendDeviceCode(_)) && sent && problem.code == Code::UnknownCode {
            return Ok(());
        }
        let late =
            matches!(problem.code, Code::MatchOver | Code::TimeOver | Code::NotPlaying | Code::WrongSeq);
        if late && tells_events(wish) {
            let before = self.current().seen.head();
            let page = Wish::Events(self.current().id(), before);
            let answer = self.players[who].ask(at, &page.op()).await?;
            self.told(&read(answer.get())?, &page)?;
            // A repeated turn is answered, never refused: its first copy is no reason to refuse it.
            let seen = &self.current().seen;
            let was_played = wish.as_turn().is_some_and(|(_, turn)| clocks::answers(seen, turn.seq));
            if !was_played && self.current().seen.head() > before {
                return Ok(());
            }
        }
        let (code, detail) = (problem.code.as_str(), problem.detail);
        Err(broken!("refused: {code}: {detail}; asked: {wish:?}"))
    }

    fn leave(&mut self) -> StepOutcome {
        if let Some(current) = self.current.take() {
            self.current = current.next.map(Current::named);
            self.past.push(current.seen);
        }
        self.answered.clear();
        StepOutcome::Left
    }

    /// Notes that a code has been spent.
    fn spend(&mut self, wish: PlayerRequest) {
        self.spent.push_back(wish);
        if self.spent.len() > CODES_KEPT {
            self.spent.pop_front();
        }
    }

    fn known(&mut self, who: usize) -> &mut KnownGuest {
        self.players[who].known.as_mut().expect("the pair's guests have been created")
    }

    fn current(&mut self) -> &mut Current {
        self.current.as_mut().expect("only players send requests about a match")
    }
}

/// Whether the answer contains events of the match.
const fn tells_events(wish: &Wish) -> bool {
    matches!(wish, Wish::Command(_) | Wish::SpendInvitation(..) | Wish::Events(..))
}

fn new_key(pair: usize, keys: &mut u32) -> IdempotencyKey {
    *keys += 1;
    format!("{pair}-{keys}").parse().expect("digits make a key")
}

fn hash(seed: &PlayerSeed) -> Hash {
    Hash(Sha256::digest(seed.as_str()).into())
}
