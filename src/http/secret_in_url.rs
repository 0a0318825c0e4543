//! Refuses secrets in URLs, because histories, proxies and logs store them.

use axum::{
    extract::{Query, Request},
    http::Uri,
    middleware::Next,
    response::{IntoResponse, Response},
};
use lusoria_protocol::{Code, Problem};

use super::error::Failure;

/// Parameters with secret values, by their usual names.
const SECRETS: [&str; 9] = [
    "access_token",
    "authorization",
    "code",
    "new_password",
    "passkey",
    "password",
    "recovery_code",
    "sign_up_code",
    "token",
];

/// Refuses a request with a secret in its query: its client has to learn that the secret is exposed.
pub(super) async fn refuse(request: Request, next: Next) -> Response {
    match secret(request.uri()) {
        None => next.run(request).await,
        Some(name) => {
            let detail = format!(
                "{name}: servers and proxies on the way keep URLs; send it in the body, a token in the header \
                 Authorization, and replace this one"
            );
            Failure(Problem::new(Code::SecretInUrl, detail)).into_response()
        }
    }
}

/// The first parameter of a query that is a secret.
fn secret(address: &Uri) -> Option<&'static str> {
    let Query(pairs) = Query::<Vec<(String, String)>>::try_from_uri(address).ok()?;
    pairs.iter().find_map(|(name, _)| SECRETS.into_iter().find(|secret| secret.eq_ignore_ascii_case(name)))
}

#[cfg(test)]
mod tests {
    use super::{Uri, secret};

    #[test]
    fn secrets_are_known_by_their_names() {
        for (query, found) in [
            ("", None),
            ("limit=5&cursor=password", None),
            ("passwords=1", None),
            ("limit=5&Password=three+rolls", Some("password")),
            ("token", Some("token")),
            ("%74oken=x", Some("token")),
        ] {
            let address: Uri = format!("/api/v1/me?{query}").parse().expect("an address");
            assert_eq!(secret(&address), found, "{query}");
        }
    }
}
