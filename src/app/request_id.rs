//! The id of the request that is being answered: a problem names it, and so does the line of
//! the log.

tokio::task_local! {
    static REQUEST: String;
}

/// Answers a request of that id.
pub(crate) async fn within_request<F: Future>(id: String, answer: F) -> F::Output {
    REQUEST.scope(id, answer).await
}

/// The id of the request that is being answered; none outside of one.
pub(crate) fn request_id() -> Option<String> {
    REQUEST.try_with(Clone::clone).ok()
}
