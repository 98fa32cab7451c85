//! Whole numbers that are written with a fraction or an exponent. To JSON Schema `5.0` and `1e3` are
//! whole; serde reads them as floats only. Here they are written out, digit by digit: no float stands
//! in between, so nothing is lost.

/// The longest whole number that a type of Rust holds, in digits.
const MOST_DIGITS: usize = 39;

/// The JSON text with its whole numbers written as such, unless it has none to change.
pub(super) fn plain(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut out = String::new();
    let (mut copied, mut at) = (0, 0);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => at = end_of_text(bytes, at),
            b'-' | b'0'..=b'9' => {
                let start = at;
                while let Some(b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E') = bytes.get(at) {
                    at += 1;
                }
                if let Some(digits) = text.get(start..at).and_then(whole) {
                    out.push_str(text.get(copied..start)?);
                    out.push_str(&digits);
                    copied = at;
                }
            }
            _ => at += 1,
        }
    }
    if copied == 0 {
        return None;
    }
    out.push_str(text.get(copied..)?);
    Some(out)
}

/// The digits of a number with a fraction or an exponent that is whole all the same. The sign of a
/// zero is something that only a float has, so it stays what it is.
pub(super) fn whole(number: &str) -> Option<String> {
    let (mantissa, exponent) = match number.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
        None => (number, 0),
    };
    let (sign, mantissa) = match mantissa.strip_prefix('-') {
        Some(mantissa) => ("-", mantissa),
        None => ("", mantissa),
    };
    let (before, after) = match mantissa.split_once('.') {
        Some(parts) => parts,
        None if mantissa.len() + sign.len() == number.len() => return None,
        None => (mantissa, ""),
    };
    let all = format!("{before}{after}");
    if all.is_empty() || !all.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let significant = all.trim_end_matches('0');
    let zeros = i64::try_from(all.len() - significant.len()).ok()?;
    let significant = significant.trim_start_matches('0');
    if significant.is_empty() {
        return sign.is_empty().then(|| "0".to_owned());
    }
    let shift = exponent
        .checked_sub(i64::try_from(after.len()).ok()?)?
        .checked_add(zeros)?;
    let shift = usize::try_from(shift).ok()?;
    if significant.len().checked_add(shift)? > MOST_DIGITS {
        return None;
    }
    Some(format!("{sign}{significant}{}", "0".repeat(shift)))
}

fn end_of_text(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::{plain, whole};

    #[test]
    fn whole_numbers_are_written_out() {
        for (number, digits) in [
            ("5.0", "5"),
            ("1e3", "1000"),
            ("-1.50E+1", "-15"),
            ("0.0", "0"),
            ("0e7", "0"),
            ("100e-2", "1"),
            ("9007199254740993.0", "9007199254740993"),
            ("18446744073709551615.0", "18446744073709551615"),
            ("1e38", "100000000000000000000000000000000000000"),
        ] {
            assert_eq!(whole(number).as_deref(), Some(digits), "{number}");
        }
        for number in [
            "5",
            "-7",
            "5.5",
            "1e-1",
            "1e300",
            "-0.0",
            "1e99999999999999999999",
            "--1.0",
            "1.0.0",
            "e5",
            "-",
        ] {
            assert_eq!(whole(number), None, "{number}");
        }
    }

    #[test]
    fn texts_stay() {
        let text = r#"{"a":"5.0 \" 6.0","b":[5.0,-2e1,5.5],"1.0":7.00}"#;
        let expected = r#"{"a":"5.0 \" 6.0","b":[5,-20,5.5],"1.0":7}"#;
        assert_eq!(plain(text).as_deref(), Some(expected));
        assert_eq!(plain(expected), None);
        assert_eq!(plain("\"unclosed \\"), None);
    }
}
