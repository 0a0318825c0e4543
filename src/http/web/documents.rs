//! The documents of a server: made at the first request, and again when the files have changed.

use std::{collections::BTreeMap, sync::Arc};

use parking_lot::Mutex;

use super::{
    document::{Document, Frame, Page},
    head::Head,
    operator::Operator,
    site::Site,
};
use crate::config::Config;

/// The documents of a server, by kind and language.
pub(in crate::http) struct Documents {
    operator: Operator,
    made: Mutex<Made>,
}

/// The documents requested so far.
#[derive(Default)]
struct Made {
    /// The files from which they were made.
    site: Option<Arc<Site>>,
    documents: BTreeMap<(Page, String), Arc<Document>>,
    frames: BTreeMap<(Page, String), Arc<Frame>>,
}

impl Documents {
    /// For a server with this configuration. None has been made yet.
    pub(in crate::http) fn of(config: &Config) -> Self {
        Self { operator: Operator::of(config), made: Mutex::default() }
    }

    /// The operator's data that documents show.
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

    /// A document with a head of its own. It is made for each request, from a stored frame.
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
    /// The documents made from these files; none yet if the files are others.
    fn of(&mut self, site: &Arc<Site>) -> &mut Self {
        if !self.site.as_ref().is_some_and(|known| Arc::ptr_eq(known, site)) {
            *self = Self { site: Some(Arc::clone(site)), ..Self::default() };
        }
        self
    }
}
