//! The keys that say how a tool is run: how long, how often, and what if it fails.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Ident, LitStr, Path, Token, bracketed, parse::Parser, punctuated::Punctuated};

use crate::{
    diagnostics::Diagnostics,
    keys::{self, Key, Value},
    literal::Number,
};

/// The keys.
pub(super) const KEYS: &[&str] = &[
    "timeout",
    "deadline",
    "retries",
    "backoff",
    "repeatable",
    "once",
    "post_process",
    "max_output",
];

const BACKOFF: &[&str] = &["first", "longest"];
const ONCE: &[&str] = &["key", "within"];

/// What the keys say.
#[derive(Default)]
pub(crate) struct Policy {
    timeout: Option<Time>,
    deadline: Option<Time>,
    retries: Option<u32>,
    backoff: Option<(Time, Option<Time>)>,
    repeatable: bool,
    once: Option<Once>,
    post_process: Option<Path>,
    max_output: Option<usize>,
    /// The keys that need a function that can be stopped.
    stops: Vec<Ident>,
}

/// A length of time in milliseconds.
#[derive(Clone, Copy)]
struct Time(u64);

/// What makes two calls the same.
#[derive(Default)]
struct Once {
    key: Vec<Ident>,
    within: Option<Time>,
}

impl Policy {
    /// The function that takes the result.
    pub(super) fn post_process(&self) -> Option<&Path> {
        self.post_process.as_ref()
    }

    /// Takes a key, if it is one of [`KEYS`].
    pub(super) fn set(&mut self, key: &Key, found: &mut Diagnostics) -> syn::Result<()> {
        match key.name().as_str() {
            "timeout" => {
                self.timeout = Some(time(key)?);
                self.stops.push(key.ident.clone());
            }
            "deadline" => {
                self.deadline = Some(time(key)?);
                self.stops.push(key.ident.clone());
            }
            "retries" => {
                self.retries = Some(number(key, "takes a number of further tries: `= 3`")?)
            }
            "backoff" => self.backoff = Some(backoff(key, found)?),
            "repeatable" => self.repeatable = key.flag()?,
            "once" => self.once = Some(once(key, found)?),
            "post_process" => self.post_process = Some(key.path()?),
            "max_output" => {
                self.max_output = Some(number(key, "takes a number of bytes: `= 10_000`")?)
            }
            _ => {}
        }
        Ok(())
    }

    /// Reports what the function or its parameters (their names) do not allow.
    pub(super) fn check(&self, can_be_stopped: bool, parameters: &[&str], found: &mut Diagnostics) {
        for key in self.stops.iter().filter(|_| !can_be_stopped) {
            found.at(
                key,
                format!("`{key}` cannot stop a function that is not `async`; add `blocking`"),
            );
        }
        for name in self.once.iter().flat_map(|once| &once.key) {
            let text = name.to_string();
            if !parameters.contains(&text.as_str()) {
                found.at(name, keys::unknown("parameter", &text, parameters));
            }
        }
    }

    /// An expression of type `Policy`, if there is anything to say.
    pub(super) fn expand(&self, private: &TokenStream) -> Option<TokenStream> {
        let mut calls = TokenStream::new();
        let mut call = |method: &str, argument: TokenStream| {
            let method = Ident::new(method, Span::call_site());
            calls.extend(quote!(.#method(#argument)));
        };
        if let Some(time) = self.timeout {
            call("timeout", time.expand());
        }
        if let Some(time) = self.deadline {
            call("deadline", time.expand());
        }
        if let Some(retries) = self.retries {
            call("retries", quote!(#retries));
        }
        if let Some((first, longest)) = self.backoff {
            // A pause that is never longer than itself would not be one that grows.
            let longest = longest.unwrap_or(Time(first.0.max(60_000)));
            let (first, longest) = (first.expand(), longest.expand());
            call("backoff", quote!(#first, #longest));
        }
        if self.repeatable {
            call("repeatable", quote!(true));
        }
        if let Some(once) = &self.once {
            let key = once.key.iter().map(ToString::to_string);
            let key = (!once.key.is_empty()).then(|| quote!(.key(&[#(#key),*])));
            let within = once.within.map(Time::expand);
            let within = within.map(|within| quote!(.within(#within)));
            call("once", quote!(#private::Once::new() #key #within));
        }
        if let Some(path) = &self.post_process {
            // A function of another form is reported where it is named.
            let span = syn::spanned::Spanned::span(path);
            let function = Ident::new("__repertoire_function", span);
            let apply = Ident::new("repertoire_apply", span);
            call(
                "post_process",
                quote! {
                    |output| {
                        use #private::{Fits as _, Misfits as _};
                        let #function = #private::Named(#path);
                        #function.#apply(output)
                    }
                },
            );
        }
        if let Some(bytes) = self.max_output {
            call("max_output", quote!(#bytes));
        }
        (!calls.is_empty()).then(|| quote!(#private::Policy::new() #calls))
    }
}

impl Time {
    fn expand(self) -> TokenStream {
        let millis = self.0;
        quote!(::core::time::Duration::from_millis(#millis))
    }

    /// Reads `500ms`, `5s`, `10m`, `2h` or `1d`.
    fn read(text: &str) -> Option<Time> {
        let text = text.trim();
        let digits = text.find(|c: char| !c.is_ascii_digit())?;
        let (number, unit) = text.split_at(digits);
        let unit: u64 = match unit.trim() {
            "ms" => 1,
            "s" => 1000,
            "m" | "min" => 60_000,
            "h" => 3_600_000,
            "d" => 86_400_000,
            _ => return None,
        };
        let millis = number.parse::<u64>().ok()?.checked_mul(unit)?;
        (millis > 0).then_some(Time(millis))
    }
}

fn time(key: &Key) -> syn::Result<Time> {
    let wrong =
        || key.wrong_value("takes a length of time: `= \"5s\"`, with `ms`, `s`, `m`, `h` or `d`");
    let text: LitStr = key.text().map_err(|_| wrong())?;
    Time::read(&text.value()).ok_or_else(wrong)
}

fn number<T: TryFrom<i128>>(key: &Key, takes: &str) -> syn::Result<T> {
    let number = key.number().and_then(|literal| match literal.number {
        Some(Number::Whole(number)) => T::try_from(number).ok(),
        _ => None,
    });
    number.ok_or_else(|| key.wrong_value(takes))
}

fn backoff(key: &Key, found: &mut Diagnostics) -> syn::Result<(Time, Option<Time>)> {
    let Value::List(group) = &key.value else {
        return Ok((time(key)?, None));
    };
    let (mut first, mut longest) = (None, None);
    for key in keys::parse(group.stream(), BACKOFF, found) {
        match key.name().as_str() {
            "first" => first = Some(time(&key)?),
            _ => longest = Some((time(&key)?, key)),
        }
    }
    let first = first.unwrap_or(Time(1000));
    match longest {
        Some((longest, key)) if longest.0 < first.0 => {
            Err(key.wrong_value("is no shorter than `first`"))
        }
        longest => Ok((first, longest.map(|(longest, _)| longest))),
    }
}

fn once(key: &Key, found: &mut Diagnostics) -> syn::Result<Once> {
    let mut once = Once::default();
    let group = match &key.value {
        Value::None => return Ok(once),
        Value::List(group) => group,
        Value::Assigned(_) => {
            return Err(
                key.wrong_value("stands alone, or takes `(key = parameter, within = \"10m\")`")
            );
        }
    };
    for key in keys::parse(group.stream(), ONCE, found) {
        match key.name().as_str() {
            "key" => once.key = names(&key)?,
            _ => once.within = Some(time(&key)?),
        }
    }
    Ok(once)
}

/// `key = sku` or `key = [sku, day]`.
fn names(key: &Key) -> syn::Result<Vec<Ident>> {
    let wrong = || key.wrong_value("takes parameters: `= sku` or `= [sku, day]`");
    let Value::Assigned(tokens) = &key.value else {
        return Err(wrong());
    };
    if let Ok(name) = syn::parse2::<Ident>(tokens.clone()) {
        return Ok(vec![name]);
    }
    let list = |input: syn::parse::ParseStream<'_>| {
        let content;
        bracketed!(content in input);
        Punctuated::<Ident, Token![,]>::parse_terminated(&content)
    };
    list.parse2(tokens.to_token_stream())
        .map(|names| names.into_iter().collect())
        .map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use super::Time;

    #[test]
    fn times_are_read_with_their_unit() {
        let millis = |text| Time::read(text).map(|time| time.0);
        assert_eq!(millis("500ms"), Some(500));
        assert_eq!(millis("5s"), Some(5_000));
        assert_eq!(millis("10 m"), Some(600_000));
        assert_eq!(millis("2h"), Some(7_200_000));
        assert_eq!(millis("1d"), Some(86_400_000));
        for wrong in [
            "5",
            "s",
            "",
            "5 x",
            "0s",
            "-1s",
            "1.5s",
            "99999999999999999999s",
            "99999999999999999d",
        ] {
            assert_eq!(millis(wrong), None, "{wrong}");
        }
    }
}
