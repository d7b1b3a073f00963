//! The page's colours, for its light and its dark theme. They can be told apart with any colour
//! vision, and by lightness on paper. Our tiers are one blue, darker for wider registers; peers and
//! schemes have hues after Okabe and Ito (2008) and Tol (2021), darkened until thin lines stand out.

/// A colour on light paper and on dark.
pub type Colour = [&'static str; 2];

/// Lines that are not measurements: limits, baselines.
pub const GREY: Colour = ["#8a8578", "#8f8b80"];

/// An implementation, by our tier or, for a peer, its name.
pub fn implementation(tier: Option<&str>, name: &str) -> Colour {
    if let Some(tier) = tier {
        return match tier {
            "vaes512" => ["#08306b", "#c2dcff"],
            "vaes256" => ["#1f5fae", "#8cbcf8"],
            "aesni512" | "armv8sha3" => ["#4a90d0", "#5c9fe8"],
            "aesni" | "armv8" => ["#85b8e3", "#3f7fc8"],
            "soft512" => ["#8b9fb3", "#7f9cb8"],
            "soft256" => ["#9fb2c4", "#6e8aa6"],
            "soft" => ["#b3c4d4", "#5c7894"],
            _ => ["#3f7fc1", "#7fb2ec"],
        };
    }
    let name = name.to_lowercase();
    let known: [(&str, Colour); 10] = [
        ("rustcrypto", ["#c8500a", "#ff9a52"]),
        ("aws-lc", ["#a8760a", "#f2c14e"]),
        ("ring", ["#00785a", "#38c99b"]),
        ("openssl", ["#a11d6e", "#f08cc5"]),
        ("libgcrypt", ["#7c4fb5", "#c3a2f0"]),
        ("libsodium", ["#5c7a17", "#b6d65a"]),
        ("aegis", ["#8c2d2d", "#f28b82"]),
        ("ipsec", ["#444444", "#d0ccc0"]),
        ("graviola", ["#0f7c8c", "#5cd0de"]),
        ("krovetz", ["#6b4a2b", "#d9b48f"]),
    ];
    known.iter().find(|(part, _)| name.contains(part)).map_or(GREY, |(_, colour)| *colour)
}

/// A family of schemes.
pub fn family(family: &str) -> Colour {
    match family {
        "ocb3" => ["#0b4f9e", "#7db7ff"],
        "gcm" => ["#c8500a", "#ff9a52"],
        "ccm" => ["#00785a", "#38c99b"],
        "gcm-siv" => ["#b0207a", "#f48fcb"],
        "siv" => ["#7c4fb5", "#c3a2f0"],
        "eax" => ["#0f7c8c", "#5cd0de"],
        "chacha20-poly1305" => ["#a8760a", "#f2c14e"],
        "xchacha20-poly1305" => ["#6b4a2b", "#d9b48f"],
        "ctr" => GREY,
        f if f.starts_with("aegis") => ["#5c7a17", "#b6d65a"],
        f => archived(f),
    }
}

/// A family of the archive, all versions of a scheme alike; any other.
fn archived(family: &str) -> Colour {
    let known: [(&str, Colour); 18] = [
        ("salsa20", ["#a8760a", "#f2c14e"]),
        ("hc-128", ["#00785a", "#38c99b"]),
        ("rabbit", ["#b0207a", "#f48fcb"]),
        ("sosemanuk", ["#7c4fb5", "#c3a2f0"]),
        ("snow", ["#0f7c8c", "#5cd0de"]),
        ("ocb1", ["#4a7fb5", "#9cc4ee"]),
        ("ocb2", ["#2f9bb5", "#86dcf0"]),
        ("otr", ["#a11d6e", "#f08cc5"]),
        ("cloc", ["#7a5c00", "#e0c04a"]),
        ("silc", ["#8c2d2d", "#f28b82"]),
        ("jambu", ["#5b5fa8", "#aab0f5"]),
        ("copa", ["#3f7a3f", "#93d693"]),
        ("colm", ["#1f6b52", "#6fd0ad"]),
        ("deoxys", ["#b5452f", "#ff9f86"]),
        ("poet", ["#6a3d7c", "#d3a0e6"]),
        ("julius", ["#8a5a83", "#e0b3da"]),
        ("mcoe", ["#556b00", "#c3d86a"]),
        ("cwc", ["#6b4a2b", "#d9b48f"]),
    ];
    let of = known.iter().find(|(beginning, _)| family.starts_with(beginning));
    of.map_or(["#444444", "#d0ccc0"], |(_, colour)| *colour)
}

/// An operation.
pub fn operation(op: &str) -> Colour {
    match op {
        "open" => ["#00785a", "#38c99b"],
        "reject" => ["#c8500a", "#ff9a52"],
        "seal-fresh" => ["#7c4fb5", "#c3a2f0"],
        _ => ["#0b4f9e", "#7db7ff"],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subjects::Scheme;

    /// Relative luminance (WCAG 2.2).
    fn luminance(colour: &str) -> f64 {
        let channel = |at: usize| {
            let c = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    }

    fn contrast(a: &str, b: &str) -> f64 {
        let (a, b) = (luminance(a) + 0.05, luminance(b) + 0.05);
        a.max(b) / a.min(b)
    }

    /// Thin lines and figures need 3:1 against the paper (WCAG 2.2, 1.4.11).
    #[test]
    fn lines_stand_out_on_both_papers() {
        let families = ["ocb3", "gcm", "ccm", "gcm-siv", "siv", "eax", "chacha20-poly1305", "aegis-128l", "ctr", "x"];
        let peers = ["RustCrypto", "ring", "aws-lc-rs", "OpenSSL", "libgcrypt", "libsodium", "aegis", "ipsec-mb", "?"];
        let archive = Scheme::all().filter(|scheme| scheme.is_archived()).map(|scheme| family(scheme.short()));
        let colours = families.map(family).into_iter().chain(peers.map(|p| implementation(None, p))).chain(archive);
        for [light, dark] in colours {
            assert!(contrast(light, "#fdfcf9") >= 3.0, "{light}");
            assert!(contrast(dark, "#16181c") >= 3.0, "{dark}");
        }
    }

    #[test]
    fn wider_tiers_weigh_more() {
        let tiers = ["vaes512", "vaes256", "aesni512", "aesni"].map(|t| implementation(Some(t), ""));
        assert!(tiers.is_sorted_by(|a, b| luminance(a[0]) < luminance(b[0]) && luminance(a[1]) > luminance(b[1])));
    }
}
