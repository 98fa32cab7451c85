//! What many tools cost a build.
//!
//! ```text
//! cargo run --release -- [TOOLS]
//! ```
//!
//! Writes three packages with the same tools (200, each with an argument of three types) to a
//! temporary folder and builds each: this crate; schemars with one lazy cell a tool; and serde alone,
//! which is what decoding costs without any schema. Dependencies are built before and not counted.
//! Prints for each the processor seconds of `cargo check` and of a release build of the package
//! itself, and the size of the stripped program, and the ratios of ours to schemars. Each program
//! is run, and must answer a call of every tool. Linux only: it reads `/proc`.

mod packages;

use std::{fs, path::Path, process::Command};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// What one package costs.
struct Cost {
    check: f64,
    release: f64,
    size: u64,
}

fn main() -> Result<()> {
    let tools: usize = match std::env::args().nth(1) {
        Some(number) => number.parse()?,
        None => 200,
    };
    let root = std::env::temp_dir().join("repertoire-peers200");
    println!("{tools} tools of three types each; processor seconds of the package itself");
    println!("{:<10} {:>8} {:>8} {:>10}", "", "check", "release", "bytes");
    let mut costs = Vec::new();
    for package in packages::all(tools) {
        let folder = root.join(package.name);
        package.write(&folder)?;
        let cost = measure(&folder, package.name, tools)?;
        println!(
            "{:<10} {:>8.1} {:>8.1} {:>10}",
            package.name, cost.check, cost.release, cost.size
        );
        costs.push(cost);
    }
    if let [ours, schemars, _] = &costs[..] {
        println!("ours to schemars");
        println!("  check         {:.2}", ours.check / schemars.check);
        println!("  release build {:.2}", ours.release / schemars.release);
        println!(
            "  stripped size {:.2}",
            ours.size as f64 / schemars.size as f64
        );
    }
    Ok(())
}

fn measure(folder: &Path, name: &str, tools: usize) -> Result<Cost> {
    // Dependencies first, behind a program that does nothing.
    let main = folder.join("src/main.rs");
    let program = fs::read_to_string(&main)?;
    fs::write(&main, "fn main() {}\n")?;
    cargo(folder, &["check", "--quiet"])?;
    cargo(folder, &["build", "--quiet", "--release"])?;
    fs::write(&main, program)?;
    let check = cargo(folder, &["check", "--quiet"])?;
    let release = cargo(folder, &["build", "--quiet", "--release"])?;
    let binary = folder.join("target/release").join(name);
    let output = Command::new(&binary).output()?;
    let said = String::from_utf8_lossy(&output.stdout);
    if said.trim() != format!("{tools} answers") {
        return Err(format!("{name} does not answer: {said}").into());
    }
    Ok(Cost {
        check,
        release,
        size: fs::metadata(binary)?.len(),
    })
}

/// Runs cargo; the processor seconds that it and its children took.
fn cargo(folder: &Path, arguments: &[&str]) -> Result<f64> {
    let before = children()?;
    let status = Command::new("cargo")
        .args(arguments)
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .env_remove("RUSTFLAGS")
        .env("CARGO_INCREMENTAL", "0")
        .current_dir(folder)
        .status()?;
    if !status.success() {
        return Err(format!("cargo {arguments:?} failed in {}", folder.display()).into());
    }
    Ok(children()? - before)
}

/// The processor seconds of all children that have ended, in steps of a hundredth.
fn children() -> Result<f64> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    // The name of the program stands in parentheses and may hold spaces.
    let (_, fields) = stat
        .rsplit_once(')')
        .ok_or("`/proc/self/stat` has another form")?;
    let times: Vec<f64> = fields
        .split_whitespace()
        .skip(13)
        .take(2)
        .map(str::parse)
        .collect::<std::result::Result<_, _>>()?;
    Ok(times.iter().sum::<f64>() / 100.0)
}
