//! An `impl` block, of which only the signatures of tools are read.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::{ToTokens, TokenStreamExt, quote};
use syn::{
    Attribute, Generics, Token, Type, Visibility, braced,
    parse::{Parse, ParseStream},
    token::Brace,
};

use crate::{
    diagnostics::Diagnostics,
    externs,
    tool::{conditional, function::Function},
};

/// An `impl` block as it was written.
pub(super) struct Block {
    pub(super) attributes: Vec<Attribute>,
    impl_token: Token![impl],
    generics: Generics,
    /// The trait and `for`.
    of_trait: TokenStream,
    pub(super) ty: Type,
    brace: Brace,
    pub(super) members: Vec<Member>,
}

/// A member of the block.
pub(super) enum Member {
    /// A method with its `#[tool]`, which is no longer among its attributes.
    Tool(Box<Attribute>, Box<Function>),
    /// Anything else, as it is.
    Other(TokenStream),
}

impl Block {
    /// Whether this is a type's own block, without parameters.
    pub(super) fn is_plain(&self) -> bool {
        self.of_trait.is_empty() && self.generics.params.is_empty()
    }

    /// The block for either case of the first condition on a parameter of a tool, if there is one.
    pub(super) fn split(&mut self, attribute: &TokenStream) -> Option<TokenStream> {
        let (place, condition) =
            (self.members.iter().enumerate()).find_map(|(place, member)| {
                let Member::Tool(_, function) = member else {
                    return None;
                };
                Some((place, conditional::condition(function)?))
            })?;
        let krate = conditional::krate(attribute);
        for member in &mut self.members {
            if let Member::Tool(attribute, function) = member {
                function.attributes.insert(0, (**attribute).clone());
            }
        }
        let mut case = |holds: bool| {
            let Some(Member::Tool(_, function)) = self.members.get_mut(place) else {
                return TokenStream::new();
            };
            let settled = conditional::settled(function, holds);
            let before = std::mem::replace(&mut **function, settled);
            let tokens = self.to_token_stream();
            if let Some(Member::Tool(_, function)) = self.members.get_mut(place) {
                **function = before;
            }
            tokens
        };
        let (with, without) = (case(true), case(false));
        Some(quote! {
            #[cfg(#condition)]
            #[#krate::toolbox(#attribute)]
            #with
            #[cfg(not(#condition))]
            #[#krate::toolbox(#attribute)]
            #without
        })
    }

    /// Reports what makes the block no toolbox.
    pub(super) fn check(&self, found: &mut Diagnostics) {
        if !self.of_trait.is_empty() {
            found.at(
                &self.of_trait,
                "a toolbox is a type's own `impl` block, not that of a trait",
            );
        }
        if let Some(parameter) = self.generics.params.first() {
            found.at(
                parameter,
                "a toolbox is not generic, since it is found by its type; write the block for each type",
            );
        }
        let is_tool = |member: &Member| matches!(member, Member::Tool(..));
        if !self.members.iter().any(is_tool) {
            found.at(
                &self.ty,
                "no method of this toolbox is a tool; mark one with `#[tool]`",
            );
        }
    }
}

impl Parse for Block {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        if !input.peek(Token![impl]) {
            return Err(input.error("`#[toolbox]` stands on an `impl` block"));
        }
        let impl_token = input.parse()?;
        let mut generics: Generics = input.parse()?;
        let mut ty: Type = input.parse()?;
        let mut of_trait = TokenStream::new();
        if input.peek(Token![for]) {
            of_trait = ty.to_token_stream();
            input.parse::<Token![for]>()?.to_tokens(&mut of_trait);
            ty = input.parse()?;
        }
        generics.where_clause = input.parse()?;
        let content;
        let brace = braced!(content in input);
        let mut members = Vec::new();
        while !content.is_empty() {
            members.push(content.parse()?);
        }
        Ok(Block {
            attributes,
            impl_token,
            generics,
            of_trait,
            ty,
            brace,
            members,
        })
    }
}

impl Parse for Member {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let start = input.fork();
        let mut attributes = start.call(Attribute::parse_outer)?;
        let is_tool = |attribute: &Attribute| externs::is_tool(attribute.path());
        let Some(place) = attributes.iter().position(is_tool) else {
            return Ok(Member::Other(other(input)?));
        };
        let attribute = attributes.remove(place);
        let mut function: Function = input.parse()?;
        function.attributes = attributes;
        Ok(Member::Tool(Box::new(attribute), Box::new(function)))
    }
}

/// The tokens of one member.
fn other(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let mut tokens = TokenStream::new();
    tokens.append_all(input.call(Attribute::parse_outer)?);
    input.parse::<Visibility>()?.to_tokens(&mut tokens);
    // The value of a constant may have braces in it; a function ends with them.
    let is_constant = input.peek(Token![const])
        && !input.peek2(Token![fn])
        && !input.peek2(Token![unsafe])
        && !input.peek2(Token![async])
        && !input.peek2(Token![extern]);
    while !input.is_empty() {
        let token: TokenTree = input.parse()?;
        let ends = match &token {
            TokenTree::Group(group) => !is_constant && group.delimiter() == Delimiter::Brace,
            TokenTree::Punct(punct) => punct.as_char() == ';',
            _ => false,
        };
        tokens.append(token);
        if ends {
            break;
        }
    }
    Ok(tokens)
}

impl ToTokens for Block {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Block {
            attributes,
            impl_token,
            generics,
            of_trait,
            ty,
            brace,
            members,
        } = self;
        let bounds = &generics.where_clause;
        tokens.extend(quote!(#(#attributes)* #impl_token #generics #of_trait #ty #bounds));
        brace.surround(tokens, |tokens| tokens.append_all(members));
    }
}

impl ToTokens for Member {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Member::Tool(_, function) => function.to_tokens(tokens),
            Member::Other(other) => tokens.extend(other.clone()),
        }
    }
}
