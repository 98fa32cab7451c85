//! What stands around a macro call, read from the source file.
//!
//! A macro sees its own item alone. Three mistakes lie outside of it, and the compiler would report
//! them about generated code: a method without `self` outside of a toolbox, a function written twice,
//! and a type or module of the tool's name. Where the file cannot be read, nothing is said here.

mod items;

use std::{cell::RefCell, collections::HashMap, fs, path::PathBuf, rc::Rc, time::SystemTime};

use proc_macro2::Span;

use items::{Index, Item};

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
