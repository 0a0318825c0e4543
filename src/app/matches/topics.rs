//! Messages of a topic: new ones, and those for what waits already.

use bytes::Bytes;
use lusoria_play::{MatchId, TalkRoom};
use lusoria_protocol::{Notice, Problem, ToJson, Waiting};

use crate::{
    app::{App, Caller},
    live::Mail,
};

/// The topics other than matches that a client can subscribe to.
#[derive(Clone, Copy)]
pub enum Topic<'a> {
    /// The open matches, which wait for an opponent.
    Lobby,
    /// The matches that wait for a guest.
    Personal(&'a Caller),
    /// The talk in a room of a match, as the reader may see it.
    Talk(Option<&'a Caller>, MatchId, TalkRoom),
}

impl App {
    /// The new notices. If there were more than a mailbox holds, adds notices for everything that waits now
    /// in one of the topics, because a program may depend on them.
    ///
    /// # Errors
    /// `unavailable`.
    pub async fn notices(&self, mail: Mail, topics: &[Topic<'_>]) -> Result<Vec<Bytes>, Problem> {
        let mut told = Vec::from(mail.notices);
        if mail.has_dropped {
            for &topic in topics {
                told.extend(self.waiting_in(topic).await?);
            }
        }
        Ok(told)
    }

    /// A notice for each match in a topic that waits now or has an offer, for each seek and challenge, and for each call
    /// of a tournament.
    ///
    /// # Errors
    /// `unavailable`.
    pub async fn waiting_in(&self, topic: Topic<'_>) -> Result<Vec<Bytes>, Problem> {
        Ok(match topic {
            Topic::Lobby => {
                let open = self.open_matches().await?.open.into_iter();
                open.map(|card| line(&Notice::Opened { card: Box::new(card) })).collect()
            }
            Topic::Talk(caller, id, room) => {
                // A reader who has lost access gets nothing.
                let remarks = self.remark_notices(caller, id, room).await?;
                remarks.iter().map(line).collect()
            }
            Topic::Personal(caller) => {
                let Waiting { waiting, offered } = self.waiting(caller).await?;
                let turns = waiting.into_iter().map(|card| Notice::YourTurn { card: Box::new(card) });
                let offers = offered.into_iter().map(|card| Notice::MatchChanged { card: Box::new(card) });
                let seeks = self.seeks(caller).await?.seeks.into_iter();
                let seeks = seeks.map(|seek| Notice::Seek { seek: Box::new(seek) });
                let challenges = self.challenges(caller).await?.challenges.into_iter();
                let challenges = challenges.map(|of| Notice::Challenge { challenge: Box::new(of) });
                let calls = self.tournament_calls(caller).await?;
                let all = turns.chain(offers).chain(seeks).chain(challenges).chain(calls);
                all.map(|notice| line(&notice)).collect()
            }
        })
    }
}

fn line(notice: &Notice) -> Bytes {
    notice.to_json().into()
}
