//! Numbers as people write large and small ones on a command line.

/// `1500`, `1_000_000`, `1e9`, `2^32`, `2^-32`, `1.5k`, `16Ki`: k, M, G and T are thousands, Ki, Mi, Gi and
/// Ti are 1,024 and its powers; a B behind is of no account.
pub(super) fn amount(text: &str) -> Result<f64, String> {
    let plain = text.trim().replace(['_', ','], "");
    let number = match plain.split_once('^') {
        Some((base, exponent)) => match (base.parse::<f64>(), exponent.parse::<f64>()) {
            (Ok(b), Ok(e)) => Some(b.powf(e)),
            _ => None,
        },
        None => plain.parse().ok().or_else(|| with_unit(&plain)),
    };
    let wrong = || format!("\"{text}\" is no number here; write it as 1500, 1.5k, 16Ki, 1e9, 2^32 or 2^-32");
    number.filter(|n| n.is_finite() && *n >= 0.0).ok_or_else(wrong)
}

fn with_unit(text: &str) -> Option<f64> {
    let text = text.strip_suffix(['B', 'b']).unwrap_or(text).trim_end();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = text[digits.len()..].to_ascii_lowercase();
    let (step, name) = match unit.strip_suffix('i') {
        Some(name) => (1024f64, name),
        None => (1000f64, unit.as_str()),
    };
    let power = ["", "k", "m", "g", "t"].iter().position(|one| *one == name)?;
    // "i" alone is no unit.
    (power > 0 || unit.is_empty()).then_some(())?;
    Some(digits.trim_end().parse::<f64>().ok()? * step.powi(power as i32))
}

/// A whole number of bytes.
pub(super) fn bytes(text: &str) -> Result<u64, String> {
    let number = amount(text)?;
    if number.fract() == 0.0 && number <= 2f64.powi(53) {
        Ok(number as u64)
    } else {
        Err(format!("\"{text}\" is no whole number of bytes"))
    }
}

/// A probability, above 0 and up to 1.
pub(super) fn probability(text: &str) -> Result<f64, String> {
    let number = amount(text)?;
    if number > 0.0 && number <= 1.0 {
        Ok(number)
    } else {
        Err("an advantage is a probability: above 0 and up to 1, as in 2^-32".into())
    }
}

/// A whole number with a comma at every thousand; powers of two and of ten, from a million on, as such.
pub(super) fn written(n: f64) -> String {
    let is_power = |base: f64| (n.log(base).round(), n == base.powf(n.log(base).round()));
    match (is_power(2.0), is_power(10.0)) {
        _ if n < 1e6 => digits(n),
        (_, (power, true)) => format!("10^{power:.0}"),
        ((power, true), _) => format!("2^{power:.0}"),
        _ if n < 1e15 => digits(n),
        _ => format!("2^{:.1}", n.log2()),
    }
}

fn digits(n: f64) -> String {
    let whole = format!("{:.0}", n.trunc());
    let groups: Vec<&str> = whole.as_bytes().rchunks(3).rev().filter_map(|g| std::str::from_utf8(g).ok()).collect();
    let fraction = if n.fract() == 0.0 { String::new() } else { format!("{:.3}", n.fract())[1..].to_string() };
    groups.join(",") + fraction.trim_end_matches('0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_people_write_them() {
        for (text, value) in [
            ("1500", 1500.0),
            ("1_000", 1000.0),
            ("1,000", 1000.0),
            ("1e9", 1e9),
            ("2^32", 4294967296.0),
            ("2^-3", 0.125),
            ("1.5k", 1500.0),
            ("16Ki", 16384.0),
            ("16 KiB", 16384.0),
            ("4kB", 4000.0),
            ("64B", 64.0),
            ("2M", 2e6),
            ("1Gi", 1073741824.0),
        ] {
            assert_eq!(amount(text), Ok(value), "{text}");
        }
        for text in ["", "x", "2^", "-1", "inf", "nan", "1^x", "5i", "5x", "k", "1.5.k"] {
            assert!(amount(text).is_err(), "{text}");
        }
        assert_eq!((bytes("1.5k"), bytes("2^4")), (Ok(1500), Ok(16)));
        assert!(bytes("1.5").is_err() && bytes("1e300").is_err());
        assert_eq!(probability("2^-32"), Ok(2f64.powi(-32)));
        assert!(probability("2").is_err() && probability("0").is_err());
    }

    /// What was asked for is said back as it was meant: 10^9 is not 2^29.9.
    #[test]
    fn written_back() {
        for (n, text) in [
            (12.0, "12"),
            (1500.0, "1,500"),
            (1e6, "10^6"),
            (1e9, "10^9"),
            (4294967296.0, "2^32"),
            (123456789.0, "123,456,789"),
            (2f64.powi(60), "2^60"),
            (0.0, "0"),
        ] {
            assert_eq!(written(n), text);
        }
        assert_eq!(written(1e20), "10^20");
        assert_eq!(written(3e20), "2^68.0");
    }
}
