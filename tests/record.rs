//! A subscriber that writes down what a program traces.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, Once},
};

use tracing::{
    Event, Id, Subscriber,
    field::{Field, Visit},
    span,
};
use tracing_subscriber::{
    Layer,
    layer::{Context, SubscriberExt},
    registry::LookupSpan,
};

/// The fields of a span or event, as texts.
pub type Fields = BTreeMap<String, String>;

/// A span as it was recorded.
#[derive(Clone, Debug)]
pub struct Span {
    id: u64,
    /// The name.
    pub name: &'static str,
    /// The place of the span around it among all spans.
    pub parent: Option<usize>,
    /// All fields, whenever they were recorded.
    pub fields: Fields,
    /// What happened directly within: the message and the other fields.
    pub events: Vec<Fields>,
    /// Whether it was closed.
    pub closed: bool,
}

/// Everything that was traced, in order.
#[derive(Clone, Default)]
pub struct Record {
    spans: Arc<Mutex<Vec<Span>>>,
}

thread_local! {
    static HERE: RefCell<Option<Record>> = const { RefCell::new(None) };
}

/// Ends a record when it is dropped.
#[must_use = "the record ends when it is dropped"]
pub struct Guard {}

impl Drop for Guard {
    fn drop(&mut self) {
        HERE.set(None);
    }
}

impl Record {
    /// Records what this thread traces, until the guard is dropped, and what goes on elsewhere in a
    /// span that began here.
    ///
    /// Every test of a program has to do so before it traces anything: what is traced for the first
    /// time while a subscriber is set up may be left out for ever.
    pub fn start() -> (Self, Guard) {
        static SET_UP: Once = Once::new();
        SET_UP.call_once(|| {
            let subscriber = tracing_subscriber::registry().with(Router {});
            tracing::subscriber::set_global_default(subscriber).expect("the only subscriber");
        });
        let record = Self::default();
        HERE.set(Some(record.clone()));
        (record, Guard {})
    }

    /// All spans, in the order they began.
    pub fn spans(&self) -> Vec<Span> {
        self.lock().clone()
    }

    /// The only span with this value of a field.
    pub fn one(&self, field: &str, value: &str) -> Span {
        let mut spans = self.spans();
        spans.retain(|span| span.fields.get(field).is_some_and(|known| known == value));
        assert_eq!(spans.len(), 1, "spans with {field} = {value}: {spans:#?}");
        spans.remove(0)
    }

    /// The names of the spans around one, from the inside out, each with its tool.
    pub fn path(&self, span: &Span) -> Vec<String> {
        let spans = self.spans();
        let mut path = Vec::new();
        let mut next = span.parent;
        while let Some(span) = next.and_then(|parent| spans.get(parent)) {
            let name = span
                .fields
                .get("otel.name")
                .map_or(span.name, String::as_str);
            path.push(name.to_owned());
            next = span.parent;
        }
        path
    }

    /// Everything, for a search.
    pub fn dump(&self) -> String {
        format!("{:?}", self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Span>> {
        self.spans.lock().unwrap()
    }

    fn with(&self, id: &Id, change: impl FnOnce(&mut Span)) {
        let id = id.into_u64();
        // An identifier may be given again once its span is closed.
        let mut spans = self.lock();
        let span = spans.iter_mut().rev().find(|span| span.id == id);
        change(span.expect("a span that was recorded"));
    }
}

struct Texts<'a>(&'a mut Fields);

impl Visit for Texts<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), value.to_owned());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.insert(field.name().to_owned(), format!("{value:?}"));
    }
}

/// Sends everything to the record of the span or of the thread.
struct Router {}

impl Router {
    fn of<S: Subscriber + for<'a> LookupSpan<'a>>(
        id: &Id,
        context: &Context<'_, S>,
    ) -> Option<Record> {
        context.span(id)?.extensions().get::<Record>().cloned()
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Router {
    fn on_new_span(&self, attributes: &span::Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else {
            return;
        };
        let parent = span.parent().map(|span| span.id());
        let outer = parent.as_ref().and_then(|id| Self::of(id, &context));
        let Some(record) = outer.or_else(|| HERE.with_borrow(Clone::clone)) else {
            return;
        };
        let mut fields = Fields::new();
        attributes.record(&mut Texts(&mut fields));
        let mut spans = record.lock();
        let parent = parent.and_then(|id| spans.iter().rposition(|span| span.id == id.into_u64()));
        spans.push(Span {
            id: id.into_u64(),
            name: attributes.metadata().name(),
            parent,
            fields,
            events: Vec::new(),
            closed: false,
        });
        drop(spans);
        span.extensions_mut().insert(record);
    }

    fn on_record(&self, id: &Id, values: &span::Record<'_>, context: Context<'_, S>) {
        if let Some(record) = Self::of(id, &context) {
            record.with(id, |span| values.record(&mut Texts(&mut span.fields)));
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let mut fields = Fields::new();
        event.record(&mut Texts(&mut fields));
        fields.insert("level".to_owned(), event.metadata().level().to_string());
        if let Some(span) = context.event_span(event)
            && let Some(record) = Self::of(&span.id(), &context)
        {
            record.with(&span.id(), |span| span.events.push(fields));
        }
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        if let Some(record) = Self::of(&id, &context) {
            record.with(&id, |span| span.closed = true);
        }
    }
}
