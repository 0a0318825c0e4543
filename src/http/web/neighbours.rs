//! The files of the pages of other releases, which neighbouring nodes serve.
//!
//! A document of one release may send a browser to a node of another one for its files. Each node stores those of its
//! own page in the shared database, and serves there those of others.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use tokio::{sync::Mutex, time::Instant};

use super::{kind::Kind, packed::Packed, site::Site};
use crate::app::App;

/// How often the stored pages are listed, however many hashes are requested.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// A page by the names of its files.
pub(super) type Page = Arc<BTreeMap<String, Packed>>;

/// The pages of other releases, each read at its first request.
#[derive(Default)]
pub(in crate::http) struct Neighbours(Mutex<Known>);

#[derive(Default)]
struct Known {
    looked_at: Option<Instant>,
    pages: BTreeMap<String, Page>,
}

impl Neighbours {
    /// The page with this hash, if one of the recent releases has it.
    pub(super) async fn page(&self, app: &App, hash: &str) -> Option<Page> {
        let mut known = self.0.lock().await;
        let may_look = known.looked_at.is_none_or(|at| at.elapsed() >= LOOK_EVERY);
        if !known.pages.contains_key(hash) && may_look {
            known.looked_at = Some(Instant::now());
            known.look(app, Site::now().hash()).await;
        }
        known.pages.get(hash).map(Arc::clone)
    }
}

impl Known {
    /// Reads new pages, and forgets removed ones.
    async fn look(&mut self, app: &App, own: &str) {
        // Without the database the known pages remain.
        let Ok(hashes) = app.kept_pages().await else { return };
        self.pages.retain(|hash, _| hashes.contains(hash));
        for hash in hashes.into_iter().filter(|hash| hash != own) {
            if self.pages.contains_key(&hash) {
                continue;
            }
            let Ok(files) = app.kept_page(hash.clone()).await else { return };
            let packed = files.into_iter().filter_map(|(name, content)| {
                let packed = Packed::new(Kind::of(&name)?, content);
                Some((name, packed))
            });
            self.pages.insert(hash, Arc::new(packed.collect()));
        }
    }
}

/// The page of this release: the hash of its files, and each of them.
pub(in crate::http) fn own_page() -> (String, Vec<(String, Vec<u8>)>) {
    let site = Site::now();
    let files = site.files().map(|(name, file)| (name.to_owned(), file.plain().to_vec())).collect();
    (site.hash().to_owned(), files)
}
