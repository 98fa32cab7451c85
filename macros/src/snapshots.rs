//! What the macros write, kept in `tests/expand` for people to read in a diff.
//!
//! `NAME.rs` says in its first line which macro runs with which arguments, as in `// tool: deferred`;
//! the rest is the item. `NAME.out` is what comes of it. `UPDATE_EXPECT=1` writes the second anew.

use std::{fs, path::Path};

use proc_macro2::TokenStream;

#[test]
fn expansions_are_as_kept() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/expand");
    let mut count = 0;
    let mut changed = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        count += 1;
        let text = pretty(&run(&fs::read_to_string(&path).unwrap()));
        let kept = path.with_extension("out");
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&kept, &text).unwrap();
        } else if fs::read_to_string(&kept).unwrap_or_default() != text {
            changed.push(format!("{}\n{text}", kept.display()));
        }
    }
    assert!(count > 5, "the folder of snapshots is gone");
    assert!(
        changed.is_empty(),
        "changed (UPDATE_EXPECT=1 accepts):\n{}",
        changed.join("\n")
    );
}

fn run(file: &str) -> TokenStream {
    let (first, item) = file.split_once('\n').unwrap();
    let (macro_name, arguments) = first
        .strip_prefix("// ")
        .and_then(|first| first.split_once(':'))
        .unwrap();
    let arguments = arguments.parse().unwrap();
    let item = item.parse().unwrap();
    match macro_name {
        "tool" => crate::tool::entry(arguments, item),
        "toolbox" => crate::toolbox::entry(arguments, item),
        "ToolSchema" => crate::schema::entry(item),
        other => panic!("no macro {other}"),
    }
}

/// The tokens as source, or as they are where they are no source.
fn pretty(tokens: &TokenStream) -> String {
    match syn::parse2(tokens.clone()) {
        Ok(file) => prettyplease::unparse(&file),
        Err(_) => format!("{tokens}\n"),
    }
}
