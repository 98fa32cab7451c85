//! Types of other crates.

use repertoire::tool;

use crate::call;

/// Takes one of each.
#[allow(clippy::too_many_arguments)] // one of each type
#[tool(allow(undocumented))]
fn others(
    id: Option<uuid::Uuid>,
    url: Option<url::Url>,
    price: Option<rust_decimal::Decimal>,
    moment: Option<chrono::DateTime<chrono::FixedOffset>>,
    date: Option<time::Date>,
    clock: Option<time::Time>,
    local: Option<time::PrimitiveDateTime>,
    global: Option<time::OffsetDateTime>,
) -> String {
    let all = [
        id.map(|value| value.to_string()),
        url.map(|value| value.to_string()),
        price.map(|value| value.to_string()),
        moment.map(|value| value.to_rfc3339()),
        date.map(|value| value.to_string()),
        clock.map(|value| value.to_string()),
        local.map(|value| value.to_string()),
        global.map(|value| value.to_string()),
    ];
    all.into_iter().flatten().collect()
}

#[tokio::test]
async fn types_of_other_crates_are_read() {
    for (arguments, answer) in [
        (
            r#"{"id":"67e55044-10b1-426f-9247-bb680e5fe0c8"}"#,
            "67e55044-10b1-426f-9247-bb680e5fe0c8",
        ),
        (
            r#"{"url":"https://example.com/a"}"#,
            "https://example.com/a",
        ),
        (r#"{"price":"12.50"}"#, "12.50"),
        (r#"{"price":12.5}"#, "12.5"),
        (
            r#"{"moment":"2026-01-31T09:30:00+01:00"}"#,
            "2026-01-31T09:30:00+01:00",
        ),
        (r#"{"date":"2024-02-29"}"#, "2024-02-29"),
        (r#"{"clock":"09:30:00.5"}"#, "9:30:00.5"),
        (
            r#"{"local":"2026-01-31 09:30:00.0"}"#,
            "2026-01-31 9:30:00.0",
        ),
        (
            r#"{"global":"2026-01-31 09:30:00.0 +01:00:00"}"#,
            "2026-01-31 9:30:00.0 +01:00:00",
        ),
    ] {
        assert_eq!(call::<others>(arguments).await, answer, "{arguments}");
    }
}

#[tokio::test]
async fn what_they_refuse_is_told_in_words_with_an_example() {
    for (arguments, problem) in [
        (r#"{"id":"x"}"#, "`/id`: expected a UUID such as 67e55044"),
        (
            r#"{"url":"example.com"}"#,
            "`/url`: expected an absolute URL such as https://",
        ),
        (
            r#"{"moment":"yesterday"}"#,
            "`/moment`: expected a date and time such as 2026-01-31T09:30:00Z",
        ),
        (
            r#"{"date":"31.1."}"#,
            "`/date`: expected a date such as 2026-01-31",
        ),
        (
            r#"{"clock":"9:30"}"#,
            r#"such as "09:30:00.0", got the string "9:30""#,
        ),
    ] {
        let answer = call::<others>(arguments).await;
        assert!(answer.contains(problem), "{arguments}: {answer}");
    }
}
