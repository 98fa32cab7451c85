//! How the time of a check grows with the length of hostile input.
//!
//! ```text
//! cargo run --release -p repertoire-skillmd --example growth
//! ```
//!
//! Prints, for each piece that is repeated, the shortest of five runs at 256 KiB, 512 KiB and 1 MiB.
//! Each column should be about twice the one before.

#![allow(clippy::print_stdout, reason = "a program that prints")]

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use repertoire_skillmd::{CheckOptions, check};

const PIECES: [&str; 15] = [
    "-",
    "[",
    "{",
    "\"",
    "'",
    ": ",
    "\n",
    "\r\n",
    " ",
    "\t",
    "a:\n",
    "- a\n",
    "[x](y.md) ",
    "`",
    "``` x ",
];
const PLACES: [(&str, &str); 4] = [
    ("", ""),
    ("---\nname: a\ndescription: ", "\n---\nbody\n"),
    ("---\nname: a\ndescription: b\n---\n", "\n"),
    ("---\nname: a\ndescription: b\n---\n[x](no.md)\n```\n", "\n"),
];

/// Keys that differ, by what stands before, between and after them.
const KEYS: [(&str, &str, &str, &str); 4] = [
    ("keys", "---\nname: a\ndescription: b", "\n", "\n---\n"),
    (
        "keys in braces",
        "---\n{name: a, description: b",
        ", ",
        "}\n---\n",
    ),
    (
        "keys after CR",
        "---\nname: a\ndescription: b",
        "\r",
        "\n---\n",
    ),
    (
        "wrapped text",
        "---\nname: a\ndescription: b",
        "\n  ",
        "\n---\n",
    ),
];

fn shortest(source: &[u8]) -> Duration {
    let options = CheckOptions::new().directory("a").files(["SKILL.md"]);
    let run = || {
        let start = Instant::now();
        black_box(check(black_box(source), &options));
        start.elapsed()
    };
    (0..5).map(|_| run()).min().unwrap_or_default()
}

fn main() {
    println!(
        "{:<14} {:>12} {:>12} {:>12}",
        "piece", "256 KiB", "512 KiB", "1 MiB"
    );
    for piece in PIECES {
        for (head, tail) in PLACES {
            let times = [18, 19, 20].map(|power| {
                let body = piece.repeat((1 << power) / piece.len());
                shortest(format!("{head}{body}{tail}").as_bytes())
            });
            let [a, b, c] = times.map(|time| format!("{time:.1?}"));
            println!("{:<14} {a:>12} {b:>12} {c:>12}", format!("{piece:?}"));
        }
    }
    for (name, head, between, tail) in KEYS {
        let times = [18, 19, 20].map(|power| {
            let mut text = head.to_owned();
            let mut at = 0;
            while text.len() < 1 << power {
                text.push_str(&format!("{between}k{at}: v"));
                at += 1;
            }
            text.push_str(tail);
            shortest(text.as_bytes())
        });
        let [a, b, c] = times.map(|time| format!("{time:.1?}"));
        println!("{name:<14} {a:>12} {b:>12} {c:>12}");
    }
}
