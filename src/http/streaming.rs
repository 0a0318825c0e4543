//! Streams of lines: each line one JSON document, with an empty one at intervals to keep the connection open. For a
//! client that does not read, nothing is queued except marks and a bounded number of notices.

use std::{convert::Infallible, sync::Arc, time::Duration};

use axum::{
    body::{Body, Bytes},
    http::header,
    response::{IntoResponse, Response},
};
use futures_util::stream;
use lusoria_play::MatchId;
use lusoria_protocol::{Code, Problem, TournamentId, Tv};
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use super::{
    Http,
    error::HandlerResult,
    extract::{Format, NDJSON},
    json::Json,
};
use crate::{
    app::{App, Caller, ClientAddress, OpenStream, Reader, Topic, TournamentReader, within_head},
    live::{Mailbox, Positions, TopicSubscription},
};

/// The interval of empty lines when there is nothing to send.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// The interval at which the channels of TV are read: the server selects no more often.
const TV_LOOKED_AT_EVERY: Duration = Duration::from_secs(3);

/// How long a token counts as valid without a look-up, unless it is in doubt.
const TOKEN_GOOD_FOR: Duration = Duration::from_secs(45);

/// The events of a match after `since`.
pub(super) async fn of_match(
    http: &Http,
    id: MatchId,
    since: u32,
    follow: bool,
    positions: Positions,
    caller: Option<&Caller>,
    address: ClientAddress,
) -> HandlerResult<Response> {
    let place = http.app.open_stream(address)?;
    let reader = http.app.read(id, since, positions, caller).await?;
    within_head(since, reader.head())?;
    let source = if follow { Source::Match(reader) } else { Source::MatchSoFar(reader) };
    Ok(lines(Vec::new(), source, http.connections.open(), place))
}

/// The events of a tournament after `since`.
pub(super) async fn of_tournament(
    http: &Http,
    id: TournamentId,
    since: u32,
    follow: bool,
    address: ClientAddress,
) -> HandlerResult<Response> {
    let place = http.app.open_stream(address)?;
    let (reader, head) = http.app.read_tournament(id, since).await?;
    within_head(since, head)?;
    let source = if follow { Source::Tournament(reader) } else { Source::TournamentSoFar(reader) };
    Ok(lines(Vec::new(), source, http.connections.open(), place))
}

/// The lobby: the open matches and their changes.
pub(super) async fn lobby(http: &Http, format: Format, address: ClientAddress) -> HandlerResult<Response> {
    let Format::Ndjson = format else { return Ok(Json(http.app.open_matches().await?).into_response()) };
    let place = http.app.open_stream(address)?;
    let mailbox = Arc::new(Mailbox::default());
    // Subscribes before it reads, so that no change is missed in between.
    let subscription = http.app.live().subscribe_lobby(&mailbox);
    let now = http.app.waiting_in(Topic::Lobby).await?;
    let source = Source::Lobby(Arc::clone(&http.app), mailbox, subscription);
    Ok(lines(now, source, http.connections.open(), place))
}

/// TV: the present match of each channel, and each change.
pub(super) async fn tv(http: &Http, format: Format, address: ClientAddress) -> HandlerResult<Response> {
    let Format::Ndjson = format else { return Ok(Json(&*http.app.tv().await?).into_response()) };
    let place = http.app.open_stream(address)?;
    let mut shown = None;
    let now = http.app.switched(&mut shown).await?;
    let source = Source::Tv(Arc::clone(&http.app), shown);
    Ok(lines(now, source, http.connections.open(), place))
}

/// The matches that wait for a player, and each change.
pub(super) async fn personal(
    http: &Http,
    caller: &Caller,
    format: Format,
    address: ClientAddress,
) -> HandlerResult<Response> {
    let Format::Ndjson = format else { return Ok(Json(http.app.waiting(caller).await?).into_response()) };
    let place = http.app.open_stream(address)?;
    let mailbox = Arc::new(Mailbox::default());
    let mut holder = TokenHolder::new(&http.app, caller);
    let subscription = http.app.live().subscribe_personal(&mailbox, caller.id());
    let shown = http.app.live().token_shown(&mailbox, caller.id());
    // The mailbox does not learn of a guest who was blocked between the look-up and the subscription.
    holder.may_listen(false).await?;
    let now = http.app.waiting_in(Topic::Personal(caller)).await?;
    let source = Source::Personal(Box::new(holder), mailbox, [subscription, shown]);
    Ok(lines(now, source, http.connections.open(), place))
}

/// The guest of a stream, which ends when their token is revoked.
pub(super) struct TokenHolder {
    app: Arc<App>,
    caller: Caller,
    /// The number of revoked tokens at the last look-up of theirs.
    revocations: u64,
    looked_up_at: Instant,
}

impl TokenHolder {
    pub(super) fn new(app: &Arc<App>, caller: &Caller) -> Self {
        Self {
            app: Arc::clone(app),
            caller: caller.clone(),
            revocations: caller.revocations(),
            looked_up_at: Instant::now(),
        }
    }

    /// Looks the token up again if it is in doubt. If the store fails, the stream continues until the next look-up.
    ///
    /// # Errors
    /// `unknown_token`, `token_expired`, `blocked`.
    pub(super) async fn may_listen(&mut self, is_doubted: bool) -> Result<(), Problem> {
        let revocations = self.app.live().revocations();
        let is_fresh = self.looked_up_at.elapsed() < TOKEN_GOOD_FOR;
        if revocations == self.revocations && !is_doubted && is_fresh {
            return Ok(());
        }
        (self.revocations, self.looked_up_at) = (revocations, Instant::now());
        match self.app.authenticate_again(&self.caller).await {
            Err(problem)
                if matches!(problem.code, Code::UnknownToken | Code::TokenExpired | Code::Blocked) =>
            {
                Err(problem)
            }
            Ok(_) | Err(_) => Ok(()),
        }
    }
}

/// The source of the lines.
enum Source {
    /// A match, until it has ended.
    Match(Reader),
    /// A match, until its head.
    MatchSoFar(Reader),
    /// A tournament, until it has ended.
    Tournament(TournamentReader),
    /// A tournament, until its head.
    TournamentSoFar(TournamentReader),
    /// The lobby, for as long as the subscription is held.
    Lobby(Arc<App>, Arc<Mailbox>, #[expect(dead_code, reason = "it is held, not used")] TopicSubscription),
    /// The channels of TV, as last sent.
    Tv(Arc<App>, Option<Arc<Tv>>),
    /// A guest's own topic.
    Personal(
        Box<TokenHolder>,
        Arc<Mailbox>,
        #[expect(dead_code, reason = "they are held, not used")] [TopicSubscription; 2],
    ),
}

impl Source {
    /// The next lines; none at the end. A problem ends the stream, too: the status was sent long ago, and the client
    /// asks again from its last event.
    async fn next(&mut self) -> Option<Vec<Bytes>> {
        match self {
            Self::Match(reader) => reader.next().await.ok().flatten(),
            Self::MatchSoFar(reader) => reader.next_now().await.ok().flatten(),
            Self::Tournament(reader) => reader.next().await.ok().flatten(),
            Self::TournamentSoFar(reader) => reader.next_now().await.ok().flatten(),
            Self::Lobby(app, mailbox, _) => app.notices(mailbox.take().await, &[Topic::Lobby]).await.ok(),
            Self::Tv(app, shown) => loop {
                tokio::time::sleep(TV_LOOKED_AT_EVERY).await;
                // If the store fails, the next tick tries again.
                let switched = app.switched(shown).await.unwrap_or_default();
                if !switched.is_empty() {
                    break Some(switched);
                }
            },
            Self::Personal(holder, mailbox, _) => {
                let mail = loop {
                    // Another node may have revoked the token without this one being told.
                    match timeout_at(holder.looked_up_at + TOKEN_GOOD_FOR, mailbox.take()).await {
                        Ok(mail) => break mail,
                        Err(_) => holder.may_listen(false).await.ok()?,
                    }
                };
                holder.may_listen(mail.is_doubted).await.ok()?;
                holder.app.notices(mail, &[Topic::Personal(&holder.caller)]).await.ok()
            }
        }
    }
}

/// The streamed response. It keeps its place among the client's streams until it ends.
fn lines(first: Vec<Bytes>, source: Source, closing: CancellationToken, place: OpenStream) -> Response {
    let state = (Some(first).filter(|first| !first.is_empty()), source, closing, place);
    let body = stream::unfold(state, |(first, mut source, closing, place)| async move {
        let chunk = if let Some(first) = first {
            joined(&first)
        } else {
            tokio::select! {
                () = closing.cancelled() => return None,
                next = source.next() => joined(&next?),
                () = tokio::time::sleep(KEEP_ALIVE) => Bytes::from_static(b"\n"),
            }
        };
        Some((Ok::<_, Infallible>(chunk), (None, source, closing, place)))
    });
    ([(header::CONTENT_TYPE, NDJSON), (header::CACHE_CONTROL, "no-store")], Body::from_stream(body))
        .into_response()
}

fn joined(lines: &[Bytes]) -> Bytes {
    let mut text = Vec::with_capacity(lines.iter().map(|line| line.len() + 1).sum());
    for line in lines {
        text.extend_from_slice(line);
        text.push(b'\n');
    }
    text.into()
}
