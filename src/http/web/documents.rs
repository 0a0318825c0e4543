//! The documents of a server: made when they are first asked for, and anew when the files have changed.

use std::{collections::BTreeMap, sync::Arc};

use parking_lot::Mutex;

use super::{
    document::{Document, Frame, Page},
    head::Head,
    operator::Operator,
    site::Site,
};
use crate::config::Config;

/// The documents of a server, by what they show and their language.
pub(in crate::http) struct Documents {
    operator: Operator,
    made: Mutex<Made>,
}

/// Those that were asked for.
#[derive(Default)]
struct Made {
    /// Of which files.
    site: Option<Arc<Site>>,
    documents: BTreeMap<(Page, String), Arc<Document>>,
    frames: BTreeMap<(Page, String), Arc<Frame>>,
}

impl Documents {
    /// Of a server with this configuration. None has been made yet.
    pub(in crate::http) fn of(config: &Config) -> Self {
        Self { operator: Operator::of(config), made: Mutex::default() }
    }

    /// What documents say of their server.
    pub(super) fn operator(&self) -> &Operator {
        &self.operator
    }

    /// A document that is the same for everybody.
    pub(super) fn document(&self, site: &Arc<Site>, page: Page, language: &str) -> Arc<Document> {
        let key = (page, language.to_owned());
        if let Some(made) = self.made.lock().of(site).documents.get(&key) {
            return Arc::clone(made);
        }
        let document = Arc::new(self.with_head(site, page, &page.head(site, language), language));
        Arc::clone(self.made.lock().of(site).documents.entry(key).or_insert(document))
    }

    /// A document with a head of its own. It is made anew each time, of a frame that is kept.
    pub(super) fn with_head(&self, site: &Arc<Site>, page: Page, head: &Head, language: &str) -> Document {
        self.frame(site, page, language).with(site, head, &self.operator, language)
    }

    fn frame(&self, site: &Arc<Site>, page: Page, language: &str) -> Arc<Frame> {
        let mut made = self.made.lock();
        let frame = made.of(site).frames.entry((page, language.to_owned()));
        Arc::clone(frame.or_insert_with(|| Arc::new(Frame::of(site, page, &self.operator, language))))
    }
}

impl Made {
    /// What was made of these files; nothing yet if they are others.
    fn of(&mut self, site: &Arc<Site>) -> &mut Self {
        if !self.site.as_ref().is_some_and(|known| Arc::ptr_eq(known, site)) {
            *self = Self { site: Some(Arc::clone(site)), ..Self::default() };
        }
        self
    }
}
