//! The response where there is nothing: programs get a problem, browsers a page.

use axum::{
    extract::{Request, State},
    http::{Method, StatusCode, header},
    middleware::Next,
    response::Response,
};

use super::{
    address::Reader,
    document::{ForFrames, Page},
    text::Text,
};
use crate::http::{Http, error::PROBLEM_JSON, extract::prefers_pages};

/// Addresses that only programs request.
const FOR_PROGRAMS: [&str; 2] = ["/api/", "/assets/"];

/// Shows people a page, instead of a problem, at an address where there is nothing.
pub(in crate::http) async fn page_for_people(
    State(http): State<Http>,
    request: Request,
    next: Next,
) -> Response {
    let path = request.uri().path();
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    let for_people = is_read && !FOR_PROGRAMS.iter().any(|start| path.starts_with(start));
    if !for_people || !prefers_pages(request.headers()) {
        return next.run(request).await;
    }
    let missing = if path.starts_with("/match/") {
        Page::Text(Text::NoMatch)
    } else if path.strip_prefix("/embed/match/").is_some_and(|id| !id.contains('/')) {
        // The frame that was to show a match says so.
        Page::Embed
    } else {
        Page::Text(Text::NoPage)
    };
    let reader = Reader::of(&http.documents, request.uri(), request.headers());
    let told = next.run(request).await;
    let is_problem = told.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == PROBLEM_JSON);
    if !is_problem || !matches!(told.status(), StatusCode::NOT_FOUND | StatusCode::BAD_REQUEST) {
        return told;
    }
    let mut page = reader.gets_with(StatusCode::NOT_FOUND, missing);
    let is_for_frames = page.extensions().get::<ForFrames>().is_some();
    // The headers around every response; where both have one, the page's own wins.
    for (name, value) in told.headers() {
        let is_of_problem =
            *name == header::CONTENT_LENGTH || (*name == header::X_FRAME_OPTIONS && is_for_frames);
        if !is_of_problem && !page.headers().contains_key(name) {
            page.headers_mut().insert(name, value.clone());
        }
    }
    page
}
