//! The formats of the types that have a schema here. Others say nothing: whether a text is an e-mail
//! address, say, is for the type that reads it.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    sync::LazyLock,
};

use regex_lite::Regex;

/// What was expected, if a text is not of a format.
pub(super) fn misses(text: &str, format: &str) -> Option<&'static str> {
    let (fits, what) = match format {
        "ip" => (text.parse::<IpAddr>().is_ok(), "an IP address"),
        "ipv4" => (text.parse::<Ipv4Addr>().is_ok(), "an IPv4 address"),
        "ipv6" => (text.parse::<Ipv6Addr>().is_ok(), "an IPv6 address"),
        "uuid" => (
            shape(&UUID, text),
            "a UUID such as 67e55044-10b1-426f-9247-bb680e5fe0c8",
        ),
        "uri" => (
            shape(&URI, text),
            "an absolute URL such as https://example.com/a",
        ),
        "date" => (shape(&DATE, text), "a date such as 2026-01-31"),
        "date-time" => (
            shape(&DATE_TIME, text),
            "a date and time such as 2026-01-31T09:30:00Z",
        ),
        "partial-time" => (shape(&TIME, text), "a time such as 09:30:00"),
        "partial-date-time" => (
            shape(&LOCAL, text),
            "a date and time without an offset such as 2026-01-31T09:30:00",
        ),
        _ => return None,
    };
    (!fits).then_some(what)
}

type Shape = LazyLock<Option<Regex>>;

// Whether a day exists is for the type that reads it.
static UUID: Shape =
    LazyLock::new(|| regex("^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$"));
static URI: Shape = LazyLock::new(|| regex("^[A-Za-z][A-Za-z0-9+.-]*:[!-~]*$"));
static DATE: Shape = LazyLock::new(|| regex(r"^\d{4}-\d\d-\d\d$"));
static TIME: Shape = LazyLock::new(|| regex(r"^\d\d:\d\d:\d\d(\.\d+)?$"));
static LOCAL: Shape = LazyLock::new(|| regex(r"^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?$"));
static DATE_TIME: Shape =
    LazyLock::new(|| regex(r"^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$"));

fn regex(pattern: &str) -> Option<Regex> {
    Regex::new(pattern).ok()
}

fn shape(shape: &Shape, text: &str) -> bool {
    shape.as_ref().is_none_or(|shape| shape.is_match(text))
}

#[cfg(test)]
mod tests {
    use super::misses;

    #[test]
    fn shapes_are_told_apart() {
        for (format, good, bad) in [
            ("ipv4", "192.0.2.1", "01.2.3.4"),
            ("ipv6", "::1", "192.0.2.1"),
            (
                "uuid",
                "67e55044-10b1-426f-9247-bb680e5fe0c8",
                "67e5504410b1426f9247bb680e5fe0c8",
            ),
            ("uri", "https://example.com/a", "example.com"),
            ("date", "2026-01-31", "31.1.2026"),
            (
                "date-time",
                "2026-01-31T09:30:00.5+01:00",
                "2026-01-31 09:30:00",
            ),
            ("partial-time", "09:30:00", "9:30"),
            (
                "partial-date-time",
                "2026-01-31T09:30:00",
                "2026-01-31T09:30:00Z",
            ),
        ] {
            assert_eq!(misses(good, format), None, "{format}");
            assert!(misses(bad, format).is_some(), "{format}");
        }
        assert_eq!(misses("anything", "email"), None);
    }
}
