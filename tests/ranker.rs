//! A ranker of the program's own in the agent's search for tools.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use repertoire::{
    Agent, Anthropic, BoxFuture, Cancel, Conversation, Stop, Toolset,
    agent::{Event, Guidelines, ToolSearch},
    search::{Document, Fusion, Hit, Index, Ranker, RankerError},
    testing::{Script, TestClock},
};
use repertoire_tests::{calling, counting, results, texts, warehouse};
use serde_json::{Value, json};

/// What words are about, instead of a model of language: each line a direction.
const MEANINGS: [&str; 3] = [
    "stock warehouse goods shelf left",
    "order cancel purchase undo regret",
    "invoice bill mail pay money",
];

/// How much a text is about each of the meanings, as a vector of length 1.
fn embed(text: &str) -> [f32; 3] {
    let words = || text.split(|c: char| !c.is_alphabetic());
    let about = |meaning: &str| {
        let meant = words().filter(|word| {
            let word = word.to_lowercase();
            meaning.split(' ').any(|other| other == word)
        });
        meant.count() as f32 + 0.01
    };
    let vector = MEANINGS.map(about);
    let length = vector.iter().map(|part| part * part).sum::<f32>().sqrt();
    vector.map(|part| part / length)
}

/// A ranker that compares vectors, and has to wait for the query's, as for a service.
struct Embeddings {
    tools: Vec<[f32; 3]>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Embeddings {
    fn of(tools: &[Document]) -> Self {
        Self::noting(tools, &Arc::default())
    }

    fn noting(tools: &[Document], asked: &Arc<Mutex<Vec<String>>>) -> Self {
        Self {
            tools: tools.iter().map(|tool| embed(&tool.text())).collect(),
            asked: Arc::clone(asked),
        }
    }
}

impl Ranker for Embeddings {
    fn rank<'a>(
        &'a self,
        query: &'a str,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<Hit>, RankerError>> {
        Box::pin(async move {
            self.asked.lock().unwrap().push(query.to_owned());
            tokio::task::yield_now().await;
            let query = embed(query);
            let likeness =
                |tool: &[f32; 3]| -> f32 { tool.iter().zip(query).map(|(a, b)| a * b).sum() };
            let mut hits: Vec<Hit> = (0..)
                .zip(self.tools.iter().map(likeness))
                .map(|(position, score)| Hit::new(position, score))
                .collect();
            hits.sort_by(|a, b| b.score.total_cmp(&a.score));
            hits.truncate(limit);
            Ok(hits)
        })
    }
}

type Answer = BoxFuture<'static, Result<Vec<Hit>, RankerError>>;

/// A ranker that is a function.
struct Does<F>(F);

fn does<F: Fn() -> Answer>(answer: F) -> Does<F> {
    Does(answer)
}

impl<F: Fn() -> Answer + Send + Sync> Ranker for Does<F> {
    fn rank<'a>(&'a self, _: &'a str, _: usize) -> BoxFuture<'a, Result<Vec<Hit>, RankerError>> {
        (self.0)()
    }
}

/// Says the same of every query.
fn says(answer: Result<Vec<Hit>, &'static str>) -> impl Ranker + 'static {
    does(move || {
        let answer = answer.clone().map_err(RankerError::from);
        Box::pin(std::future::ready(answer))
    })
}

fn search(query: &str) -> Vec<(&'static str, Value)> {
    vec![("tool_search", json!({"queries": [query]}))]
}

fn agent(
    model: Script<Anthropic>,
    tools: Toolset,
    search: ToolSearch,
) -> Result<Agent, repertoire::Error> {
    Agent::builder(model)
        .repertoire(tools)
        .extensions([search.into(), Guidelines::new().into()])
        .build()
}

/// Searches one after the other; gives what each loaded, and everything that happened.
async fn searched(queries: &[&str], tool_search: ToolSearch) -> (Vec<Vec<String>>, Vec<Event>) {
    let model = calling(queries.iter().map(|query| search(query)).collect());
    let agent = agent(model, warehouse(&Arc::default()), tool_search).unwrap();
    let mut conversation = Conversation::new();
    let reply = agent.run_in(&mut conversation, "go").await.unwrap();
    assert_eq!(reply.text(), "done");
    let loads = results(&conversation)
        .iter()
        .map(|result| result.loads().to_vec())
        .collect();
    (loads, reply.events().to_vec())
}

fn failures(events: &[Event]) -> Vec<&str> {
    let failures = events.iter().filter_map(|event| match event {
        Event::RankerFailed { error } => Some(error.as_str()),
        _ => None,
    });
    failures.collect()
}

/// Shares a word with the tool that cancels orders, and means the one that knows the stock.
const MEANT: &str = "goods left on a shelf, no order";

#[tokio::test]
async fn a_ranker_finds_what_words_do_not() {
    let words = ToolSearch::new().limit(1);
    let (loads, _) = searched(&[MEANT], words.clone()).await;
    assert_eq!(loads, [["order_cancel"]]);
    let (loads, events) = searched(&[MEANT], words.ranker(Embeddings::of)).await;
    assert_eq!(loads, [["warehouse_stock"]]);
    assert!(failures(&events).is_empty());
}

#[tokio::test]
async fn a_ranker_and_the_index_are_fused() {
    let fused = |weight: f32| {
        ToolSearch::new().limit(1).ranker(move |tools| {
            let index = Index::new(tools.to_vec());
            Fusion::new()
                .with(index, weight)
                .with(Embeddings::of(tools), 1.0)
        })
    };
    assert_eq!(searched(&[MEANT], fused(9.0)).await.0, [["order_cancel"]]);
    assert_eq!(
        searched(&[MEANT], fused(0.01)).await.0,
        [["warehouse_stock"]]
    );
}

#[tokio::test]
async fn tools_that_are_loaded_give_way_to_the_next_best() {
    let tool_search = ToolSearch::new().limit(1).ranker(Embeddings::of);
    let (loads, _) = searched(&["goods, goods and a bill", "goods", "goods"], tool_search).await;
    assert_eq!(loads[0], ["warehouse_stock"]);
    assert_eq!(loads[1..].concat().len(), 2, "{loads:?}");
    assert!(!loads[1..].concat().contains(&"warehouse_stock".to_owned()));
}

#[tokio::test]
async fn names_are_answered_without_the_ranker() {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&asked);
    let tools = Toolset::new()
        .with_tool(
            counting("mail_read", "Reads.", &Arc::default())
                .deferred()
                .group("mail"),
        )
        .with_tool(
            counting("mail_send", "Sends.", &Arc::default())
                .deferred()
                .group("mail"),
        );
    let model = calling(vec![search("mail_send"), search("Mail"), search("money")]);
    let tool_search = ToolSearch::new().ranker(move |tools| Embeddings::noting(tools, &noted));
    let agent = agent(model, tools, tool_search).unwrap();
    let mut conversation = Conversation::new();
    agent.run_in(&mut conversation, "go").await.unwrap();
    let loads: Vec<_> = results(&conversation)
        .iter()
        .map(|r| r.loads().to_vec())
        .collect();
    assert_eq!(loads[..2], [["mail_send"], ["mail_read"]]);
    assert_eq!(*asked.lock().unwrap(), ["money"]);
}

#[tokio::test]
async fn a_ranker_that_fails_or_panics_is_replaced_by_the_index() {
    let failing: Vec<(ToolSearch, &str)> = vec![
        (
            ToolSearch::new().ranker(|_| says(Err("the service is down"))),
            "the service is down",
        ),
        (
            ToolSearch::new().ranker(|_| does(|| panic!("before the future"))),
            "the ranker panicked: before the future",
        ),
        (
            ToolSearch::new().ranker(|_| {
                does(|| {
                    Box::pin(async {
                        tokio::task::yield_now().await;
                        panic!("within the future")
                    })
                })
            }),
            "the ranker panicked: within the future",
        ),
    ];
    for (tool_search, error) in failing {
        let (loads, events) = searched(&["cancel the order"], tool_search).await;
        assert_eq!(loads, [["order_cancel"]]);
        assert_eq!(failures(&events), [error]);
    }
}

#[tokio::test]
async fn a_ranker_that_is_silent_is_replaced_in_time() {
    let clock = TestClock::new();
    let never = || does(|| Box::pin(std::future::pending()));
    let agent = Agent::builder(calling(vec![search("cancel the order")]))
        .repertoire(warehouse(&Arc::default()))
        .extensions([ToolSearch::new().ranker(move |_| never()).into()])
        .clock(clock.clone())
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    let reply = clock
        .block_on(agent.run_in(&mut conversation, "go"))
        .unwrap();
    assert_eq!(results(&conversation)[0].loads(), ["order_cancel"]);
    assert_eq!(failures(reply.events()), ["no answer within 30 s"]);
}

#[tokio::test]
async fn a_run_is_cancelled_while_the_ranker_works() {
    let cancel = Cancel::new();
    let stop = cancel.clone();
    let tool_search = ToolSearch::new().ranker(move |_| {
        let stop = stop.clone();
        does(move || {
            stop.cancel();
            Box::pin(std::future::pending())
        })
    });
    let model = calling(vec![search("cancel the order")]);
    let agent = agent(model, warehouse(&Arc::default()), tool_search).unwrap();
    let mut conversation = Conversation::new();
    let run = agent.run_until(&mut conversation, "go", &cancel);
    let reply = tokio::time::timeout(Duration::from_secs(10), run).await;
    assert_eq!(reply.unwrap().unwrap().stop(), Stop::Cancelled);
    let all = results(&conversation);
    assert!(all.len() == 1 && all[0].is_failed() && all[0].loads().is_empty());
}

#[tokio::test]
async fn whatever_a_ranker_says_is_taken_as_it_can_be() {
    // Sorted by name: clock, invoice_send, order_cancel, warehouse_stock.
    let hit = Hit::new;
    let odd = vec![
        hit(usize::MAX, 9.0),
        hit(4, 9.0),
        hit(1, f32::NAN),
        hit(2, -1.0),
        hit(3, 0.5),
        hit(3, 0.4),
        hit(1, f32::INFINITY),
    ];
    let tool_search = ToolSearch::new().ranker(move |_| says(Ok(odd.clone())));
    let (loads, events) = searched(&["x"], tool_search).await;
    assert_eq!(loads, [["warehouse_stock", "invoice_send"]]);
    assert!(failures(&events).is_empty());
    // What is named twice takes one place.
    let twice = vec![hit(3, 0.5), hit(9, 0.5), hit(3, 0.4), hit(1, 0.3)];
    let two = ToolSearch::new().limit(2);
    let (loads, _) = searched(&["x"], two.ranker(move |_| says(Ok(twice.clone())))).await;
    assert_eq!(loads, [["warehouse_stock", "invoice_send"]]);
    let strict = ToolSearch::new().min_score(0.45);
    let weak = vec![hit(3, 0.5), hit(2, 0.45)];
    let (loads, _) = searched(&["x"], strict.ranker(move |_| says(Ok(weak.clone())))).await;
    assert_eq!(loads, [["warehouse_stock"]]);
}

#[tokio::test]
async fn a_ranker_that_finds_nothing_or_what_is_shown_says_so() {
    for (hits, note) in [
        (vec![], "no tool matches"),
        (
            vec![Hit::new(0, 1.0)],
            "always available, call it without searching: clock",
        ),
    ] {
        let model = calling(vec![search("something")]);
        let tool_search = ToolSearch::new().ranker(move |_| says(Ok(hits.clone())));
        let agent = agent(model, warehouse(&Arc::default()), tool_search).unwrap();
        let mut conversation = Conversation::new();
        agent.run_in(&mut conversation, "go").await.unwrap();
        let texts = texts(&conversation);
        assert!(texts[0].contains(note), "{texts:?}");
    }
}

#[test]
fn a_ranker_that_cannot_be_made_is_a_problem_of_the_build() {
    let broken = ToolSearch::new()
        .ranker(|tools: &[Document]| -> Index { panic!("no vectors for {} tools", tools.len()) });
    let error = agent(calling(vec![]), warehouse(&Arc::default()), broken)
        .err()
        .unwrap();
    let error = error.to_string();
    let problem = "the ranker of `ToolSearch` could not be made: no vectors for 4 tools";
    assert!(error.contains(problem), "{error}");
}

#[tokio::test]
async fn positions_are_those_of_the_tools_that_are_there() {
    let made = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&made);
    let tool_search = ToolSearch::new().limit(1).ranker(move |tools| {
        count.fetch_add(1, Ordering::SeqCst);
        Embeddings::of(tools)
    });
    let model = calling(vec![search(MEANT)]);
    let agent = agent(model, warehouse(&Arc::default()), tool_search).unwrap();
    agent.tools().disable("invoice_send").unwrap();
    let mut conversation = Conversation::new();
    agent.run_in(&mut conversation, "go").await.unwrap();
    assert_eq!(results(&conversation)[0].loads(), ["warehouse_stock"]);
    assert_eq!(made.load(Ordering::SeqCst), 2);
}
