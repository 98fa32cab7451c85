//! Cuts runs of scripts that are written without spaces into overlapping grams.

use unicode_normalization::char::is_combining_mark;

use super::script::{Script, is_ideograph};

/// Calls `sink` with the grams of `run`.
///
/// - Chinese and Japanese: single ideographs, and every pair of neighbours.
/// - Korean: single syllables and pairs.
/// - Thai, Lao, Khmer, Myanmar: pairs and triples of clusters (a consonant with its marks; a vowel
///   that is written before its consonant belongs to it). A single cluster says too little.
///
/// A run that is too short for any gram is one.
pub(crate) fn grams(run: &str, script: Script, sink: &mut impl FnMut(&str)) {
    let sizes: &[usize] = match script {
        Script::Cjk | Script::Hangul => &[1, 2],
        _ => &[2, 3],
    };
    // Starts of the last units; one more than the longest gram is never needed.
    let mut starts = [0usize; 4];
    let mut count = 0;
    let mut emitted = false;
    let mut emit = |starts: &[usize; 4], count: usize, end: usize| {
        for size in sizes {
            if count >= *size {
                let gram = &run[starts[(count - size) % 4]..end];
                let alone = *size == 1 && script == Script::Cjk;
                if alone && !gram.chars().all(is_ideograph) {
                    continue;
                }
                sink(gram);
                emitted = true;
            }
        }
    };
    let mut previous = None;
    for (at, c) in run.char_indices() {
        let continues = match previous {
            None => false,
            Some(p) => is_combining_mark(c) || joins(p, c, script),
        };
        previous = Some(c);
        if continues {
            continue;
        }
        if count > 0 {
            emit(&starts, count, at);
        }
        starts[count % 4] = at;
        count += 1;
    }
    if count > 0 {
        emit(&starts, count, run.len());
        if !emitted {
            sink(run);
        }
    }
}

/// Whether `c` belongs to the cluster of the letter before it.
fn joins(previous: char, c: char, script: Script) -> bool {
    match script {
        Script::Thai => {
            matches!(previous, '\u{E40}'..='\u{E44}')
                || matches!(c, '\u{E30}'..='\u{E33}' | '\u{E45}' | '\u{E46}')
        }
        Script::Lao => {
            matches!(previous, '\u{EC0}'..='\u{EC4}')
                || matches!(c, '\u{EB0}'..='\u{EB3}' | '\u{EBD}')
        }
        // A consonant below another follows the sign that stacks them.
        Script::Khmer => previous == '\u{17D2}',
        Script::Myanmar => previous == '\u{1039}',
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(run: &str, script: Script) -> Vec<String> {
        let mut out = Vec::new();
        grams(run, script, &mut |gram| out.push(gram.to_owned()));
        out
    }

    #[test]
    fn grams_by_script() {
        for (run, script, expected) in [
            ("仓", Script::Cjk, vec!["仓"]),
            (
                "查库存",
                Script::Cjk,
                vec!["查", "库", "查库", "存", "库存"],
            ),
            ("送る", Script::Cjk, vec!["送", "送る"]),
            ("メール", Script::Cjk, vec!["メー", "ール"]),
            ("の", Script::Cjk, vec!["の"]),
            ("재고", Script::Hangul, vec!["재", "고", "재고"]),
            ("ส่ง", Script::Thai, vec!["ส่ง"]),
            ("อีเมล", Script::Thai, vec!["อีเม", "เมล", "อีเมล"]),
            ("", Script::Cjk, vec![]),
        ] {
            assert_eq!(all(run, script), expected, "{run}");
        }
    }
}
