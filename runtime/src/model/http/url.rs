//! Addresses of services.

use reqwest::Url;

use crate::protocol::plain;

/// Where a request goes. Base URLs are given with and without the version that the path begins
/// with, with the path itself, and with a query, which stays behind the path.
///
/// # Errors
/// The base is no address of a service; the error repeats nothing of it.
pub(super) fn join(base: &str, path: &str) -> Result<Url, String> {
    let (base, query) = match base.split_once('?') {
        Some((base, query)) => (base, Some(query)),
        None => (base, None),
    };
    let base = base.trim_end_matches('/');
    let (path, own_query) = match path.split_once('?') {
        Some((path, query)) => (path, Some(query)),
        None => (path, None),
    };
    let base = base.strip_suffix(path).unwrap_or(base);
    let base = ["/v1", "/v1beta"]
        .iter()
        .find(|version| base.ends_with(**version) && path.starts_with(&format!("{version}/")))
        .and_then(|version| base.strip_suffix(version))
        .unwrap_or(base);
    // The base alone has to name a host: the path must not become one.
    let mut url = Url::parse(base)
        .and_then(|_| Url::parse(&format!("{base}{path}")))
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https"))
        .ok_or("`base_url` is not a URL that begins with `http://` or `https://`")?;
    if url.fragment().is_some() {
        return Err("`base_url` has a `#`, which no service sees; leave it out".to_owned());
    }
    let queries: Vec<&str> = [query, own_query].into_iter().flatten().collect();
    if !queries.is_empty() {
        url.set_query(Some(&queries.join("&")));
    }
    Ok(url)
}

/// A URL without user, password and query.
pub(super) fn without_user(url: &str) -> String {
    let (scheme, rest) = match url.split_once("://") {
        Some((scheme, rest)) => (format!("{scheme}://"), rest),
        None => (String::new(), url),
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (host, path) = rest.split_at(end);
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    // A slash in a password: what looks like the host is the user.
    let port = host.rsplit_once(':').map_or("", |(_, port)| port);
    let (host, path) = match rest.rsplit_once('@') {
        Some((_, rest)) if port.contains(|c: char| !c.is_ascii_digit() && c != ']') => (rest, ""),
        _ => (host, path),
    };
    let seen = format!("{host}{path}");
    let seen = seen.split(['?', '#']).next().unwrap_or_default();
    format!("{scheme}{seen}")
}

/// The password in a URL, as it stands there and as it is meant.
pub(super) fn passwords(url: &str) -> Vec<String> {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let user = rest.rsplit_once('@').map(|(user, _)| user);
    let written = user.and_then(|user| user.split_once(':'));
    let Some((_, written)) = written.filter(|(_, password)| !password.is_empty()) else {
        return Vec::new();
    };
    vec![written.to_owned(), plain(written)]
}

/// What the query of a URL has under names that are those of secrets, as it stands there and as it is
/// meant.
pub(super) fn keys(url: &str) -> Vec<String> {
    const NAMES: [&str; 6] = ["key", "token", "sig", "secret", "pass", "auth"];
    let query = url.split_once('?').map_or("", |(_, query)| query);
    let query = query.split('#').next().unwrap_or_default();
    let members = query.split('&').filter_map(|member| member.split_once('='));
    let secret = members.filter(|(name, _)| {
        let name = name.to_ascii_lowercase();
        NAMES.iter().any(|part| name.contains(part))
    });
    secret
        .flat_map(|(_, value)| [value.to_owned(), plain(value)])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{join, keys, passwords, without_user};

    #[test]
    fn keys_in_a_query_are_secrets() {
        let url = "https://h/v1?api-version=2024-10-21&Api-Key=a%2Bb-secret&sig=x#token=none";
        assert_eq!(keys(url), ["a%2Bb-secret", "a+b-secret", "x", "x"]);
        assert!(keys("https://h/v1").is_empty());
    }

    #[test]
    fn a_path_stands_where_it_belongs_and_once() {
        let chat = "/chat/completions";
        for (base, path, whole) in [
            ("https://a/v1", "/v1/messages", "https://a/v1/messages"),
            ("https://a", "/v1/messages", "https://a/v1/messages"),
            ("https://a/v1", chat, "https://a/v1/chat/completions"),
            ("https://a/v1/", chat, "https://a/v1/chat/completions"),
            (
                "https://a/v1/chat/completions",
                chat,
                "https://a/v1/chat/completions",
            ),
            (
                "https://a/v1?api-version=2",
                chat,
                "https://a/v1/chat/completions?api-version=2",
            ),
            ("https://a?k=1", "/m:s?alt=sse", "https://a/m:s?k=1&alt=sse"),
        ] {
            assert_eq!(join(base, path).unwrap().as_str(), whole);
        }
        for wrong in [
            "127.0.0.1:80",
            "localhost:80",
            "https://a#b",
            "",
            "ftp://a",
            "https://",
        ] {
            let problem = join(wrong, "/x").unwrap_err();
            assert!(problem.contains("`base_url`"), "{problem}");
        }
    }

    #[test]
    fn what_is_shown_of_an_address_holds_no_secret() {
        for (url, shown) in [
            ("http://me:pw@host:1/a@b", "http://host:1/a@b"),
            ("http://[::1]:80/v1", "http://[::1]:80/v1"),
            ("me:pw@host:80", "host:80"),
            ("http://host:1?key=pw", "http://host:1"),
            ("http://host:1/a?key=pw#pw", "http://host:1/a"),
            ("http://me:p/w@host/v1", "http://host/v1"),
            ("http://me:p?w@host/v1", "http://host/v1"),
        ] {
            assert_eq!(without_user(url), shown);
        }
        assert_eq!(passwords("http://me:p%40w@host"), ["p%40w", "p@w"]);
        assert!(passwords("http://host:80/").is_empty());
    }
}
