//! The id of the present request. Problems and log lines name it.

tokio::task_local! {
    static REQUEST: String;
}

/// Runs the handler of a request with that id.
pub(crate) async fn within_request<F: Future>(id: String, answer: F) -> F::Output {
    REQUEST.scope(id, answer).await
}

/// The id of the present request; none outside of one.
pub(crate) fn request_id() -> Option<String> {
    REQUEST.try_with(Clone::clone).ok()
}
