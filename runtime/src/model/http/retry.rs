//! Whether and when a failed call is made again.

use std::{
    hash::{BuildHasher, Hasher, RandomState},
    time::{Duration, SystemTime},
};

use reqwest::header::HeaderMap;

use super::Retries;

/// Codes that say that waiting does not help.
const HOPELESS: [&str; 3] = [
    "insufficient_quota",
    "billing_error",
    "credit_balance_too_low",
];

/// Whether a provider that answered so may be asked again.
pub(super) fn is_worth_it(status: u16, headers: &HeaderMap, code: Option<&str>) -> bool {
    match header(headers, "x-should-retry") {
        Some(word) if word.eq_ignore_ascii_case("true") => return true,
        Some(word) if word.eq_ignore_ascii_case("false") => return false,
        _ => {}
    }
    let hopeless = code.is_some_and(|code| HOPELESS.contains(&code));
    (matches!(status, 408 | 409 | 429) || status >= 500) && !hopeless
}

/// How long the provider asks to wait.
pub(super) fn asked_for(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let ms = header(headers, "retry-after-ms").and_then(|ms| ms.parse::<f64>().ok());
    if let Some(wait) = ms.and_then(|ms| seconds(ms / 1000.0)) {
        return Some(wait);
    }
    let text = header(headers, "retry-after")?;
    match text.parse::<f64>() {
        Ok(number) => seconds(number),
        Err(_) => {
            let date = httpdate::parse_http_date(text).ok()?;
            Some(date.duration_since(now).unwrap_or(Duration::ZERO))
        }
    }
}

/// A time that is asked for: more than can be counted is for ever, less than nothing is no wish.
fn seconds(number: f64) -> Option<Duration> {
    (number >= 0.0).then(|| Duration::try_from_secs_f64(number).unwrap_or(Duration::MAX))
}

/// The wait before a try, or nothing if it is not made. `try_number` counts from 1.
pub(super) fn wait(
    retries: &Retries,
    try_number: u32,
    asked: Option<Duration>,
    waited: Duration,
) -> Option<Duration> {
    if try_number > retries.most {
        return None;
    }
    let wait = match asked {
        Some(asked) if asked > retries.longest_wait => return None,
        Some(asked) => asked,
        None => {
            let doubled = 2u32.saturating_pow(try_number.saturating_sub(1).min(16));
            let wait = retries
                .first_wait
                .saturating_mul(doubled)
                .min(retries.longest_wait);
            wait.saturating_sub(wait.mul_f64(0.25 * chance()))
        }
    };
    (waited.saturating_add(wait) <= retries.budget).then_some(wait)
}

/// A number from 0 to 1, so that clients that failed together do not come back together.
fn chance() -> f64 {
    let random = RandomState::new().build_hasher().finish() >> 11;
    random as f64 / (1u64 << 53) as f64
}

fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok().map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let pairs = pairs.iter().map(|(name, value)| {
            let name = reqwest::header::HeaderName::from_static(name);
            (name, value.parse().unwrap())
        });
        pairs.collect()
    }

    #[test]
    fn all_forms_of_waiting_are_read() {
        let now = httpdate::parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT").unwrap();
        type Case = (&'static [(&'static str, &'static str)], Option<u64>);
        let cases: [Case; 9] = [
            (&[("retry-after", "2")], Some(2000)),
            (&[("retry-after", "0.5")], Some(500)),
            (&[("retry-after-ms", "20"), ("retry-after", "2")], Some(20)),
            (
                &[("retry-after", "Sun, 06 Nov 1994 08:49:40 GMT")],
                Some(3000),
            ),
            (&[("retry-after", "Sun, 06 Nov 1994 08:49:30 GMT")], Some(0)),
            (&[("retry-after", "soon")], None),
            (
                &[("retry-after-ms", "-5"), ("retry-after", "999")],
                Some(999_000),
            ),
            (&[("retry-after", "-1")], None),
            (&[], None),
        ];
        for (pairs, expected) in cases {
            let asked = asked_for(&headers(pairs), now);
            assert_eq!(asked, expected.map(Duration::from_millis), "{pairs:?}");
        }
        for long in ["1e30", "inf", "99999999999999999999"] {
            let asked = asked_for(&headers(&[("retry-after", long)]), now);
            assert_eq!(asked, Some(Duration::MAX), "{long}");
        }
    }

    #[test]
    fn only_what_may_pass_is_tried_again() {
        for status in [408, 409, 429, 500, 502, 503, 529] {
            assert!(is_worth_it(status, &headers(&[]), None), "{status}");
            assert!(!is_worth_it(
                status,
                &headers(&[("x-should-retry", "false")]),
                None
            ));
        }
        assert!(is_worth_it(
            400,
            &headers(&[("x-should-retry", "True")]),
            None
        ));
        for status in [200, 301, 400, 401, 403, 404, 413, 422] {
            assert!(!is_worth_it(status, &headers(&[]), None), "{status}");
            assert!(is_worth_it(
                status,
                &headers(&[("x-should-retry", "true")]),
                None
            ));
        }
        assert!(!is_worth_it(429, &headers(&[]), Some("insufficient_quota")));
    }

    #[test]
    fn waits_double_up_to_a_cap_and_a_budget() {
        let retries = Retries {
            most: 10,
            first_wait: Duration::from_secs(1),
            longest_wait: Duration::from_secs(5),
            budget: Duration::from_secs(20),
        };
        let second = Duration::from_secs(1);
        for (number, most) in [(1, 1), (2, 2), (3, 4), (4, 5), (9, 5)] {
            let wait = wait(&retries, number, None, Duration::ZERO).unwrap();
            assert!(
                wait <= second * most && wait >= second * most * 3 / 4,
                "{number}: {wait:?}"
            );
        }
        let asked = |asked, waited| wait(&retries, 1, Some(second * asked), second * waited);
        assert_eq!(asked(5, 0), Some(second * 5));
        assert_eq!(asked(6, 0), None);
        assert_eq!(asked(5, 16), None);
        assert_eq!(wait(&retries, 11, None, Duration::ZERO), None);
    }
}
