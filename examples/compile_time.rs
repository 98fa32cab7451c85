//! How long `cargo check` takes after one file among many skills was touched: `skills!` against a
//! table of `include_bytes!` that a build script writes.
//!
//! ```text
//! cargo run --release --example compile_time -- [SKILLS] [MEGABYTES] [ROUNDS]
//! ```
//!
//! Makes the skills and two packages in a temporary folder, checks both once, then touches a file
//! and checks them in turn. Prints the median of each and their ratio. Works offline once the crates
//! of this repository are there.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Writes the table by hand, as a program without `skills!` would.
const BUILD: &str = r#"
use std::{env, fs, path::{Path, PathBuf}};

fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { walk(&path, files) } else { files.push(path) }
    }
}

fn main() {
    println!("cargo::rerun-if-changed=skills");
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap()).join("skills");
    let mut files = Vec::new();
    walk(&root, &mut files);
    files.sort();
    let mut table = String::from("pub static FILES: &[(&str, &[u8])] = &[\n");
    for file in files {
        let name = file.strip_prefix(&root).unwrap().display();
        table.push_str(&format!("({:?}, include_bytes!({:?})),\n", name.to_string(), file));
    }
    table.push_str("];\n");
    let out = PathBuf::from(env::var("OUT_DIR").unwrap()).join("table.rs");
    fs::write(out, table).unwrap();
}
"#;

fn write(path: &Path, text: impl AsRef<[u8]>) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    Ok(fs::write(path, text)?)
}

/// A part of a `SKILL.md` such as people write; twenty of them have the size of a common one.
const BODY: &str = "
## Read what is there

1. Open [the guide](references/0.md#start) and `references/1.md` before anything else.
2. Ask when a number is missing; never **guess** one.

```sh
scan --input data.csv --limit 20  # a sample is enough
```

| column | meaning |
|---|---|
| `sku` | stock keeping unit, see [the table](references/2.md) |
";

/// So many skills with five files each, together so many megabytes.
fn skills(root: &Path, count: usize, megabytes: usize) -> Result<()> {
    let size = megabytes * 1_000_000 / count / 5;
    for number in 0..count {
        let name = format!("skill-{number}");
        let folder = root.join(&name);
        let description = format!("Does the work number {number}. Use when it is asked for.");
        let header = format!("---\nname: {name}\ndescription: {description}\n---\n");
        write(&folder.join("SKILL.md"), header + &BODY.repeat(20))?;
        for file in 0..5 {
            let line = format!("line {number} {file}\n");
            write(
                &folder.join(format!("references/{file}.md")),
                line.repeat(size / line.len()),
            )?;
        }
    }
    Ok(())
}

fn package(root: &Path, name: &str, manifest: &str, build: &str, main: &str) -> Result<()> {
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n{manifest}\n[workspace]\n"
    );
    write(&root.join("Cargo.toml"), manifest)?;
    write(&root.join("build.rs"), build)?;
    write(&root.join("src/main.rs"), main)?;
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock");
    fs::copy(lock, root.join("Cargo.lock"))?;
    Ok(())
}

fn check(root: &Path) -> Result<Duration> {
    let start = Instant::now();
    let status = Command::new("cargo")
        .args(["check", "--quiet", "--offline"])
        .current_dir(root)
        .env("CARGO_TARGET_DIR", root.join("target"))
        .status()?;
    if !status.success() {
        return Err("cargo check failed".into());
    }
    Ok(start.elapsed())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn main() -> Result<()> {
    let numbers: Vec<usize> = std::env::args()
        .skip(1)
        .map(|n| n.parse())
        .collect::<std::result::Result<_, _>>()?;
    let number = |index: usize, default| numbers.get(index).copied().unwrap_or(default).max(1);
    let (count, megabytes, rounds) = (number(0, 300), number(1, 20), number(2, 7));
    let root = std::env::temp_dir().join("repertoire-compile-time");
    let _ = fs::remove_dir_all(&root);
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .canonicalize()?;
    let path = |folder: &str| format!("{{ path = '{}' }}", repository.join(folder).display());
    let (ours, table): (PathBuf, PathBuf) = (root.join("ours"), root.join("table"));
    for package in [&ours, &table] {
        skills(&package.join("skills"), count, megabytes)?;
    }
    let runtime =
        path("runtime").replace(" }", ", default-features = false, features = [\"link\"] }");
    package(
        &ours,
        "ours",
        &format!(
            "[dependencies]\nrepertoire = {runtime}\n[build-dependencies]\nrepertoire-skillmd = {}\n",
            path("skillmd")
        ),
        "fn main() {\n    repertoire_skillmd::build::track(\"skills\");\n}\n",
        "repertoire::skills!(\"skills/\");\nfn main() {\n    println!(\"{}\", repertoire::linked!().skills().len());\n}\n",
    )?;
    package(
        &table,
        "table",
        "",
        BUILD,
        "include!(concat!(env!(\"OUT_DIR\"), \"/table.rs\"));\nfn main() {\n    println!(\"{}\", FILES.len());\n}\n",
    )?;
    check(&ours)?;
    check(&table)?;
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for round in 0..rounds {
        for (package, times) in [(&ours, &mut first), (&table, &mut second)] {
            let file = package.join("skills/skill-7/references/3.md");
            write(&file, format!("touched {round}\n"))?;
            times.push(check(package)?);
        }
    }
    let (first, second) = (median(first), median(second));
    println!(
        "{count} skills, {megabytes} MB, {rounds} rounds, median of cargo check after a touch"
    );
    println!("skills!              {first:.2?}");
    println!("include_bytes! table {second:.2?}");
    println!(
        "ratio                {:.2}",
        first.as_secs_f64() / second.as_secs_f64()
    );
    fs::remove_dir_all(root)?;
    Ok(())
}
