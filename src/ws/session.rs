//! A conversation: `hello`, then requests and pushed messages, until it ends.
//!
//! Each stage is a type with only the state of that stage: before `hello` there is no client that could send a
//! request.

use std::{future::ready, mem, pin::pin, sync::Arc};

use bytes::Bytes;
use lusoria_protocol::{
    Code, Notice, Problem, ToJson,
    socket::{ClientMessage, Op},
};
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep};

use super::{
    Sockets,
    client::Client,
    ending::Ending,
    limits::{HELLO_WITHIN, PING_EVERY, REFUSED_IN_A_ROW_MAX},
    reply::{RequestId, SocketId, reply, text, unreadable, written},
    socket::{Socket, Transport},
};
use crate::{
    app::{ClientAddress, Requester},
    live::{LastRead, Mail},
};

/// Runs a conversation to its end.
pub(super) async fn converse<F: Transport>(
    frames: F,
    sockets: Arc<Sockets>,
    address: ClientAddress,
    last_read: LastRead,
    id: SocketId,
) -> Ending {
    let mut request_id = RequestId { socket: id, message: 0 };
    let mut socket = Socket::new(frames, &sockets);
    let ending =
        match (Silent { socket: &mut socket, sockets: &sockets, address, request_id: &mut request_id })
            .hello()
            .await
        {
            Ok(client) => {
                let mut ready =
                    Ready { socket: &mut socket, client, last_read, request_id, refused_in_a_row: 0 };
                let ending = ready.talk().await;
                // Other watchers of its matches learn at once that the client has left; the close handshake may take
                // a while.
                drop(ready);
                ending
            }
            Err(ending) => ending,
        };
    socket.finish(ending).await;
    ending
}

/// A client before `hello`.
struct Silent<'a, F> {
    socket: &'a mut Socket<F>,
    sockets: &'a Arc<Sockets>,
    address: ClientAddress,
    request_id: &'a mut RequestId,
}

impl<F: Transport> Silent<'_, F> {
    /// Waits for `hello`. Refuses everything else until then.
    async fn hello(self) -> Result<Box<Client>, Ending> {
        let closing = self.socket.closing();
        tokio::select! {
            biased;
            () = closing.cancelled() => Err(Ending::Stopping),
            () = sleep(HELLO_WITHIN) => Err(Ending::NoHello),
            client = Box::pin(self.greeted()) => client,
        }
    }

    fn admitted(&self, bytes: usize) -> Result<(), Problem> {
        let app = &self.sockets.app;
        app.admit_total(self.address, None)?;
        app.admit(Requester::Address(self.address.0), bytes)
    }

    async fn greeted(self) -> Result<Box<Client>, Ending> {
        loop {
            let text = self.socket.next().await?;
            self.request_id.message += 1;
            let (re, greeted) = match self.admitted(text.len()) {
                Err(problem) => (ClientMessage::read_id(&text), Err(problem)),
                Ok(()) => match ClientMessage::read(&text) {
                    Ok(ClientMessage { id, op }) => (Some(id), greet(self.sockets, self.address, op).await),
                    Err((id, why)) => (id, Err(unreadable(&why))),
                },
            };
            match greeted {
                Ok((client, hello)) => {
                    self.socket.send(reply(*self.request_id, re, Ok(hello))).await?;
                    return Ok(client);
                }
                Err(problem) => self.socket.send(reply(*self.request_id, re, Err(problem))).await?,
            }
        }
    }
}

async fn greet(
    sockets: &Arc<Sockets>,
    address: ClientAddress,
    op: Op,
) -> Result<(Box<Client>, Bytes), Problem> {
    let Op::Hello(hello) = op else { return Err(Code::HelloRequired.into()) };
    let (client, hello) = Client::greet(sockets, address, hello.token).await?;
    Ok((Box::new(client), written(&hello)?))
}

/// A client after `hello`.
struct Ready<'a, F> {
    socket: &'a mut Socket<F>,
    client: Box<Client>,
    /// When the connection last read bytes.
    last_read: LastRead,
    /// The id of the latest message.
    request_id: RequestId,
    /// The number of requests in a row that exceeded the rate limit.
    refused_in_a_row: u32,
}

impl<F: Transport> Ready<'_, F> {
    /// Responds and pushes until the conversation ends.
    ///
    /// The loop does one thing at a time: while the network does not accept a message, nothing is read. Pushed
    /// messages are sent only as far as the client's window allows, so that the requests of a slow reader are still
    /// answered.
    async fn talk(&mut self) -> Ending {
        match self.exchange().await {
            Ok(never) => match never {},
            Err(ending) => ending,
        }
    }

    async fn exchange(&mut self) -> Result<std::convert::Infallible, Ending> {
        let closing = self.socket.closing();
        let mailbox = Arc::clone(&self.client.mailbox);
        let mut ping = interval_at(Instant::now() + PING_EVERY, PING_EVERY);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        // Created once: all sockets wait for the same token.
        let mut closed = pin!(closing.cancelled());
        loop {
            // The order of the arms:
            // 1. Stopping and the rare tick, so that nothing delays them without end.
            // 2. Requests, whose rate is limited, so that no turn waits until a long match is read.
            // 3. Mail, and a first batch for it. If the window is full it stays in the mailbox, except a doubt about the
            //    token.
            // 4. A batch for another of the matches that are behind. If the window is full its events stay in the journal.
            // 5. When nothing is left to do, sending the buffer.
            // No arm loses anything when another one wins.
            let room = self.socket.room();
            tokio::select! {
                biased;
                () = &mut closed => return Err(Ending::Stopping),
                _ = ping.tick() => self.keep_alive().await?,
                heard = self.socket.heard() => if let Some(text) = heard? {
                    self.request(&text).await?;
                },
                mail = mailbox.take_what(room.is_some()) => {
                    self.push(mail).await?;
                    self.catch_up().await?;
                }
                () = ready(()), if room.is_some() && self.client.watches.is_behind() => self.catch_up().await?,
                () = ready(()), if self.socket.has_unsent() => self.socket.flush().await?,
            }
        }
    }

    /// Responds to a request. Requests are carried out one at a time, in order.
    async fn request(&mut self, text: &str) -> Result<(), Ending> {
        self.request_id.message += 1;
        // Before any look-up: from here on deadlines wait for it.
        let arrived = self.client.sockets.app.live().arrived(&self.last_read, None).over_socket();
        // Earlier responses do not wait for this one.
        self.socket.flush().await?;
        self.client.token_for_request().await?;
        if let Err(problem) = self.client.admit(text.len()) {
            self.refused_in_a_row += 1;
            if self.refused_in_a_row > REFUSED_IN_A_ROW_MAX {
                return Err(Ending::Flood);
            }
            // Above the rate limit, only the request's id is read.
            let refusal = reply(self.request_id, ClientMessage::read_id(text), Err(problem));
            return self.socket.put([refusal]).await;
        }
        self.refused_in_a_row = 0;
        let reply = match ClientMessage::read(text) {
            // Boxed, so that an idle socket reserves no memory for the largest operation.
            Ok(ClientMessage { id, op }) => {
                Box::pin(self.client.carry_out(id, op, arrived, self.request_id)).await
            }
            Err((id, why)) => reply(self.request_id, id, Err(unreadable(&why))),
        };
        self.socket.put([reply]).await
    }

    /// Puts the new notices into the buffer, and marks the matches that have advanced.
    async fn push(&mut self, mut mail: Mail) -> Result<(), Ending> {
        if mail.is_doubted {
            // Messages in the buffer do not wait for the look-up.
            self.socket.flush().await?;
            self.client.token_now().await?;
        }
        for id in mem::take(&mut mail.advanced) {
            self.client.watches.mark(id);
        }
        if mail.notices.is_empty() && !mail.has_dropped {
            return Ok(());
        }
        let notices = Box::pin(self.client.notices(mail)).await?;
        self.socket.put(notices).await
    }

    /// Puts a batch of events of one match into the buffer, as many as the window allows.
    async fn catch_up(&mut self) -> Result<(), Ending> {
        let Some(room) = self.socket.room().filter(|_| self.client.watches.is_behind()) else {
            return Ok(());
        };
        let (batch, turn) = Box::pin(self.client.next_batch(room)).await?;
        self.socket.put(batch).await?;
        if let Some(turn) = turn {
            self.socket.time(turn, self.client.sockets.secret()).await?;
        }
        Ok(())
    }

    /// Checks that the client still answers and that its token is valid, and sends it the time.
    async fn keep_alive(&mut self) -> Result<(), Ending> {
        if self.socket.is_silent() {
            return Err(Ending::Silent);
        }
        self.client.token_for_listening().await?;
        self.socket.ping().await?;
        let time = Notice::Time { server_time: self.client.sockets.app.live().now() };
        self.socket.put([text(time.to_json())]).await
    }
}
