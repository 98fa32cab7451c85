//! What ranks before what.

use super::super::{Document, Index, Weights};
use super::{found, index};

const TOOLS: [(&str, &str); 6] = [
    ("warehouse_stock", "Look up available stock of a product."),
    (
        "stock_price",
        "Price of a share on the stock exchange; warehouse receipts too.",
    ),
    ("getShippingQuote", "Estimate the cost of a delivery."),
    (
        "delete_warehouse",
        "Remove a warehouse, its stock, its stock list and its stock history.",
    ),
    ("math.factorial", "Factorial of a number."),
    ("Kalender-Eintrag", "Trägt einen Termin ein."),
];

#[test]
fn an_exact_name_is_first() {
    let index = index(&TOOLS);
    for (query, position) in [
        ("warehouse_stock", 0),
        ("Warehouse Stock", 0),
        ("WAREHOUSE-STOCK", 0),
        ("warehouseStock", 0),
        ("warehousestock", 0),
        ("  warehouse stock?! ", 0),
        ("delete warehouse", 3),
        ("get_shipping_quote", 2),
        ("GETSHIPPINGQUOTE", 2),
        ("Math Factorial", 4),
        ("kalender eintrag", 5),
        ("kalenderEintrag", 5),
    ] {
        assert_eq!(found(&index, query).first(), Some(&position), "{query}");
    }
}

#[test]
fn an_exact_name_is_first_even_where_another_tool_says_it_more_often() {
    let index = index(&[
        ("stop", "stop"),
        ("get_all", "get"),
        ("run", ""),
        ("runner", "run run run: to run, a run, the run of runs"),
        ("all_of_it", "get all, get all of it, get it all"),
    ]);
    assert_eq!(found(&index, "run")[0], 2);
    // Made of stop words.
    assert_eq!(found(&index, "get all")[0], 1);
}

#[test]
fn a_name_inside_a_sentence_is_first() {
    let index = index(&TOOLS);
    for query in [
        "call warehouse_stock for the price on the stock exchange",
        "the share price, through `warehouse_stock`, please",
        "price? (see warehouseStock.)",
    ] {
        assert_eq!(found(&index, query)[0], 0, "{query}");
    }
    // Ordinary words are no name, even if a tool is called so.
    let index = super::index(&[
        ("search", "Search."),
        ("find_flight", "Search flights by price."),
    ]);
    assert_eq!(found(&index, "search flights by price")[0], 1);
}

#[test]
fn all_tools_of_a_name_are_first_in_catalog_order() {
    let index = index(&[
        ("other", "read mail"),
        ("readMail", "b"),
        ("read_mail", "a"),
        ("Read-Mail", "b"),
    ]);
    assert_eq!(found(&index, "read mail"), [1, 2, 3, 0]);
    let equal = super::index(&[("mail", "x"), ("note", "y"), ("mail", "x")]);
    assert_eq!(found(&equal, "mail"), [0, 2]);
}

#[test]
fn a_name_counts_more_than_a_description_and_that_more_than_parameters() {
    let index = Index::new([
        Document::new("a").parameter("invoice", ""),
        Document::new("b").usage("For an invoice."),
        Document::new("c").description("Send an invoice."),
        Document::new("send_invoice"),
        Document::new("e").value("invoice"),
    ]);
    let order = found(&index, "invoice");
    assert_eq!(order[..2], [3, 2]);
    assert_eq!(order.len(), 5);
}

#[test]
fn weights_are_honoured() {
    let tools = || {
        [
            Document::new("invoice"),
            Document::new("b").description("An invoice."),
            Document::new("c"),
        ]
    };
    let silent = Index::builder()
        .weights(Weights::new().name(0.0))
        .build(tools());
    assert_eq!(found(&silent, "invoices"), [1]);
    let loud = Index::builder()
        .weights(Weights::new().name(0.1).description(9.0))
        .build(tools());
    assert_eq!(found(&loud, "invoices"), [1, 0]);
    let nothing = Weights::new().name(0.0).description(-1.0).usage(f32::NAN);
    let nothing = Index::builder()
        .weights(nothing.parameters(0.0).values(0.0))
        .build(tools());
    assert!(found(&nothing, "invoices").is_empty());
}

#[test]
fn constants_are_honoured() {
    let often = || {
        [
            Document::new("a").description("cat cat cat"),
            Document::new("b").description("cat dog fox"),
        ]
    };
    let scores = |index: Index| -> Vec<f32> {
        index
            .search("cats", 9)
            .iter()
            .map(|hit| hit.score)
            .collect()
    };
    // Without saturation in play, the first mention says all, and equal scores keep their order.
    let first = scores(Index::builder().k1(0.0).build(often()));
    assert_eq!(first[0], first[1]);
    let more = scores(Index::builder().k1(2.0).build(often()));
    assert!(more[0] > more[1]);
    let long = || {
        let padded = "cat and a long tail of other words that follow it";
        [
            Document::new("a").description(padded),
            Document::new("b").description("cat"),
        ]
    };
    let blind = scores(Index::builder().b(0.0).build(long()));
    assert_eq!(blind[0], blind[1]);
    assert_eq!(
        found(&Index::builder().b(1.0).build(long()), "cats"),
        [1, 0]
    );
    assert_eq!(
        found(
            &Index::builder().b(f32::INFINITY).k1(f32::MAX).build(long()),
            "cats"
        )
        .len(),
        2
    );
}

#[test]
fn min_score_is_a_bar_that_must_be_passed() {
    let all = index(&TOOLS).search("stock warehouse delivery", 10);
    assert!(all.len() >= 4);
    let bar = all[1].score;
    let builder = Index::builder().min_score(bar);
    let strict = builder.build(TOOLS.map(|(name, text)| Document::new(name).description(text)));
    let few = strict.search("stock warehouse delivery", 10);
    assert_eq!(few, all[..1]);
    // A name passes whatever the bar is.
    assert_eq!(found(&strict, "math factorial"), [4]);
}

#[test]
fn limits_are_kept() {
    let index = index(&TOOLS);
    assert!(index.search("warehouse stock", 0).is_empty());
    let all = index.search("warehouse stock", usize::MAX);
    assert_eq!(all.len(), 3);
    for limit in 1..=4 {
        assert_eq!(index.search("warehouse stock", limit), all[..limit.min(3)]);
    }
}

#[test]
fn filtered_documents_are_not_found_even_by_name() {
    let index = index(&TOOLS);
    let found = |query: &str| -> Vec<usize> {
        index
            .search_where(query, 2, |position| position != 0)
            .iter()
            .map(|hit| hit.position)
            .collect()
    };
    assert_eq!(found("warehouse_stock"), [3, 1]);
    assert!(
        index
            .search_where("warehouse stock", 5, |_| false)
            .is_empty()
    );
}

#[test]
fn a_filter_may_search() {
    let index = index(&TOOLS);
    let other = |position: usize| index.search("factorial", 1)[0].position != position;
    assert_eq!(
        index.search_where("warehouse stock", 5, other),
        index.search("warehouse stock", 5)
    );
}

#[test]
fn a_word_twice_in_the_query_counts_once() {
    let index = index(&TOOLS);
    let once = index.search("delivery stock", 10);
    assert_eq!(index.search("stock delivery STOCK, stocks stock", 10), once);
}

#[test]
fn stop_words_do_not_count_unless_they_are_all_there_is() {
    let index = index(&[
        (
            "helper",
            "Please look here: what can you do for me? I want to find help, please, please.",
        ),
        ("flight_search", "Flights by date."),
    ]);
    assert_eq!(
        found(
            &index,
            "please can you help me to find a flight for the trip"
        ),
        [1]
    );
    assert_eq!(found(&index, "please help"), [0]);
    assert_eq!(found(&index, "what can you do"), [0]);
    // The rest of the query is unknown, so that the stop words are all there is to go by.
    assert_eq!(found(&index, "please xyzzyx"), [0]);
}

#[test]
fn rare_words_count_more_than_frequent_ones() {
    let mut tools: Vec<(String, String)> = (0..30)
        .map(|n| {
            (
                format!("data_{n}"),
                "Returns the data of the record.".to_owned(),
            )
        })
        .collect();
    tools.push((
        "zebra".to_owned(),
        "Returns the data of the zebra record.".to_owned(),
    ));
    let index = Index::new(
        tools
            .iter()
            .map(|(name, text)| Document::new(name).description(text)),
    );
    assert_eq!(found(&index, "data about zebras")[0], 30);
}

#[test]
fn of_names_that_are_one_the_written_one_is_first() {
    for (names, query, position) in [
        (["readMail", "read_mail"], "read_mail", 1),
        (["readMail", "read_mail"], "readMail", 0),
        (["Get", "get"], "get", 1),
        (["send-mail", "send_mail"], "send_mail", 1),
        (["C", "c++"], "c++", 1),
        (["readMail", "read_mail"], "please call `read_mail`", 1),
    ] {
        let index = Index::new(names.map(Document::new));
        assert_eq!(index.search(query, 1)[0].position, position, "{query}");
    }
}

#[test]
fn signs_are_part_of_a_name() {
    let index = index(&[
        ("c", "Compiles C code."),
        ("csharp", "Compiles C# code."),
        ("cpp", "Compiles C++ code."),
    ]);
    for (query, position) in [
        ("C#", 1),
        ("C# compile", 1),
        ("c++", 2),
        ("compile C++ code", 2),
        ("compile C code", 0),
    ] {
        assert_eq!(found(&index, query)[0], position, "{query}");
    }
}

#[test]
fn a_word_is_no_stop_word_because_it_shares_its_stem() {
    let index = index(&[
        (
            "rezepte",
            "Sucht Rezepte nach Zutaten und dem Namen der Gerichte.",
        ),
        (
            "fahrplan",
            "Zeigt den Fahrplan einer Buslinie und die nächste Abfahrt.",
        ),
        ("mehr", "Ordnet die Dateien nach Größe und dem Namen."),
    ]);
    assert_eq!(found(&index, "der nächste Bus"), [1]);
    let text = index.explain("nach", 0).unwrap().to_string();
    assert!(text.contains("nach: +"), "{text:?}");
}
