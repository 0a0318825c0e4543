//! The way in for whoever runs the server: a Unix socket beside the database, which the
//! owner of the file alone may open. `lusoria admin` speaks through it.

#[cfg(unix)]
pub(super) use unix::Door;

use std::path::{Path, PathBuf};

/// How a command that was carried out, or not, is answered.
pub(super) type Answer = Result<crate::app::admin::Done, String>;

/// Where the socket is if nothing is said.
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

    use super::Answer;
    use crate::app::{App, admin::Act};

    /// The socket; its file is removed when this is dropped.
    pub(in crate::server) struct Door {
        path: PathBuf,
        listener: Option<UnixListener>,
    }

    impl Door {
        /// Opens it. To be called by whoever holds the lock of the database: a socket that
        /// nobody answers is one that was left behind.
        ///
        /// # Errors
        /// If it cannot be made, somebody answers there, or there is something else.
        pub(in crate::server) fn open(path: &Path) -> io::Result<Self> {
            match fs::symlink_metadata(path) {
                Ok(found) if found.file_type().is_socket() => {
                    if UnixStream::connect(path).is_ok() {
                        return Err(io::Error::new(io::ErrorKind::AddrInUse, "another server listens there"));
                    }
                    fs::remove_file(path)?;
                }
                Ok(_) => {
                    return Err(io::Error::new(io::ErrorKind::AlreadyExists, "there is a file of that name"));
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
            let listener = for_the_owner_alone(|| UnixListener::bind(path))?;
            Ok(Self { path: path.to_owned(), listener: Some(listener) })
        }

        /// Carries out what is asked, until the server stops.
        pub(in crate::server) async fn serve(mut self, app: Arc<App>, stopping: CancellationToken) {
            let Some(listener) = self.listener.take() else { return };
            let router = Router::new().route("/", post(carry_out)).with_state(app);
            let served =
                axum::serve(listener, router).with_graceful_shutdown(stopping.cancelled_owned()).await;
            if let Err(error) = served {
                tracing::error!(%error, "the administration is no longer served");
            }
        }
    }

    impl Drop for Door {
        fn drop(&mut self) {
            if let Err(error) = fs::remove_file(&self.path) {
                tracing::warn!(path = %self.path.display(), %error, "the admin socket is left");
            }
        }
    }

    /// Makes files that nobody else may open. The mask is that of the whole process; others
    /// that are made meanwhile only get fewer rights.
    fn for_the_owner_alone<T>(work: impl FnOnce() -> T) -> T {
        let before = rustix::process::umask(rustix::fs::Mode::from_bits_retain(0o177));
        let made = work();
        rustix::process::umask(before);
        made
    }

    async fn carry_out(State(app): State<Arc<App>>, Json(act): Json<Act>) -> Json<Answer> {
        // To the end, even if whoever asked does not wait.
        let done = tokio::spawn(async move { app.administer(act).await }).await;
        Json(match done {
            Ok(Ok(done)) => Ok(done),
            Ok(Err(refused)) => Err(refused.to_string()),
            Err(_) => Err("the server failed; its log says how".to_owned()),
        })
    }
}
