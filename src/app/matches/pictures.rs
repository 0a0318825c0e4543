//! Pictures of boards, drawn on the background pool one at a time, and cached.

use std::collections::VecDeque;

use bytes::Bytes;
use lusoria_picture::Picture;
use lusoria_protocol::Problem;
use parking_lot::Mutex;

use crate::app::{
    App, ClientAddress,
    limits::permits::{PICTURES_AT_ONCE, Permits},
    problem,
};

/// How many pictures are cached: each has some hundred kilobytes.
const PICTURES_KEPT: usize = 64;

/// Draws pictures, and caches the most recently requested.
pub(in crate::app) struct Pictures {
    permits: Permits,
    kept: Mutex<Kept>,
}

impl Pictures {
    pub(in crate::app) fn new(per_address_max: u32) -> Self {
        Self { permits: Permits::new(PICTURES_AT_ONCE, per_address_max), kept: Mutex::default() }
    }
}

impl App {
    /// The picture as a PNG file.
    ///
    /// # Errors
    /// `too_many_requests` if the address has too many waiting; `unavailable` if it takes too long.
    pub async fn drawn(&self, picture: Picture, address: ClientAddress) -> Result<Bytes, Problem> {
        let fingerprint = picture.fingerprint();
        if let Some(known) = self.pictures.kept.lock().find(&fingerprint) {
            return Ok(known);
        }
        let _permit = self.pictures.permits.acquire(address).await?;
        // Another request may have drawn the same picture while this one waited.
        if let Some(known) = self.pictures.kept.lock().find(&fingerprint) {
            return Ok(known);
        }
        let png =
            self.background.run(move || Bytes::from(picture.png())).await.ok_or_else(problem::internal)?;
        self.pictures.kept.lock().keep(fingerprint, png.clone());
        Ok(png)
    }
}

/// Pictures by their fingerprints, the most recently requested at the end.
#[derive(Default)]
struct Kept(VecDeque<(String, Bytes)>);

impl Kept {
    fn find(&mut self, fingerprint: &str) -> Option<Bytes> {
        let index = self.0.iter().position(|(known, _)| known == fingerprint)?;
        let found = self.0.remove(index)?;
        let png = found.1.clone();
        self.0.push_back(found);
        Some(png)
    }

    fn keep(&mut self, fingerprint: String, png: Bytes) {
        if self.0.len() == PICTURES_KEPT {
            self.0.pop_front();
        }
        self.0.push_back((fingerprint, png));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_most_recently_requested() {
        let mut kept = Kept::default();
        for number in 0..PICTURES_KEPT {
            kept.keep(number.to_string(), Bytes::from(number.to_string()));
        }
        assert_eq!(kept.find("0").as_deref(), Some(&b"0"[..]));
        kept.keep("new".to_owned(), Bytes::new());
        assert!(kept.find("0").is_some(), "it was asked for");
        assert!(kept.find("1").is_none(), "the least recently requested one is dropped");
        assert_eq!(kept.0.len(), PICTURES_KEPT);
    }
}
