//! A call that cannot be made.

use repertoire::{
    testing::{self, Fakes, TestClock},
    tool,
};
use serde_json::json;

use super::{Shelf, live, message, warehouse_stock};

#[test]
fn what_is_missing_is_said_all_at_once() {
    let clock = TestClock::new();
    let text = message(|| {
        let mut session = std::collections::HashMap::new();
        session.insert((1, 2), 3);
        let call = testing::call::<warehouse_stock>(json!({"sku": "A-1042"}));
        clock.block_on(
            call.session("bad", session)
                .fakes(&Fakes::new().fake("archiv", |_| Ok(""))),
        );
    });
    assert!(
        text.starts_with("the call of `warehouse_stock` at "),
        "{text}"
    );
    for part in [
        "setup.rs:",
        "takes `#[state]` of type `Inventory`",
        "add `.state(...)`",
        "the value `bad` cannot be kept",
        "there is no tool `archiv` to fake; there are `warehouse_stock`",
    ] {
        assert!(text.contains(part), "{part:?} is not in: {text}");
    }

    let text = message(|| {
        clock.block_on(testing::call::<live>(json!({"query": "x"})));
    });
    assert!(text.contains("falls back to `archive`"), "{text}");

    let text = message(|| {
        let call = testing::call_method::<Shelf>("count_book", json!({}));
        clock.block_on(call.state(Shelf(Vec::new())));
    });
    assert!(
        text.contains("there is no tool `count_book`; did you mean `count_books`?"),
        "{text}"
    );

    #[tool(unlinked, enabled = false)]
    /// Is not there yet.
    fn not_yet() {}
    let text = message(|| {
        clock.block_on(testing::call::<not_yet>(json!({})));
    });
    assert!(text.contains("`enabled = false`"), "{text}");
}
