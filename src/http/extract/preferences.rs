//! Weighted lists in headers, such as `gzip, br;q=0.5`.

use axum::http::{HeaderMap, HeaderName};

/// The items of a header in order, each with its weight: 0 (not accepted) to 1 (RFC 9110, 12.4.2). Items that are not
/// text are left out.
pub(in crate::http) fn preferences(headers: &HeaderMap, name: HeaderName) -> Vec<(&str, f32)> {
    let values = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).filter_map(preference).collect()
}

fn preference(item: &str) -> Option<(&str, f32)> {
    let mut parts = item.split(';').map(str::trim);
    let what = parts.next().filter(|what| !what.is_empty())?;
    let weight = parts.find_map(|parameter| parameter.strip_prefix("q=").or(parameter.strip_prefix("Q=")));
    let weight = weight.and_then(|weight| weight.parse().ok()).filter(|weight| (0.0..=1.0).contains(weight));
    Some((what, weight.unwrap_or(1.0)))
}

#[cfg(test)]
mod tests {
    use axum::http::header::ACCEPT_ENCODING;

    use super::*;

    #[test]
    fn weights_are_between_0_and_1() {
        for (value, expected) in [
            ("", vec![]),
            ("br", vec![("br", 1.0)]),
            (" gzip ; q=0.5 ,, br;Q=0", vec![("gzip", 0.5), ("br", 0.0)]),
            ("a;level=1;q=0.25", vec![("a", 0.25)]),
            ("a;q=7, b;q=nan, c;q=", vec![("a", 1.0), ("b", 1.0), ("c", 1.0)]),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_ENCODING, value.parse().unwrap());
            assert_eq!(preferences(&headers, ACCEPT_ENCODING), expected, "{value:?}");
        }
    }
}
