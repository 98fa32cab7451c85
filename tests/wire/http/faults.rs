//! Every fault that a service can show, and what a program sees of it.

use std::{
    io::Write,
    time::{Duration, SystemTime},
};

use repertoire::protocol::Chat;
use serde_json::json;

use super::{CHUNK, GOOD, REST, good, outcome, quick};
use crate::server::{Does, Server, answer, stream_head};

async fn faulty(script: Vec<Does>, stream: bool) -> (String, usize) {
    let server = Server::start(script).await;
    let (text, _) = outcome(&quick(Chat::new("m"), &server.url), stream).await;
    (text, server.requests().len())
}

pub(super) fn error_body(code: &str) -> String {
    json!({"error": {"message": "no", "type": "t", "code": code}}).to_string()
}

#[tokio::test]
async fn the_table_of_outcomes() {
    let limit =
        |headers: &[(&str, &str)]| Does::Sends(answer(429, headers, error_body("slow_down")));
    let soon = httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(1));
    let whole = |text: &str| Does::Sends([stream_head(), text.as_bytes().to_vec()].concat());
    let begun = [stream_head(), CHUNK.as_bytes().to_vec()].concat();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(GOOD.as_bytes()).unwrap();
    let gzip = gzip.finish().unwrap();
    let half = &GOOD[..40];
    let page = "<html><head><title>502 Bad Gateway</title></head><body>x</body></html>";
    let html = [("content-type", "text/html")];
    let table: Vec<Row> = vec![
        ("429, then well", vec![limit(&[]), good()], false, "fine", 2),
        (
            "429, retry-after-ms",
            vec![limit(&[("retry-after-ms", "20")]), good()],
            false,
            "fine",
            2,
        ),
        (
            "429, retry-after in seconds",
            vec![limit(&[("retry-after", "0.02")]), good()],
            false,
            "fine",
            2,
        ),
        (
            "429, retry-after as a date",
            vec![limit(&[("retry-after", &soon)]), good()],
            false,
            "fine",
            2,
        ),
        (
            "429, retry-after of an hour",
            vec![limit(&[("retry-after", "3600")]), good()],
            false,
            "Provider 429 slow_down x1",
            1,
        ),
        (
            "429, x-should-retry: false",
            vec![limit(&[("x-should-retry", "false")]), good()],
            false,
            "Provider 429 slow_down x1",
            1,
        ),
        (
            "429 for want of money",
            vec![
                Does::Sends(answer(429, &[], error_body("insufficient_quota"))),
                good(),
            ],
            false,
            "Provider 429 insufficient_quota x1",
            1,
        ),
        (
            "429 again and again",
            vec![limit(&[])],
            false,
            "Provider 429 slow_down x3",
            3,
        ),
        (
            "400, x-should-retry: true",
            vec![
                Does::Sends(answer(400, &[("x-should-retry", "true")], "{}")),
                good(),
            ],
            false,
            "fine",
            2,
        ),
        (
            "529, then well",
            vec![
                Does::Sends(answer(529, &[], error_body("overloaded_error"))),
                good(),
            ],
            false,
            "fine",
            2,
        ),
        (
            "500 again and again",
            vec![Does::Sends(answer(500, &[], "{}"))],
            false,
            "Provider 500 - x3",
            3,
        ),
        (
            "401",
            vec![
                Does::Sends(answer(401, &[], error_body("invalid_api_key"))),
                good(),
            ],
            false,
            "Provider 401 invalid_api_key x1",
            1,
        ),
        (
            "hang before the head",
            vec![Does::SendsAndHangs(Vec::new())],
            false,
            "Timeout - - x3",
            3,
        ),
        (
            "hang before the head, then well",
            vec![Does::SendsAndHangs(Vec::new()), good()],
            false,
            "fine",
            2,
        ),
        (
            "hang in the middle of a body",
            vec![
                Does::SendsAndHangs(answer(200, &[("content-length", "500")], half)),
                good(),
            ],
            false,
            "fine",
            2,
        ),
        (
            "hang in the middle of a stream",
            vec![Does::SendsAndHangs(begun.clone()), good()],
            true,
            "Timeout - - x1",
            1,
        ),
        (
            "hang after the end of a stream",
            vec![Does::SendsAndHangs(
                [begun.clone(), REST.as_bytes().to_vec()].concat(),
            )],
            true,
            "fine",
            1,
        ),
        (
            "reset before the head",
            vec![Does::SendsAndResets(Vec::new()), good()],
            false,
            "fine",
            2,
        ),
        (
            "reset in the middle of a stream",
            vec![Does::SendsAndResets(begun.clone()), good()],
            true,
            "Interrupted - - x1",
            1,
        ),
        (
            "end in the middle of a stream",
            vec![whole(CHUNK), good()],
            true,
            "Interrupted - - x1",
            1,
        ),
        (
            "end before the first event",
            vec![whole(": wait\n\n"), whole(&format!("{CHUNK}{REST}"))],
            true,
            "fine",
            2,
        ),
        (
            "no [DONE]",
            vec![whole(&format!(
                "{CHUNK}{}",
                REST.replace("data: [DONE]\n\n", "")
            ))],
            true,
            "fine",
            1,
        ),
        ("a stream that is none", vec![good()], true, "fine", 1),
        (
            "truncated JSON",
            vec![Does::Sends(answer(200, &[], half)), good()],
            false,
            "Protocol - - x1",
            1,
        ),
        (
            "fewer bytes than promised",
            vec![
                Does::Sends(answer(200, &[("content-length", "500")], half)),
                good(),
            ],
            false,
            "fine",
            2,
        ),
        (
            "a page in place of an error",
            vec![Does::Sends(answer(502, &html, page))],
            false,
            "Provider 502 - x3",
            3,
        ),
        (
            "a page in place of an answer",
            vec![Does::Sends(answer(200, &html, page))],
            false,
            "Protocol - - x1",
            1,
        ),
        (
            "an error with status 200",
            vec![Does::Sends(answer(200, &[], error_body("x")))],
            false,
            "Provider - x x1",
            1,
        ),
        (
            "an error in the stream",
            vec![whole(&format!("{CHUNK}data: {}\n\n", error_body("x")))],
            true,
            "Provider - x x1",
            1,
        ),
        (
            "redirect",
            vec![
                Does::Sends(answer(307, &[("location", "http://127.0.0.1:1/")], "")),
                good(),
            ],
            false,
            "Provider 307 - x1",
            1,
        ),
        (
            "gzip",
            vec![Does::Sends(answer(
                200,
                &[("content-encoding", "gzip")],
                gzip,
            ))],
            false,
            "fine",
            1,
        ),
        (
            "an empty body",
            vec![Does::Sends(answer(200, &[], ""))],
            false,
            "Protocol - - x1",
            1,
        ),
    ];
    check(table).await;
}

/// What the server does, whether it is asked for a stream, what comes of it, how often it is asked.
pub(super) type Row = (&'static str, Vec<Does>, bool, &'static str, usize);

/// Tries all rows of a table, so that one wrong row hides no other.
pub(super) async fn check(table: Vec<Row>) {
    let mut wrong = Vec::new();
    for (name, script, stream, expected, requests) in table {
        let (text, asked) = faulty(script, stream).await;
        println!("{name:<34} {text}, asked {asked}");
        if (text.as_str(), asked) != (expected, requests) {
            wrong.push(format!(
                "{name}: {text}, asked {asked}; wanted {expected}, {requests}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[tokio::test]
async fn the_status_of_an_error_counts_although_its_body_drips() {
    let server = Server::start(vec![Does::SendsSlowly(answer(
        500,
        &[("content-length", "100000")],
        "0".repeat(1000),
    ))])
    .await;
    let mut timeouts = repertoire::model::Timeouts::default();
    timeouts.idle = Duration::from_secs(1);
    timeouts.total = Duration::from_secs(2);
    let http = quick(Chat::new("m"), &server.url)
        .timeouts(timeouts)
        .retries(repertoire::model::Retries::none());
    let (text, _) = outcome(&http, false).await;
    assert_eq!(text, "Provider 500 - x1");
}

#[tokio::test]
async fn nobody_there_is_a_lost_connection() {
    let (text, _) = outcome(&quick(Chat::new("m"), "http://127.0.0.1:1"), false).await;
    assert_eq!(text, "Connect - - x3");
}
