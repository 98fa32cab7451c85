//! A model that follows rules.

use std::{fmt, sync::Mutex};

use serde_json::Value;

use super::{Act, Rule, Seen, rule::Verdict};
use crate::{
    conversation::ModelTurn,
    maybe_send::BoxFuture,
    model::{Model, ModelError, OnEvent},
    protocol::{Capabilities, Protocol, Request},
};

/// A model that follows rules and sees only what a provider would see.
///
/// Every request is encoded by the protocol; the rules look at that JSON; what the model does is
/// written in the provider's JSON and decoded again. A catalog entry or a definition that is missing
/// from the request therefore stops the run, and the error says what is missing.
///
/// ```
/// use repertoire::{Agent, Responses, testing::{Rule, Script}};
///
/// # async fn run() -> repertoire::Result<()> {
/// let model = Script::new(Responses::new("gpt-5.4")).rule(Rule::say("hello"));
/// let agent = Agent::builder(model).build()?;
/// assert_eq!(agent.run("hi").await?.text(), "hello");
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Script<P> {
    protocol: P,
    rules: Vec<Rule>,
    bodies: Mutex<Vec<String>>,
}

/// A protocol whose JSON a script can read and write. Sealed.
pub trait Scriptable: Protocol + Wire {}

impl<P: Protocol + Wire> Scriptable for P {}

/// How a script reads requests and writes responses.
pub trait Wire {
    /// What a request shows, or why the provider would refuse it.
    fn see(body: Value) -> Result<Seen, String>;
    /// A response in which the model acts so.
    fn write(act: &Act, seen: &Seen) -> Value;
}

impl<P: Scriptable> Script<P> {
    /// A model without rules behind a protocol.
    #[must_use]
    pub fn new(protocol: P) -> Self {
        Self {
            protocol,
            rules: Vec::new(),
            bodies: Mutex::new(Vec::new()),
        }
    }

    /// The same model with one more rule. In each step the first that applies is followed.
    #[must_use]
    pub fn rule(mut self, rule: Rule) -> Self {
        self.rules.push(rule);
        self
    }

    /// The bodies of all requests so far, as they would go over the wire.
    #[must_use]
    pub fn bodies(&self) -> Vec<String> {
        match self.bodies.lock() {
            Ok(bodies) => bodies.clone(),
            Err(poisoned) => poisoned.into_inner().clone(),
        }
    }

    fn turn(&self, request: &Request<'_>) -> Result<ModelTurn, ModelError> {
        let body = self.protocol.encode(request)?;
        if let Ok(mut bodies) = self.bodies.lock() {
            bodies.push(body.json().to_owned());
        }
        let json = serde_json::from_str(body.json()).map_err(ModelError::other)?;
        let seen = P::see(json).map_err(|why| ModelError::other(ScriptError::Refused(why)))?;
        let mut reasons = Vec::new();
        for rule in &self.rules {
            let why = match rule.verdict(&seen) {
                Verdict::Act(act) => {
                    let response = P::write(&act, &seen);
                    return Ok(self.protocol.decode(response.to_string().as_bytes())?);
                }
                Verdict::Lacks(why) => {
                    let label = rule.label().to_owned();
                    return Err(ModelError::other(ScriptError::Lacks(label, why)));
                }
                Verdict::Skip(why) => why,
            };
            reasons.push(format!("{}: {why}", rule.label()));
        }
        Err(ModelError::other(ScriptError::NoRule(reasons)))
    }
}

impl<P: Scriptable> Model for Script<P> {
    fn capabilities(&self) -> Capabilities {
        self.protocol.capabilities()
    }

    fn provider(&self) -> &str {
        self.protocol.provider()
    }

    fn model(&self) -> &str {
        self.protocol.model()
    }

    fn encode(&self, request: &Request<'_>) -> Option<String> {
        let body = self.protocol.encode(request).ok()?;
        Some(body.json().to_owned())
    }

    fn respond<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<ModelTurn, ModelError>> {
        let turn = self.turn(&request);
        Box::pin(std::future::ready(turn))
    }
}

/// A model behind an `Arc` is one too, so that a test can keep hold of its script.
impl<M: Model + ?Sized> Model for std::sync::Arc<M> {
    fn capabilities(&self) -> Capabilities {
        (**self).capabilities()
    }

    fn provider(&self) -> &str {
        (**self).provider()
    }

    fn model(&self) -> &str {
        (**self).model()
    }

    fn encode(&self, request: &Request<'_>) -> Option<String> {
        (**self).encode(request)
    }

    fn respond<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<ModelTurn, ModelError>> {
        (**self).respond(request)
    }

    fn respond_streaming<'a>(
        &'a self,
        request: Request<'a>,
        on_event: OnEvent<'a>,
    ) -> BoxFuture<'a, Result<ModelTurn, ModelError>> {
        (**self).respond_streaming(request, on_event)
    }
}

/// Why a script stopped a run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ScriptError {
    /// A rule applies and lacks something in the request: the rule, and what is missing.
    Lacks(String, String),
    /// No rule applies to the request. One entry for each rule says why.
    NoRule(Vec<String>),
    /// The provider would refuse the request.
    Refused(String),
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRule(reasons) => {
                f.write_str("no rule of the script applies to the request")?;
                for reason in reasons {
                    write!(f, "\n- {reason}")?;
                }
                Ok(())
            }
            Self::Lacks(rule, why) => write!(f, "the script cannot go on at `{rule}`: {why}"),
            Self::Refused(why) => write!(f, "the provider would refuse the request: {why}"),
        }
    }
}

impl std::error::Error for ScriptError {}
