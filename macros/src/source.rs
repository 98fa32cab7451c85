//! What stands around a macro call, read from the source file.
//!
//! A macro sees its own item alone. Some mistakes lie outside of it, and the compiler would report
//! them about generated code: a method without `self` outside of a toolbox, a function written twice,
//! two tools of one name, a type or module of the tool's name, and types that hold each other. Where the file cannot be read, nothing is said here.

mod items;
mod tokens;
mod tools;
mod types;

use std::{cell::RefCell, collections::HashMap, fs, path::PathBuf, rc::Rc, time::SystemTime};

use proc_macro2::Span;
use repertoire_skillmd::nearest::nearest;

use items::{Index, Item};
pub(crate) use types::names;

thread_local! {
    /// The files that were read, with the time and size they had.
    static FILES: RefCell<HashMap<PathBuf, (Stamp, Rc<Index>)>> = RefCell::default();
}

type Stamp = (Option<SystemTime>, u64);

/// A place in a source file.
pub(crate) struct Place {
    index: Rc<Index>,
    offset: usize,
}

impl Place {
    /// Where a token was written, if the compiler tells.
    pub(crate) fn of(span: Span) -> Option<Place> {
        if !proc_macro::is_available() {
            return None;
        }
        // Within a macro, as was just asked, every span is one of the compiler's: this cannot panic.
        let span = span.unwrap();
        let (line, column) = (span.line(), span.column());
        let index = index(span.local_file()?)?;
        let offset = index.offset(line, column)?;
        Some(Place { index, offset })
    }

    /// Whether this is directly in an `impl` block or a trait.
    pub(crate) fn is_in_impl(&self) -> bool {
        matches!(self.index.block(self.offset).kind(), "impl" | "trait")
    }

    /// The line of an earlier tool in the same scope whose function has the same name. One that
    /// depends on `cfg` may not be there.
    pub(crate) fn earlier_tool(&self, name: &str) -> Option<usize> {
        let own = self.own_item()?;
        let same = |item: &&Item| item.kind == "fn" && item.is_tool && !item.has_cfg;
        let earlier = self.siblings(name).find(same)?;
        (!own.has_cfg && earlier.at < own.at).then(|| self.index.line(earlier.at))
    }

    /// What else of a name is in the same scope and is a type or a module: its keyword and its line.
    pub(crate) fn other_type(&self, name: &str) -> Option<(&'static str, usize)> {
        let own = self.own_item()?;
        let is_type = |item: &&Item| item.kind != "fn" && !item.has_cfg;
        let other = self.siblings(name).find(is_type)?;
        (!own.has_cfg).then(|| (other.kind, self.index.line(other.at)))
    }

    /// The line of an earlier tool of the file that has the same name and toolset.
    pub(crate) fn same_tool(&self, name: &str, toolset: Option<&str>) -> Option<usize> {
        let own = self.own_item()?;
        if own.has_cfg || !self.index.is_plain(own.block) {
            return None;
        }
        let mut tools = tools::of(&self.index).iter();
        let earlier = tools.find(|tool| tool.is_called(name, toolset) && tool.at < own.at)?;
        Some(self.index.line(earlier.at))
    }

    /// The line of an earlier toolbox of the type whose name is here.
    pub(crate) fn earlier_toolbox(&self) -> Option<usize> {
        let impls = &self.index.impls;
        let own = impls.iter().find(|item| item.name_at == self.offset)?;
        let ty = self.index.to_brace(own.name_at);
        let same = |item: &&Item| {
            item.is_tool
                && item.at < own.at
                && item.block == own.block
                && !item.has_cfg
                && self.index.to_brace(item.name_at) == ty
        };
        let earlier = impls.iter().find(same)?;
        (!own.has_cfg).then(|| self.index.line(earlier.at))
    }

    /// The types that hold the one whose name is here and are held by it, with this one, in the order
    /// in which they are written; none where it is no such type.
    pub(crate) fn circle(&self) -> Vec<String> {
        types::circle(&self.index, self.offset)
    }

    /// The function of the file whose name is most like another.
    pub(crate) fn near_function(&self, name: &str) -> Option<String> {
        let functions = self.index.items.iter().filter(|item| item.kind == "fn");
        let names = functions.map(|item| self.index.name(item));
        nearest(name, names).map(str::to_owned)
    }

    /// Whether a name that was written here may mean something. It does not where it stands nowhere else
    /// in the file but as the value of a key, nothing is imported without being named, and no macro is
    /// defined, whose own names mean what they mean where it is called.
    pub(crate) fn may_mean(&self, name: &str) -> bool {
        !self.index.reads(self.offset, name)
            || self.index.has_unnamed()
            || self.index.mentions(name)
    }

    /// Whether this is the value in `name = value`.
    pub(crate) fn is_assigned(&self) -> bool {
        self.index.before(self.offset).ends_with('=')
    }

    /// Whether a type of a name stands in one of the blocks around this, or in the file itself.
    pub(crate) fn sees_type(&self, name: &str) -> bool {
        let is_type = |item: &Item| matches!(item.kind, "struct" | "enum" | "union" | "type");
        let mut types = self.index.named(name).filter(|item| is_type(item));
        types.any(|item| self.index.holds(item.block, self.offset))
    }

    fn own_item(&self) -> Option<&Item> {
        let items = &self.index.items;
        items.iter().find(|item| item.name_at == self.offset)
    }

    fn siblings(&self, name: &str) -> impl Iterator<Item = &Item> {
        let block = self.own_item().map(|item| item.block);
        let items = self.index.named(name);
        items.filter(move |item| Some(item.block) == block && item.name_at != self.offset)
    }
}

fn index(path: PathBuf) -> Option<Rc<Index>> {
    let metadata = fs::metadata(&path).ok()?;
    let stamp = (metadata.modified().ok(), metadata.len());
    FILES.with_borrow_mut(|files| {
        if let Some((known, index)) = files.get(&path)
            && *known == stamp
        {
            return Some(Rc::clone(index));
        }
        let index = Rc::new(Index::new(&fs::read_to_string(&path).ok()?));
        files.insert(path, (stamp, Rc::clone(&index)));
        Some(index)
    })
}
