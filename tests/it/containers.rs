//! What the files for containers promise.

use std::net::Ipv4Addr;

use lusoria::config::Network;

const DOCKERFILE: &str = include_str!("../../Dockerfile");
const COMPOSE: [&str; 2] =
    [include_str!("../../docker-compose.yml"), include_str!("../../docker-compose.cluster.yml")];

/// The values of a key, or what follows an instruction.
fn values<'a>(text: &'a str, key: &'a str) -> impl Iterator<Item = &'a str> {
    text.lines().filter_map(move |line| line.trim().strip_prefix(key)).map(str::trim)
}

#[test]
fn the_versions_of_images_are_pinned() {
    let used = COMPOSE.into_iter().flat_map(|text| values(text, "image:")).chain(values(DOCKERFILE, "FROM "));
    for image in used.filter(|image| *image != "lusoria-node") {
        let (_, tag) = image.split_once(':').expect("a tag");
        // Every version in full has as many, and a date has eight.
        assert!(tag.bytes().filter(u8::is_ascii_digit).count() >= 4, "{image}");
    }
}

#[test]
fn no_password_is_empty() {
    let used: Vec<&str> = COMPOSE.into_iter().flat_map(|text| text.split("_PASSWORD").skip(1)).collect();
    let in_braces: Vec<&&str> = used.iter().filter(|rest| rest.starts_with([':', '-', '}', '?'])).collect();
    assert!(in_braces.iter().any(|rest| rest.starts_with(":?")), "{used:?}");
    for rest in in_braces {
        // `NATS_PASSWORD: ` names it for a container.
        assert!(rest.starts_with(":?") || rest.starts_with(": "), "{rest}");
    }
}

#[test]
fn one_address_is_trusted_which_only_the_proxy_has() {
    for text in COMPOSE {
        let one = |key| values(text, key).next().expect(key);
        let proxy: Ipv4Addr = one("LUSORIA_TRUSTED_PROXY:").parse().expect("an address");
        assert_eq!(values(text, "ipv4_address:").collect::<Vec<_>>(), [proxy.to_string()]);
        let given_out: Network = one("ip_range:").parse().expect("a network");
        let all: Network = one("- subnet:").parse().expect("a network");
        assert!(all.contains(proxy.into()) && !given_out.contains(proxy.into()));
        assert_ne!(one("gateway:"), proxy.to_string());
    }
}
