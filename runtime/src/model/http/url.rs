//! Addresses of services.

/// Base URLs are given with and without the version that the path begins with.
pub(super) fn join(base: &str, path: &str) -> String {
    let base = ["/v1", "/v1beta"]
        .iter()
        .find(|version| base.ends_with(**version) && path.starts_with(&format!("{version}/")))
        .and_then(|version| base.strip_suffix(version))
        .unwrap_or(base);
    format!("{base}{path}")
}

/// A URL without user and password.
pub(super) fn without_user(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else {
        return url.to_owned();
    };
    let end = rest.find('/').unwrap_or(rest.len());
    let (host, path) = rest.split_at(end);
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    format!("{scheme}://{host}{path}")
}

#[cfg(test)]
mod tests {
    use super::{join, without_user};

    #[test]
    fn a_version_is_not_written_twice() {
        assert_eq!(
            join("https://a/v1", "/v1/messages"),
            "https://a/v1/messages"
        );
        assert_eq!(join("https://a", "/v1/messages"), "https://a/v1/messages");
        assert_eq!(
            join("https://a/v1", "/chat/completions"),
            "https://a/v1/chat/completions"
        );
        assert_eq!(without_user("http://me:pw@host:1/a@b"), "http://host:1/a@b");
    }
}
