//! What users of other tool searches reported.

use super::super::{Document, Index};
use super::{found, index};

/// PrefectHQ/fastmcp#4886: an ASCII tokenizer finds nothing in Russian.
#[test]
fn russian_text_is_found() {
    let index = index(&[
        ("create_invoice", "Создаёт счёт для клиента"),
        ("weather", "Прогноз погоды на завтра"),
        ("send_mail", "Отправляет письмо"),
    ]);
    assert_eq!(found(&index, "погода завтра"), [1]);
    assert_eq!(found(&index, "счета клиентов"), [0]);
    assert_eq!(found(&index, "отправить письма"), [2]);
}

/// LibreChat-AI/agents PR#315: a camelCase name never matches, and the wrong sibling is first.
#[test]
fn camel_case_names_are_taken_apart() {
    let index = index(&[
        ("getUserProfile", "Returns a record."),
        (
            "getUserOrders",
            "Returns records; see also the profile of a user and the user profile page.",
        ),
        ("HTTPServerStart", "Begins."),
        ("parseURLs", "Reads links."),
    ]);
    assert_eq!(found(&index, "user profile")[0], 0);
    assert_eq!(found(&index, "http server")[0], 2);
    assert_eq!(found(&index, "url")[0], 3);
}

/// hua-bang/pulse-agent PR#854: snake_case stays whole, field weights are lost, CJK finds nothing.
#[test]
fn snake_case_field_weights_and_cjk() {
    let index = index(&[
        ("read_file", "Reads."),
        (
            "notes",
            "Keeps notes, for instance about a file that one wants to read.",
        ),
        ("query_stock", "查询指定仓库的库存数量。"),
        ("send_mail", "发送电子邮件给收件人。"),
    ]);
    assert_eq!(found(&index, "read file notation")[0], 0);
    assert_eq!(found(&index, "file")[0], 0);
    assert_eq!(found(&index, "库存")[0], 2);
    assert_eq!(found(&index, "帮我发一封邮件")[0], 3);
}

/// ratel-ai/ratel#56: the ordinary verb `look` outranks the right tool.
#[test]
fn an_ordinary_verb_does_not_outrank_the_tool() {
    let index = index(&[
        ("look_around", "Look at the room: look left, look right."),
        ("customer_orders", "Returns the orders of a customer."),
        ("get_help", "Get help."),
    ]);
    assert_eq!(found(&index, "look up the orders of this customer"), [1]);
    assert_eq!(found(&index, "can you help me look into an order")[0], 1);
}

/// openai/codex PR#30085, review: without the name in the index, partial names find nothing.
#[test]
fn parts_of_names_are_found() {
    let index = index(&[
        ("mcp__github__create_pull_request", ""),
        ("mcp__github__list_issues", ""),
        ("mcp__calendar__createEvent", ""),
    ]);
    assert_eq!(found(&index, "create_pull")[0], 0);
    assert_eq!(found(&index, "pull_req")[0], 0);
    assert_eq!(found(&index, "github list")[0], 1);
    assert_eq!(found(&index, "calendar create")[0], 2);
    assert_eq!(found(&index, "event"), [2]);
}

/// The weaknesses of a plain BM25 over one text: `stocks` finds nothing, `getShippingQuote` is one
/// token, words of guidelines score, parameter names and enum values are not indexed.
#[test]
fn what_plain_bm25_misses() {
    let index = Index::new([
        Document::new("warehouse_stock")
            .description("Look up available warehouse stock by product SKU.")
            .usage("Use to check current stock before promising availability.")
            .schema(&serde_json::json!({"properties": {"sku": {"description": "Product SKU such as AB-12."}}})),
        Document::new("billing_lookup")
            .description("Return the outstanding balance for one account.")
            .usage("Use for billing questions. Never quote a balance without an account.")
            .schema(&serde_json::json!({"properties": {"currency": {"enum": ["EUR", "JPY"]}}})),
        Document::new("stock_query")
            .description("查询指定仓库的库存数量。")
            .usage("用于库存查询。"),
        Document::new("getShippingQuote")
            .description("Estimate the shipping cost and delivery time for one destination.")
            .usage("Use for shipping questions."),
    ]);
    // Kept: names match, repetition is no gain, Chinese matches, punctuation finds nothing.
    assert_eq!(found(&index, "warehouse stock"), [0, 2]);
    assert_eq!(found(&index, "WAREHOUSE stock stock stock"), [0, 2]);
    assert_eq!(found(&index, "库存"), [2]);
    assert_eq!(found(&index, "仓库 stock"), [2, 0]);
    assert_eq!(found(&index, "AB-12"), [0]);
    assert_eq!(found(&index, "balance account"), [1]);
    assert!(found(&index, "!!!").is_empty());
    // Mended.
    assert_eq!(found(&index, "stocks"), [0, 2]);
    assert_eq!(found(&index, "shipping quote"), [3, 1]);
    assert_eq!(found(&index, "getShippingQuote")[0], 3);
    assert_eq!(found(&index, "ship"), [3]);
    assert_eq!(found(&index, "jpy currency"), [1]);
    assert_eq!(found(&index, "use for questions about shipping")[0], 3);
}
