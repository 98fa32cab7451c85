//! Answers that are not what they are called, and errors within an answer.

use super::{
    CHUNK, GOOD, REST,
    faults::{Row, check, error_body},
    good,
};
use crate::server::{Does, answer, stream_head};

#[tokio::test]
async fn the_table_of_answers_that_are_not_what_they_are_called() {
    let whole = |text: &str| Does::Sends([stream_head(), text.as_bytes().to_vec()].concat());
    let page = "<html><head><title>502 Bad Gateway</title></head><body>x</body></html>";
    let html = [("content-type", "text/html")];
    let text = [("content-type", "text/plain")];
    let table: Vec<Row> = vec![
        (
            "overload as the first event",
            vec![
                whole(&format!("data: {}\n\n", error_body("overloaded_error"))),
                whole(&format!("{CHUNK}{REST}")),
            ],
            true,
            "fine",
            2,
        ),
        (
            "overload after the first event",
            vec![
                whole(&format!(
                    "{CHUNK}data: {}\n\n",
                    error_body("overloaded_error")
                )),
                good(),
            ],
            true,
            "Provider - overloaded_error x1",
            1,
        ),
        (
            "503 in a body with status 200",
            vec![
                Does::Sends(answer(200, &[], r#"{"error":{"message":"no","code":503}}"#)),
                good(),
            ],
            false,
            "fine",
            2,
        ),
        (
            "a page in place of a stream",
            vec![Does::Sends(answer(200, &html, page)), good()],
            true,
            "Protocol - - x1",
            1,
        ),
        (
            "words in place of a stream",
            vec![Does::Sends(answer(200, &text, "try later")), good()],
            true,
            "Protocol - - x1",
            1,
        ),
        (
            "an error in place of a stream, called text",
            vec![Does::Sends(answer(200, &text, error_body("quota"))), good()],
            true,
            "Provider - quota x1",
            1,
        ),
        (
            "a whole answer in place of a stream, called text",
            vec![Does::Sends(answer(200, &text, GOOD))],
            true,
            "fine",
            1,
        ),
        (
            "a whole answer with a type in capitals",
            vec![Does::Sends(answer(
                200,
                &[("content-type", "Application/JSON; charset=utf-8")],
                GOOD,
            ))],
            true,
            "fine",
            1,
        ),
        (
            "a stream called JSON",
            vec![Does::Sends(answer(200, &[], format!("{CHUNK}{REST}")))],
            true,
            "fine",
            1,
        ),
        (
            "an event without end",
            vec![Does::Sends(
                [
                    stream_head(),
                    b"data: ".to_vec(),
                    vec![b'0'; (32 << 20) + 1],
                ]
                .concat(),
            )],
            true,
            "TooLarge - - x1",
            1,
        ),
        (
            "304, which names no place",
            vec![Does::Sends(answer(304, &[], "")), good()],
            false,
            "Provider 304 - x1",
            1,
        ),
        (
            "204",
            vec![Does::Sends(answer(204, &[], "")), good()],
            false,
            "Protocol - - x1",
            1,
        ),
    ];
    check(table).await;
}
