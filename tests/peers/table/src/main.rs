//! Builds the same tool with repertoire and its peers, runs all of them, and prints one table.
//!
//! `cargo run -p peers-table` from `tests/peers`; `-- --quick` builds only what has changed and leaves
//! out the row about building. Processor time is read from `/proc`, so it needs Linux.
//!
//! - A crate in the tree is one that is built for the program, for its macros and build scripts too.
//! - A call starts with the tool's name and the arguments as JSON text and ends with the result as
//!   text. Each peer looks the tool up among a hundred, checks what it checks, and runs it: rmcp through
//!   its router, llm-tool through its registry, rig, which has no registry in this crate, and ours
//!   through a map of the tools' own entry points.
//! - The first request is timed from the start of `main` in a new process. Ours is all of it: the agent
//!   with its checks and its catalog, encoded for the Responses API. The peers' is less: rig's tools in
//!   its type for that API, rmcp's answer to `tools/list`, llm-tool's definitions.

use std::{
    collections::BTreeSet,
    error::Error,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The packages, ours first.
const PEERS: [&str; 4] = ["ours", "rig", "rmcp", "llm-tool"];
/// How often each program is run; the fastest counts.
const RUNS: usize = 12;

/// What is known of one peer. The lower, the better.
#[derive(Default)]
struct Figures {
    version: String,
    crates: f64,
    build_seconds: f64,
    kilobytes: f64,
    dispatch: f64,
    first: f64,
    request_bytes: f64,
}

fn main() -> Result<()> {
    let quick = std::env::args().any(|argument| argument == "--quick");
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut all = Vec::new();
    for peer in PEERS {
        eprintln!("building {peer}");
        let mut figures = Figures::default();
        (figures.version, figures.crates) = tree(&workspace, peer)?;
        figures.build_seconds = build(&workspace, peer, !quick)?;
        figures.kilobytes = fs::metadata(program(&workspace, peer))?.len() as f64 / 1024.0;
        figures.dispatch = f64::INFINITY;
        figures.first = f64::INFINITY;
        all.push(figures);
    }
    // In turns, so that a busy machine is busy for all of them.
    for run in 0..RUNS {
        for (peer, figures) in PEERS.iter().zip(&mut all) {
            let program = program(&workspace, peer);
            let [first, bytes] = numbers(&program, "first")?;
            figures.first = figures.first.min(first);
            figures.request_bytes = bytes;
            // A run of it has twelve rounds of its own.
            if run < 3 {
                let [dispatch] = numbers(&program, "dispatch")?;
                figures.dispatch = figures.dispatch.min(dispatch);
            }
        }
    }
    let [pipeline] = numbers(&program(&workspace, "ours"), "pipeline")?;
    print(&all, pipeline, quick);
    Ok(())
}

fn program(workspace: &Path, peer: &str) -> PathBuf {
    target(workspace, peer).join(format!("release/peer-{peer}"))
}

/// Each peer has a folder of its own, so that none finds what another has built.
fn target(workspace: &Path, peer: &str) -> PathBuf {
    workspace.join("target/peers").join(peer)
}

/// The peer's version, and how many crates are built for it, itself and its own program left out.
fn tree(workspace: &Path, peer: &str) -> Result<(String, f64)> {
    let mut command = Command::new("cargo");
    command
        .args(["tree", "-p", &format!("peer-{peer}")])
        .args(["-e", "normal,build", "--prefix", "none", "--no-dedupe"])
        .current_dir(workspace);
    let text = output(command)?;
    let crates: BTreeSet<&str> = text
        .lines()
        .map(|line| line.split(" (").next().unwrap_or(line).trim())
        .filter(|line| !line.is_empty() && !line.starts_with("peer"))
        .collect();
    let library = match peer {
        "ours" => "repertoire",
        "rig" => "rig-core",
        other => other,
    };
    let version = crates
        .iter()
        .find(|line| line.starts_with(&format!("{library} v")));
    let version = version.ok_or("the peer is not in its own tree")?;
    Ok(((*version).to_owned(), crates.len() as f64))
}

/// Builds a peer from nothing and returns the seconds of all processors that it took.
fn build(workspace: &Path, peer: &str, clean: bool) -> Result<f64> {
    let target = target(workspace, peer);
    if clean && target.exists() {
        fs::remove_dir_all(&target)?;
    }
    let before = children_seconds();
    let status = Command::new("cargo")
        .args(["build", "--release", "-p", &format!("peer-{peer}")])
        .args(["--config", "profile.release.strip='symbols'"])
        .env("CARGO_TARGET_DIR", &target)
        .env_remove("RUSTC_WRAPPER")
        .current_dir(workspace)
        .stderr(Stdio::null())
        .status()?;
    if !status.success() {
        return Err(format!("peer-{peer} cannot be built").into());
    }
    Ok(children_seconds() - before)
}

/// The processor time, in seconds, of all children that have ended, as Linux counts it.
fn children_seconds() -> f64 {
    // Everything after the name, which may hold spaces and is in brackets.
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(") ").next().unwrap_or_default();
    let ticks = fields.split(' ').skip(13).take(2);
    let ticks: f64 = ticks.filter_map(|text| text.parse::<f64>().ok()).sum();
    ticks / 100.0
}

fn numbers<const N: usize>(program: &Path, what: &str) -> Result<[f64; N]> {
    let mut command = Command::new(program);
    command.arg(what);
    let text = output(command)?;
    let numbers: std::result::Result<Vec<f64>, _> =
        text.split_whitespace().map(str::parse).collect();
    numbers?
        .try_into()
        .map_err(|_| format!("`{what}` printed {text:?}").into())
}

fn output(mut command: Command) -> Result<String> {
    let output = command.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(format!("{command:?} failed").into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

fn print(all: &[Figures], pipeline: f64, quick: bool) {
    print!("| |");
    for figures in all {
        print!(" {} |", figures.version);
    }
    println!(" ours / best peer |\n|{}", "---|".repeat(all.len() + 2));
    let row = |name: &str, digits: usize, value: fn(&Figures) -> f64| {
        print!("| {name} |");
        for figures in all {
            print!(" {:.digits$} |", value(figures));
        }
        let mut values = all.iter().map(value);
        let ours = values.next().unwrap_or(f64::NAN);
        println!(" {:.2} |", ours / values.fold(f64::INFINITY, f64::min));
    };
    row("crates in the tree", 0, |figures| figures.crates);
    if !quick {
        row("clean release build, CPU s", 1, |figures| {
            figures.build_seconds
        });
    }
    row("stripped binary, KiB", 0, |figures| figures.kilobytes);
    row("dispatch, ns a call", 0, |figures| figures.dispatch);
    row("first request with 100 tools, µs", 0, |figures| {
        figures.first / 1000.0
    });
    row("its size, bytes", 0, |figures| figures.request_bytes);
    println!("\nOurs through an agent's whole pipeline: {pipeline:.0} ns a call.");
}
