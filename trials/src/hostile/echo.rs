//! The echo port that every flood is compared with: it returns what it receives, at the least cost and
//! without limits.

use std::{
    io::{self, BufRead, BufReader},
    net::SocketAddr,
    process::{Child, Command, Stdio},
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

/// Echoes until the process or its parent ends: then standard input ends.
///
/// # Errors
/// If no port is free.
pub async fn echo() -> Result<bool, String> {
    let listener = TcpListener::bind("127.0.0.1:0").await.map_err(|error| error.to_string())?;
    println!("{}", listener.local_addr().map_err(|error| error.to_string())?);
    let mut input = tokio::io::stdin();
    let mut nothing = [0];
    loop {
        tokio::select! {
            accepted = listener.accept() => if let Ok((stream, _)) = accepted {
                tokio::spawn(send_back(stream));
            },
            _ = input.read(&mut nothing) => return Ok(true),
        }
    }
}

async fn send_back(mut stream: TcpStream) {
    let mut buffer = vec![0; 8 * 1024];
    while let Ok(count @ 1..) = stream.read(&mut buffer).await {
        if stream.write_all(&buffer[..count]).await.is_err() {
            return;
        }
    }
}

/// An echo port in a process of its own. Dropping it ends the process.
pub(super) struct Echo {
    child: Child,
    pub(super) address: SocketAddr,
}

impl Echo {
    pub(super) fn start() -> io::Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        let mut child = command.arg("hostile-echo").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("it is piped")).read_line(&mut line)?;
        let address = line.trim().parse().map_err(|_| io::Error::other("the echo port prints no address"))?;
        Ok(Self { child, address })
    }
}

impl Drop for Echo {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
