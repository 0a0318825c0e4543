//! Analyses: one for each match.

use std::sync::Arc;

use lusoria_store::{KeptAnalysis, Store};

use super::{match_id, new_match, on_all_stores};

on_all_stores!(an_analysis_is_kept_until_another_comes, an_analysis_needs_a_match);

pub(super) fn analysis(engine: u32) -> KeptAnalysis {
    KeptAnalysis { engine: format!("engine {engine}"), body: format!(r#"[{{"game": {engine}}}]"#) }
}

async fn an_analysis_is_kept_until_another_comes(store: Arc<Store>) {
    for n in [1, 2] {
        store.create(new_match(n)).await.expect("created");
    }
    assert_eq!(store.analysis(match_id(1)).await.expect("read"), None);
    for engine in [1, 2] {
        assert!(store.keep_analysis(match_id(1), analysis(engine)).await.expect("written"));
        assert_eq!(store.analysis(match_id(1)).await.expect("read"), Some(analysis(engine)));
    }
    assert_eq!(store.analysis(match_id(2)).await.expect("read"), None, "it is of another match");
}

async fn an_analysis_needs_a_match(store: Arc<Store>) {
    assert!(!store.keep_analysis(match_id(1), analysis(1)).await.expect("written"));
    assert_eq!(store.analysis(match_id(1)).await.expect("read"), None);
}
