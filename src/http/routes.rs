//! The routes of the API. Each file here lists its own with [`routes!`]; an endpoint needs nothing more, except its
//! line in `app::access`.

use axum::{
    Router,
    extract::DefaultBodyLimit,
    handler::Handler,
    http::Method,
    middleware::from_fn,
    routing::{MethodFilter, on},
};

use super::{Http, extract::SENT_RECORD_BYTES_MAX, layers::answer_in_json};
use crate::app::Operation;

/// The path of the API.
pub(super) const BASE: &str = "/api/v1";

/// Routes of the API, by the form of their responses and bodies, each with its operation.
#[derive(Default)]
pub(super) struct Routes {
    /// Routes that respond in JSON.
    pub(super) json: Router<Http>,
    /// Routes that respond in JSON and accept whole records.
    pub(super) sent: Router<Http>,
    /// Routes that respond in several forms, or in one other than JSON.
    pub(super) forms: Router<Http>,
    /// Each route with its path below [`BASE`].
    pub(super) operations: Vec<(&'static str, Method, Operation)>,
    /// The descriptions of the handlers.
    #[cfg(test)]
    pub(super) described: utoipa_axum::router::OpenApiRouter<Http>,
}

impl Routes {
    pub(super) fn add<H, T>(
        &mut self,
        form: fn(&mut Self) -> &mut Router<Http>,
        (operation, method, path): (Operation, Method, &'static str),
        handler: H,
    ) where
        H: Handler<T, Http>,
        T: 'static,
    {
        let filter = MethodFilter::try_from(method.clone()).expect("a method that routes know");
        let router = form(self);
        *router = std::mem::take(router).route(path, on(filter, handler));
        self.operations.push((path, method, operation));
    }

    #[cfg(test)]
    pub(super) fn describe(&mut self, described: utoipa_axum::router::UtoipaMethodRouter<Http>) {
        self.described = std::mem::take(&mut self.described).routes(described);
    }

    /// Adds the routes of another file.
    pub(super) fn with(self, more: Self) -> Self {
        Self {
            json: self.json.merge(more.json),
            sent: self.sent.merge(more.sent),
            forms: self.forms.merge(more.forms),
            operations: [self.operations, more.operations].concat(),
            #[cfg(test)]
            described: self.described.merge(more.described),
        }
    }

    /// All routes, below [`BASE`].
    pub(super) fn into_router(self, http: &Http) -> Router {
        let sent = self.sent.layer(DefaultBodyLimit::max(SENT_RECORD_BYTES_MAX));
        let json = self.json.merge(sent).route_layer(from_fn(answer_in_json));
        Router::new().nest(BASE, json.merge(self.forms).with_state(http.clone()))
    }
}

/// Lists the routes of a file: `json { Operation: METHOD "/path" => handler, }`, likewise `sent` and `forms`, as in
/// [`Routes`].
macro_rules! routes {
    ($($form:ident { $($operation:ident: $method:ident $path:literal => $handler:ident,)+ })+) => {
        /// The routes of this file.
        pub(super) fn routes() -> crate::http::routes::Routes {
            let mut routes = crate::http::routes::Routes::default();
            $($({
                let operation = (crate::app::Operation::$operation, axum::http::Method::$method, $path);
                routes.add(|routes| &mut routes.$form, operation, $handler);
                #[cfg(test)]
                routes.describe(utoipa_axum::routes!($handler));
            })+)+
            routes
        }
    };
}
