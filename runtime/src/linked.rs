//! What registered itself: `linked!()` and what it expands to.

use crate::{Repertoire, Skills, Toolset, skill::EmbeddedSkills, tool::Registration};

/// The tools and skills that registered themselves in the package it is written in.
///
/// - `linked!()`: what `#[tool]` and `skills!` registered in this package.
/// - `linked!(plug, other_plug)`: the same of these crates, which are linked by being named here.
/// - `linked!(plug as extra)`: the same of the crate `plug`, which `Cargo.toml` names `extra`.
/// - `linked!("billing")`: of this package, the tools with `#[tool(toolset = "billing")]`.
///
/// A crate takes part only where it is named: in `main.rs`, the tools of the package's own library
/// come along when something of the library is used there, if only by `use my_library as _;`.
///
/// What a dependency registers never comes along by itself. An empty result is an error when the
/// agent is built, since it means that something was not linked.
#[macro_export]
macro_rules! linked {
    () => {
        $crate::__private::linked($crate::__private::Origin::Package(::core::env!("CARGO_PKG_NAME")))
    };
    ($toolset:literal) => {
        $crate::__private::linked($crate::__private::Origin::Toolset(
            ::core::env!("CARGO_PKG_NAME"),
            $toolset,
        ))
    };
    ($($name:ident $(as $here:ident)?),+ $(,)?) => {{
        $($crate::__link_crate!($name $(as $here)?);)+
        $crate::Repertoire::new()
        $(.merge($crate::__private::linked($crate::__private::Origin::Crate(
            ::core::stringify!($name),
        ))))+
    }};
}

/// Has the compiler link a crate, by the name it has here.
#[doc(hidden)]
#[macro_export]
macro_rules! __link_crate {
    ($name:ident as $here:ident) => {
        use $here as _;
    };
    ($name:ident) => {
        use $name as _;
    };
}

/// Whose tools and skills are meant.
#[derive(Clone, Copy, Debug)]
pub enum Origin {
    /// A Cargo package.
    Package(&'static str),
    /// A named toolset of a Cargo package.
    Toolset(&'static str, &'static str),
    /// A crate, by the name it has in paths.
    Crate(&'static str),
}

impl Origin {
    fn holds(self, package: &str, module: &str, toolset: Option<&str>) -> bool {
        match self {
            Self::Package(name) => package == name && toolset.is_none(),
            Self::Toolset(name, wanted) => package == name && toolset == Some(wanted),
            Self::Crate(name) => module.split("::").next() == Some(name) && toolset.is_none(),
        }
    }
}

/// Collects what registered itself.
#[must_use]
pub fn linked(origin: Origin) -> Repertoire {
    let mut tools = Toolset::new();
    for registration in inventory::iter::<Registration> {
        let spec = registration.spec;
        if origin.holds(spec.package, spec.module, spec.toolset) {
            tools.push(registration);
        }
    }
    // The linker's order is not stable; the set with the lowest module path comes first.
    let mut sets: Vec<&'static EmbeddedSkills> = inventory::iter::<EmbeddedSkills>
        .into_iter()
        .filter(|set| origin.holds(set.package, set.module, None))
        .collect();
    sets.sort_by_key(|set| (set.module, set.folder));
    let skills = sets
        .into_iter()
        .fold(Skills::new(), |skills, set| skills.with(Skills::from(set)));
    // Two skills of one name would leave one of them out of the program; within one `skills!` that is
    // an error of the compiler.
    let twice: Vec<String> = skills.skipped().iter().map(ToString::to_string).collect();
    let nothing = (tools.is_empty() && skills.is_empty()).then(|| nothing_linked(origin));
    Repertoire::from(tools)
        .merge(Repertoire::from(skills))
        .with_problems(nothing.into_iter().chain(twice))
}

fn nothing_linked(origin: Origin) -> String {
    match origin {
        Origin::Package(name) => format!(
            "`linked!()` found no tool and no skill of package `{name}`; put `#[tool]` on a \
             function or write `skills!(\"skills/\")` here; tools of the package's own library are \
             linked by `use {} as _;`",
            name.replace('-', "_")
        ),
        Origin::Toolset(name, toolset) => format!(
            "`linked!(\"{toolset}\")` found no tool of package `{name}` with `#[tool(toolset = \
             \"{toolset}\")]`"
        ),
        Origin::Crate(name) => format!(
            "`linked!({name})` found no tool and no skill of crate `{name}`; it registers none, or \
             it was built without the feature `link` of repertoire or with another version of it \
             (`cargo tree -d` lists both), or `{name}` is only its name in `Cargo.toml`, which is \
             written `linked!(its_own_name as {name})`"
        ),
    }
}
