//! From a neutral request to the JSON of OpenAI Responses.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{Responses, home::namespace, wire::*};
use crate::{
    conversation::{CallKind, Item, ModelPart, ModelTurn, ToolCall, ToolResult, UserMessage},
    protocol::{
        Definition, Effort, Protocol, ProtocolError, Request, Reveal, ToolChoice,
        dialect::Dialect,
        ids::portable,
        images::{Image, Shown},
        raw::{object_or_empty, raw},
    },
    tool::Part,
};

pub(super) fn body<'a>(
    protocol: &'a Responses,
    request: &Request<'a>,
) -> Result<RequestBody<'a>, ProtocolError> {
    // A search without a search tool in the request would be refused.
    let native = protocol.has_tool_search() && request.search().is_some();
    let request = if native {
        request.with_reveal(Reveal::Append)
    } else {
        *request
    };
    let mut writer = Writer {
        id: protocol.name(),
        native,
        additional_tools: protocol.has_additional_tools(),
        interleaved: protocol.is_interleaved(),
        request,
        input: Vec::new(),
    };
    let tools = writer.tools()?;
    writer.items()?;
    let options = request.options();
    Ok(RequestBody {
        model: protocol.model(),
        instructions: request.system(),
        tool_choice: options
            .filter(|_| !tools.is_empty())
            .and_then(|options| choice(&options.tool_choice)),
        tools,
        input: writer.input,
        max_output_tokens: options.and_then(|options| options.max_output_tokens),
        temperature: options.and_then(|options| options.temperature),
        reasoning: options
            .and_then(|options| options.reasoning)
            .map(|effort| Reasoning {
                effort: Effort::word(effort),
            }),
        prompt_cache_key: protocol.cache_key(),
        store: false,
        include: match protocol.has_encrypted_reasoning() {
            true => &["reasoning.encrypted_content"],
            false => &[],
        },
        stream: request.stream(),
    })
}

fn choice(choice: &ToolChoice) -> Option<Choice<'_>> {
    match choice {
        ToolChoice::Auto => None,
        ToolChoice::None => Some(Choice::Mode("none")),
        ToolChoice::Required => Some(Choice::Mode("required")),
        ToolChoice::Tool(name) => Some(Choice::Function {
            r#type: "function",
            name,
        }),
    }
}

fn said(message: &UserMessage) -> Content<'_> {
    match message.parts() {
        [] => return Content::Text("".into()),
        [Part::Text(text)] => return Content::Text(text.into()),
        _ => {}
    }
    let parts = Shown::of(message.parts()).map(|part| match part {
        Shown::Text(text) => ContentPart::InputText { text: text.into() },
        Shown::Image(shown) => image(shown),
    });
    Content::Parts(parts.collect())
}

fn image(image: Image<'_>) -> ContentPart<'static> {
    ContentPart::InputImage {
        image_url: image.data_url(),
        detail: "auto",
    }
}

/// Writes the input items of a request.
pub(super) struct Writer<'a> {
    id: &'static str,
    pub(super) native: bool,
    additional_tools: bool,
    interleaved: bool,
    pub(super) request: Request<'a>,
    input: Vec<Input<'a>>,
}

impl<'a> Writer<'a> {
    fn tools(&self) -> Result<Vec<Tool<'a>>, ProtocolError> {
        if !self.native {
            return self
                .request
                .offered()
                .map(|tool| self.function(tool))
                .collect();
        }
        let tools = self.request.tools().iter().map(|tool| self.function(tool));
        let mut tools: Vec<Tool<'a>> = tools.collect::<Result<_, _>>()?;
        if let Some(search) = self.request.search() {
            tools.push(Tool::ToolSearch {
                execution: "client",
                description: search.description(),
                parameters: search.fit(Dialect::Plain, self.id)?.0,
            });
        }
        Ok(tools)
    }

    fn function(&self, tool: &'a Definition) -> Result<Tool<'a>, ProtocolError> {
        tool.check_name(self.id, 64, "")?;
        let (parameters, fitted) = tool.fit_strict(Some(Dialect::OpenAiStrict), self.id)?;
        Ok(Tool::Function {
            name: tool.name(),
            description: tool.description(),
            parameters,
            strict: fitted.strict,
        })
    }

    /// The definitions that a search brings: all flat, or each in its namespace. A conversation
    /// that holds both is refused by the provider, so one grouped tool makes all namespaced.
    fn found(&self, result: &'a ToolResult) -> Result<Vec<Tool<'a>>, ProtocolError> {
        let loaded = self.request.loaded_by(result);
        if !self
            .request
            .deferred()
            .iter()
            .any(|tool| tool.group().is_some())
        {
            return loaded.map(|tool| self.function(tool)).collect();
        }
        let mut namespaces: Vec<(&str, Vec<Tool<'a>>)> = Vec::new();
        for tool in loaded {
            let name = namespace(tool);
            let function = self.function(tool)?;
            match namespaces.iter_mut().find(|(known, _)| *known == name) {
                Some((_, tools)) => tools.push(function),
                None => namespaces.push((name, vec![function])),
            }
        }
        let namespaces = namespaces.into_iter().map(|(name, tools)| Tool::Namespace {
            name,
            description: name,
            tools,
        });
        Ok(namespaces.collect())
    }

    fn items(&mut self) -> Result<(), ProtocolError> {
        let items = self.request.items();
        let mut own = false;
        for (index, item) in items.iter().enumerate() {
            match item {
                Item::User(message) => self.input.push(Input::Message {
                    role: "user",
                    content: said(message),
                }),
                Item::Model(turn) => {
                    own = turn.verbatim(self.id).is_some();
                    let results: &'a [ToolResult] = match items.get(index + 1) {
                        Some(Item::Results(results)) if self.interleaved => results,
                        _ => &[],
                    };
                    self.turn(turn, results)?;
                }
                Item::Results(results) => self.results(results, own)?,
            }
        }
        Ok(())
    }

    /// One response of a model. `results` is not empty where each has to follow its call.
    fn turn(
        &mut self,
        turn: &'a ModelTurn,
        results: &'a [ToolResult],
    ) -> Result<(), ProtocolError> {
        if let Some(items) = turn.verbatim(self.id) {
            for item in items {
                let item = self.own_item(item, turn)?;
                self.input.push(item);
            }
            if !results.is_empty() {
                self.interleave(turn, results)?;
            }
            return Ok(());
        }
        for part in turn.parts() {
            match part {
                ModelPart::Text(text) if text.is_empty() => {}
                ModelPart::Text(text) => self.input.push(Input::Message {
                    role: "assistant",
                    content: Content::Text(text.into()),
                }),
                // Reasoning is signed by the provider that wrote it and means nothing to another.
                ModelPart::Reasoning(_) => {}
                ModelPart::Call(call) => {
                    let typed = self.foreign_call(call)?;
                    self.input.push(Input::Typed(typed));
                    let result = results.iter().find(|result| result.call_id() == call.id());
                    if let Some(result) = result {
                        let output = self.output(result, portable(result.call_id()));
                        self.input.push(Input::Typed(output));
                    }
                }
            }
        }
        Ok(())
    }

    /// Puts each output behind its call.
    fn interleave(
        &mut self,
        turn: &'a ModelTurn,
        results: &'a [ToolResult],
    ) -> Result<(), ProtocolError> {
        #[derive(Deserialize)]
        struct Called {
            #[serde(default)]
            call_id: Option<String>,
        }
        let count = turn.verbatim(self.id).map_or(0, <[_]>::len);
        let start = self.input.len().saturating_sub(count);
        for input in self.input.split_off(start) {
            let called = match &input {
                Input::Verbatim(item) => serde_json::from_str::<Called>(item.get()).ok(),
                _ => None,
            };
            self.input.push(input);
            let call_id = called.and_then(|called| called.call_id);
            let result = results
                .iter()
                .find(|result| Some(result.call_id()) == call_id.as_deref());
            if let Some(result) = result {
                let output = self.output(result, result.call_id().into());
                self.input.push(Input::Typed(output));
            }
        }
        Ok(())
    }

    /// A call that another provider's model made.
    fn foreign_call(&self, call: &'a ToolCall) -> Result<Typed<'a>, ProtocolError> {
        let call_id = portable(call.id());
        if self.native && call.kind() == CallKind::Search {
            return Ok(Typed::ToolSearchCall {
                call_id,
                execution: "client",
                status: "completed",
                arguments: object_or_empty(call.arguments()).map_err(ProtocolError::Encode)?,
            });
        }
        let (name, arguments) = self.request.called(call);
        // A tool that was found by search lives in a namespace; without it the provider looks in
        // the default one and refuses the request.
        let namespace = match self.rehome(&name, call.namespace()) {
            Some(home) => home,
            None => call.namespace().filter(|_| self.native),
        };
        Ok(Typed::FunctionCall {
            call_id,
            name,
            namespace,
            arguments,
        })
    }

    fn output(&self, result: &'a ToolResult, call_id: Cow<'a, str>) -> Typed<'a> {
        let text = self.request.result_text(result);
        let images: Vec<ContentPart<'a>> = Image::of(result.output()).map(image).collect();
        let output = if images.is_empty() {
            Content::Text(text.into())
        } else {
            let text = (!text.is_empty()).then(|| ContentPart::InputText { text: text.into() });
            Content::Parts(text.into_iter().chain(images).collect())
        };
        Typed::FunctionCallOutput { call_id, output }
    }

    /// `own`: whether this provider made the calls, so that their identifiers are known to it.
    fn results(&mut self, results: &'a [ToolResult], own: bool) -> Result<(), ProtocolError> {
        let mut notes = String::new();
        let mut loading = Vec::new();
        for result in results {
            let call_id = if own {
                result.call_id().into()
            } else {
                portable(result.call_id())
            };
            if !(self.native && result.kind() == CallKind::Search) {
                if !self.interleaved {
                    let output = self.output(result, call_id);
                    self.input.push(Input::Typed(output));
                }
                if self.native && self.request.loaded_by(result).next().is_some() {
                    loading.push(result);
                }
                continue;
            }
            let found_nothing = self.request.loaded_by(result).next().is_none();
            let note = if found_nothing {
                self.request.result_text(result)
            } else {
                result.output().to_text()
            };
            if !note.is_empty() {
                if !notes.is_empty() {
                    notes.push('\n');
                }
                notes.push_str(&note);
            }
            self.search_output(result, call_id)?;
        }
        for result in loading {
            if self.additional_tools {
                let tools = self.found(result)?;
                let role = "developer";
                let item = Typed::AdditionalTools { role, tools };
                self.input.push(Input::Typed(item));
                continue;
            }
            // A skill that loaded tools elsewhere: here only a search brings definitions.
            let call_id = portable(&format!("load_{}", result.call_id())).into_owned();
            let arguments = raw(&Queries {
                queries: result.loads(),
            });
            self.input.push(Input::Typed(Typed::ToolSearchCall {
                call_id: call_id.clone().into(),
                execution: "client",
                status: "completed",
                arguments: arguments.map_err(ProtocolError::Encode)?,
            }));
            self.search_output(result, call_id.into())?;
        }
        // A search output has room for definitions alone. What else there is to say about a search
        // follows when all calls have their outputs.
        if !notes.is_empty() {
            self.input.push(Input::Message {
                role: "developer",
                content: Content::Text(notes.into()),
            });
        }
        Ok(())
    }

    fn search_output(
        &mut self,
        result: &'a ToolResult,
        call_id: Cow<'a, str>,
    ) -> Result<(), ProtocolError> {
        let tools = self.found(result)?;
        self.input.push(Input::Typed(Typed::ToolSearchOutput {
            call_id,
            execution: "client",
            status: "completed",
            tools,
        }));
        Ok(())
    }
}

#[derive(Serialize)]
struct Queries<'a> {
    queries: &'a [String],
}
