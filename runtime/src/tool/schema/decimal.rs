//! Compares numbers that are JSON text, as the compiler can: digit by digit, so that no bound of a wide
//! type is rounded.

/// The parts of a number: whether it is below zero, its digits, and the power of ten behind them.
struct Decimal<'a> {
    negative: bool,
    digits: &'a [u8],
    /// How many digits stand before the point, if `digits` had no leading zeros.
    magnitude: i64,
}

impl<'a> Decimal<'a> {
    const fn of(text: &'a str) -> Self {
        let (negative, text) = match text.as_bytes() {
            [b'-', rest @ ..] => (true, rest),
            text => (false, text),
        };
        let mut before = 0;
        let mut length = 0;
        let mut seen_point = false;
        let mut rest = text;
        while let [byte, tail @ ..] = rest {
            match byte {
                b'e' | b'E' => break,
                b'.' => seen_point = true,
                _ if !seen_point => before += 1,
                _ => {}
            }
            length += 1;
            rest = tail;
        }
        let (digits, exponent) = text.split_at(length);
        let mut decimal = Decimal {
            negative,
            digits,
            magnitude: before + power(exponent),
        };
        while let [b'0' | b'.', tail @ ..] = decimal.digits {
            if matches!(decimal.digits, [b'0', ..]) {
                decimal.magnitude -= 1;
            }
            decimal.digits = tail;
        }
        decimal
    }

    /// The next digit, and what comes after it; zero at the end.
    const fn next(digits: &'a [u8]) -> (u8, &'a [u8]) {
        match digits {
            [b'.', digit, rest @ ..] | [digit, rest @ ..] => {
                (if *digit == b'.' { b'0' } else { *digit }, rest)
            }
            [] => (b'0', &[]),
        }
    }

    const fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }
}

/// What stands behind an `e`.
const fn power(text: &[u8]) -> i64 {
    let mut value: i64 = 0;
    let mut negative = false;
    let mut rest = text;
    while let [byte, tail @ ..] = rest {
        match byte {
            b'-' => negative = true,
            // No type reaches a power of a thousand.
            b'0'..=b'9' if value < 1000 => value = value * 10 + (*byte - b'0') as i64,
            _ => {}
        }
        rest = tail;
    }
    if negative { -value } else { value }
}

/// Whether the first number is the smaller one.
pub(super) const fn less(a: &str, b: &str) -> bool {
    order(&Decimal::of(a), &Decimal::of(b)) < 0
}

/// Whether the numbers are the same.
pub(super) const fn same(a: &str, b: &str) -> bool {
    order(&Decimal::of(a), &Decimal::of(b)) == 0
}

/// Below zero if the first number is the smaller one, zero if they are the same.
const fn order(a: &Decimal<'_>, b: &Decimal<'_>) -> i8 {
    match (a.is_zero(), b.is_zero()) {
        (true, true) => return 0,
        (true, false) => return if b.negative { 1 } else { -1 },
        (false, true) => return if a.negative { -1 } else { 1 },
        (false, false) => {}
    }
    let sign = match (a.negative, b.negative) {
        (true, false) => return -1,
        (false, true) => return 1,
        (true, true) => -1,
        (false, false) => 1,
    };
    if a.magnitude != b.magnitude {
        return if a.magnitude < b.magnitude {
            -sign
        } else {
            sign
        };
    }
    let (mut a, mut b) = (a.digits, b.digits);
    while !a.is_empty() || !b.is_empty() {
        let (first, rest_of_a) = Decimal::next(a);
        let (second, rest_of_b) = Decimal::next(b);
        if first != second {
            return if first < second { -sign } else { sign };
        }
        a = rest_of_a;
        b = rest_of_b;
    }
    0
}

#[cfg(test)]
mod tests {
    use super::{less, same};

    #[test]
    fn numbers_are_compared_as_numbers() {
        let ascending = [
            "-1.0e39",
            "-9223372036854775808",
            "-300",
            "-1.5",
            "-1",
            "-0.01",
            "0",
            "1e-7",
            "0.3",
            "0.5",
            "1",
            "1.05",
            "1.5",
            "9",
            "10",
            "255",
            "300",
            "18446744073709551614",
            "18446744073709551615",
            "3.4e38",
            "340282366920938463463374607431768211455",
        ];
        for (index, a) in ascending.iter().enumerate() {
            for (other, b) in ascending.iter().enumerate() {
                assert_eq!(less(a, b), index < other, "{a} {b}");
                assert_eq!(same(a, b), index == other, "{a} {b}");
            }
        }
        for (a, b) in [
            ("5", "5.0"),
            ("1e3", "1000"),
            ("-0", "0"),
            ("0.30", "3e-1"),
            ("0.0", "-0.0"),
        ] {
            assert!(same(a, b), "{a} {b}");
        }
    }
}
