//! Talk beside a match: what may be said and read, and by whom.

use lusoria_play::{Match, MatchId, Millis, Phase, PlayerId, RemarkId, Seat, Sits, TalkRoom};
use lusoria_protocol::{
    Code, Notice, Problem, Remark as WireRemark, Say, SetTalkSettings, Speech, Talk, TalkSettings, ToJson,
    WhyNoText,
};
use lusoria_store::{
    NewRemark, NoText, REMARKS_PER_MATCH_MAX, Remark, RemarkAdding, Said, Sanction, SanctionKind,
    TalkSettings as Settings, Talker,
};

use crate::{
    app::{App, Caller, ClientAddress, problem, wire},
    config::TalkPolicy,
    live::{SaidRemark, hears},
};

/// How many remarks of a room are listed at most.
const REMARKS_MAX: u32 = 100;

/// How long after its end a match has talk, in milliseconds: three days.
const TALK_AFTER_END_MS: Millis = 3 * 86_400_000;

impl App {
    /// The remarks in a room of a match that the caller may read, and what they may say there.
    ///
    /// # Errors
    /// `no_such_match`; `talk_off`; `other_room`; `unavailable`.
    pub async fn talk(&self, caller: Option<&Caller>, id: MatchId, room: TalkRoom) -> Result<Talk, Problem> {
        let state = self.state(id).await?;
        self.check_room(&state, room, caller)?;
        let (speech, why) = match self.speech(caller, &state, room).await {
            Ok(speech) => speech,
            Err(why) if why.code == Code::Unavailable => return Err(why),
            Err(why) => (Speech::Nothing, Some(why.code)),
        };
        let remarks = self.remarks(caller, id, room).await?;
        Ok(Talk { remarks, speech, why })
    }

    /// The last remarks in a room that the caller may read.
    async fn remarks(
        &self,
        caller: Option<&Caller>,
        id: MatchId,
        room: TalkRoom,
    ) -> Result<Vec<WireRemark>, Problem> {
        let found = self.store().remarks(id, room, REMARKS_MAX).await.map_err(problem::store)?;
        let has_text = found.iter().any(|remark| matches!(remark.said, Said::Words(_)));
        let reads_text = match caller {
            Some(caller) if has_text => self.refuses_text(caller.id()).await?.is_none(),
            Some(_) | None => false,
        };
        let avoided = match caller {
            Some(caller) if !found.is_empty() => {
                self.store().blocks_around(caller.id()).await.map_err(problem::store)?
            }
            Some(_) | None => Vec::new(),
        };
        let is_own = |remark: &Remark| caller.is_some_and(|caller| caller.id() == remark.by.id);
        let may_read = |remark: &Remark| {
            let is_text = matches!(remark.said, Said::Words(_));
            !avoided.contains(&remark.by.id) && (!is_text || reads_text || is_own(remark))
        };
        Ok(found.into_iter().filter(may_read).map(wire::remark).collect())
    }

    /// A notice for each of the last remarks in a room that the caller may read.
    pub(in crate::app) async fn remark_notices(
        &self,
        caller: Option<&Caller>,
        id: MatchId,
        room: TalkRoom,
    ) -> Result<Vec<Notice>, Problem> {
        // The listener may have taken a seat since they subscribed.
        if !hears(&*self.state(id).await?, room, caller.map(Caller::id)) {
            return Ok(Vec::new());
        }
        let remarks = self.remarks(caller, id, room).await?.into_iter();
        Ok(remarks.map(|remark| Notice::Remark { remark: Box::new(remark) }).collect())
    }

    /// Says something in a match.
    ///
    /// # Errors
    /// `no_such_match`; `talk_off`; `other_room`; `no_talk`; `invalid_body` without a phrase or a text, or with both;
    /// `no_text`; `muted`, `banned`; `too_much_talk`; `unknown_token` or `blocked` if the caller lost access
    /// meanwhile; `unavailable`.
    pub async fn say(&self, caller: &Caller, id: MatchId, request: &Say) -> Result<WireRemark, Problem> {
        let said = match (request.phrase, &request.text) {
            (Some(phrase), None) => Said::Phrase(phrase),
            (None, Some(text)) => Said::Words(text.trimmed().to_owned()),
            (None, None) | (Some(_), Some(_)) => {
                return Err(Problem::new(Code::InvalidBody, "a remark has either phrase or text"));
            }
        };
        let (state, room) = (self.state(id).await?, request.room);
        self.note_presence(&state, Some(caller));
        self.check_room(&state, room, Some(caller))?;
        let (speech, why) = self.speech(Some(caller), &state, room).await?;
        if matches!(said, Said::Words(_)) && speech < Speech::Text {
            return Err(why.unwrap_or(Code::NoText).into());
        }
        let now = self.live.now();
        let new =
            NewRemark { id: RemarkId(self.new_id(now)), of: id, room, by: caller.id(), said_at: now, said };
        match self.store().add_remark(new.clone()).await.map_err(problem::store)? {
            RemarkAdding::Added => {
                let NewRemark { id, of, room, said_at, said, .. } = new;
                let remark = Remark { id, of, room, by: caller.player(), said_at, said };
                let is_text = matches!(remark.said, Said::Words(_));
                let told = wire::remark(remark);
                let line = Notice::Remark { remark: Box::new(told.clone()) }.to_json().into();
                self.live.tell_remark(SaidRemark { of, room, by: caller.id(), is_text, line });
                Ok(told)
            }
            RemarkAdding::TooFast(wait_ms) => {
                Err(Problem::from(Code::TooMuchTalk).with_retry_after_s(wait_ms.div_ceil(1_000)))
            }
            RemarkAdding::TooMany => {
                let detail = "you have written as many remarks in this match as are allowed";
                Err(Problem::new(Code::TooMuchTalk, detail).with_limit(REMARKS_PER_MATCH_MAX.into()))
            }
            RemarkAdding::Sanctioned(sanction) => Err(problem::sanctioned(&sanction)),
            RemarkAdding::GuestGone => Err(self.gone(caller, caller.id()).await),
            RemarkAdding::NoSuchMatch => Err(Code::NoSuchMatch.into()),
        }
    }

    /// Checks that talk is on, and that the caller may read this room.
    fn check_room(&self, state: &Match, room: TalkRoom, caller: Option<&Caller>) -> Result<(), Problem> {
        if self.limits.talk == TalkPolicy::Off {
            return Err(Code::TalkOff.into());
        }
        if hears(state, room, caller.map(Caller::id)) { Ok(()) } else { Err(Code::OtherRoom.into()) }
    }

    /// What the caller may say in a room, and why not more.
    ///
    /// # Errors
    /// Why they may say nothing: `unauthorized`, `no_talk`, `muted`, `banned`; `unavailable`.
    async fn speech(
        &self,
        caller: Option<&Caller>,
        state: &Match,
        room: TalkRoom,
    ) -> Result<(Speech, Option<Code>), Problem> {
        let caller = caller.ok_or_else(problem::unauthorized)?;
        let now = self.live.now();
        check_stage(state, room, now)?;
        let sanctions = self.store().sanctions(caller.id()).await.map_err(problem::store)?;
        if let Some(sanction) = silences(&sanctions, now) {
            return Err(problem::sanctioned(sanction));
        }
        let opponent = match (room, state.sits(caller.id())) {
            (TalkRoom::Players, Sits::At(seat)) => state.player(seat.other()).map(|player| player.id),
            (TalkRoom::Players | TalkRoom::Watchers, _) => None,
        };
        for guest in [Some(caller.id()), opponent].into_iter().flatten() {
            if self.refuses_text(guest).await?.is_some() {
                return Ok((Speech::Phrases, Some(Code::NoText)));
            }
        }
        Ok((Speech::Text, None))
    }

    /// Why a guest can neither write nor read words; none if they can.
    async fn refuses_text(&self, guest: PlayerId) -> Result<Option<WhyNoText>, Problem> {
        Ok(self.why_no_text(self.talker(guest).await?.as_ref()))
    }

    async fn talker(&self, guest: PlayerId) -> Result<Option<Talker>, Problem> {
        Ok(self.store().talkers(vec![guest]).await.map_err(problem::store)?.pop())
    }

    fn why_no_text(&self, talker: Option<&Talker>) -> Option<WhyNoText> {
        if self.server_speech() < Speech::Text {
            return Some(WhyNoText::Server);
        }
        // A deleted guest writes nothing.
        let Some(talker) = talker else { return Some(WhyNoText::Guest) };
        talker.refuses_text(self.live.now()).map(|why| match why {
            NoText::Bot => WhyNoText::Bot,
            NoText::Guest => WhyNoText::Guest,
            NoText::ChildrensMode => WhyNoText::ChildrensMode,
            NoText::NotSwitchedOn => WhyNoText::NotSwitchedOn,
            NoText::NewAccount => WhyNoText::NewAccount,
            NoText::FewMatches => WhyNoText::FewMatches,
        })
    }

    /// The most that this server allows anybody to say.
    fn server_speech(&self) -> Speech {
        match self.limits.talk {
            TalkPolicy::Off => Speech::Nothing,
            TalkPolicy::Text if !self.limits.childrens_mode => Speech::Text,
            TalkPolicy::Phrases | TalkPolicy::Text => Speech::Phrases,
        }
    }

    /// Whether children's mode applies to a guest, by their account or on the whole server.
    pub(in crate::app) async fn is_in_childrens_mode(&self, guest: PlayerId) -> Result<bool, Problem> {
        if self.limits.childrens_mode {
            return Ok(true);
        }
        Ok(self.talker(guest).await?.is_some_and(|talker| talker.settings.has_childrens_mode))
    }

    /// The caller's settings for talk.
    ///
    /// # Errors
    /// `unavailable`.
    pub async fn talk_settings(&self, caller: &Caller) -> Result<TalkSettings, Problem> {
        let talker = self.talker(caller.id()).await?;
        let settings = talker.as_ref().map(|talker| talker.settings).unwrap_or_default();
        Ok(TalkSettings {
            text: settings.takes_text,
            childrens_mode: settings.has_childrens_mode,
            server_childrens_mode: self.limits.childrens_mode,
            server_speech: self.server_speech(),
            why_no_text: self.why_no_text(talker.as_ref()),
        })
    }

    /// Sets an account's settings for talk. Leaving children's mode needs a proof (password or passkey).
    ///
    /// # Errors
    /// `no_account`; `wrong_credentials`, `wrong_passkey`, `too_many_attempts`; `invalid_body` to leave children's mode
    /// without a proof; `too_many_requests`, `unavailable`.
    pub async fn set_talk_settings(
        &self,
        caller: &Caller,
        request: &SetTalkSettings,
        address: ClientAddress,
    ) -> Result<TalkSettings, Problem> {
        let talker = self.talker(caller.id()).await?;
        if talker.is_some_and(|talker| talker.settings.has_childrens_mode) && !request.childrens_mode {
            self.prove(caller, request.password.as_ref(), request.passkey.as_ref(), address).await?;
        }
        let settings = Settings { takes_text: request.text, has_childrens_mode: request.childrens_mode };
        let is_set = self.store().set_talk_settings(caller.id(), settings).await;
        if !is_set.map_err(problem::store)? {
            return Err(Code::NoAccount.into());
        }
        self.talk_settings(caller).await
    }
}

/// Checks that there is somebody to talk with, and that the match has not ended too long ago.
fn check_stage(state: &Match, room: TalkRoom, now: Millis) -> Result<(), Problem> {
    let [one, two] = Seat::BOTH.map(|seat| state.player(seat).map(|player| player.id));
    let has_computer = Seat::BOTH.into_iter().any(|seat| state.is_computer(seat));
    let has_talk = match (room, state.phase()) {
        (_, Phase::Open) => false,
        (_, Phase::Ended(_)) if now > state.last_at().saturating_add(TALK_AFTER_END_MS) => false,
        (TalkRoom::Players, _) => one != two && !has_computer,
        (TalkRoom::Watchers, _) => true,
    };
    if has_talk { Ok(()) } else { Err(Code::NoTalk.into()) }
}

/// The sanction that keeps a guest from talking now, if there is one.
fn silences(sanctions: &[Sanction], now: Millis) -> Option<&Sanction> {
    let held = |kind| sanctions.iter().find(|of| of.kind == kind && of.holds(now));
    held(SanctionKind::Ban).or_else(|| held(SanctionKind::Mute))
}
