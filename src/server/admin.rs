//! The admin socket: a Unix socket beside the database that only the file's owner may open.
//! `lusoria admin` connects to it.

#[cfg(unix)]
pub(super) use unix::AdminSocket;

use std::path::{Path, PathBuf};

/// The response to an admin request.
pub(super) type AdminResponse = Result<crate::app::admin::AdminOutcome, String>;

/// The default path of the socket.
pub fn socket_path(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(".admin");
    name.into()
}

#[cfg(unix)]
mod unix {
    use std::{
        fs, io,
        os::unix::{fs::FileTypeExt, net::UnixStream},
        path::{Path, PathBuf},
        sync::Arc,
    };

    use axum::{Json, Router, extract::State, routing::post};
    use tokio::net::UnixListener;
    use tokio_util::sync::CancellationToken;

    use super::AdminResponse;
    use crate::app::{App, admin::AdminAction};

    /// The socket; its file is removed when this is dropped.
    pub(in crate::server) struct AdminSocket {
        path: PathBuf,
        listener: Option<UnixListener>,
    }

    impl AdminSocket {
        /// Binds the socket. The caller must hold the lock of the database, so that an existing socket
        /// without a listener is a leftover.
        ///
        /// # Errors
        /// If it cannot be bound, another process listens on it, or another file has its name.
        pub(in crate::server) fn open(path: &Path) -> io::Result<Self> {
            match fs::symlink_metadata(path) {
                Ok(found) if found.file_type().is_socket() => {
                    if UnixStream::connect(path).is_ok() {
                        return Err(io::Error::new(io::ErrorKind::AddrInUse, "another server listens there"));
                    }
                    fs::remove_file(path)?;
                }
                Ok(_) => {
                    return Err(io::Error::new(io::ErrorKind::AlreadyExists, "another file has that name"));
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
            let listener = for_the_owner_alone(|| UnixListener::bind(path))?;
            Ok(Self { path: path.to_owned(), listener: Some(listener) })
        }

        /// Handles requests until the server stops.
        pub(in crate::server) async fn serve(mut self, app: Arc<App>, stopping: CancellationToken) {
            let Some(listener) = self.listener.take() else { return };
            let router = Router::new().route("/", post(carry_out)).with_state(app);
            let served =
                axum::serve(listener, router).with_graceful_shutdown(stopping.cancelled_owned()).await;
            if let Err(error) = served {
                tracing::error!(%error, "the admin socket failed; \"lusoria admin\" cannot reach this server until it is restarted");
            }
        }
    }

    impl Drop for AdminSocket {
        fn drop(&mut self) {
            if let Err(error) = fs::remove_file(&self.path) {
                tracing::warn!(path = %self.path.display(), %error, "could not remove the admin socket");
            }
        }
    }

    /// Creates files that only the owner may open. The mask applies to the whole process; other files created
    /// meanwhile only get fewer permissions.
    fn for_the_owner_alone<T>(work: impl FnOnce() -> T) -> T {
        let before = rustix::process::umask(rustix::fs::Mode::from_bits_retain(0o177));
        let made = work();
        rustix::process::umask(before);
        made
    }

    async fn carry_out(State(app): State<Arc<App>>, Json(act): Json<AdminAction>) -> Json<AdminResponse> {
        // Finished even if the client disconnects.
        let done = tokio::spawn(async move { app.administer(act).await }).await;
        Json(match done {
            Ok(Ok(done)) => Ok(done),
            Ok(Err(refused)) => Err(refused.to_string()),
            Err(_) => Err("the server failed; see its log".to_owned()),
        })
    }
}
