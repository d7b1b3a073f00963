//! The families of schemes that can be measured, with the names that results and command lines use
//! for them. The library's are read from its descriptions; counter mode, the baseline, is the
//! laboratory's own.

use combseal::{Algorithm, Description};
use std::fmt;
use std::sync::LazyLock;

/// A family of schemes; together with the bits of the key, what implementations must agree on.
/// Families are ordered as [`Scheme::all`] gives them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scheme(usize);

/// What is known of a family.
struct Family {
    short: &'static str,
    sizes: Vec<Size>,
}

/// A scheme of a family: the one with so many bits of key.
struct Size {
    key_bits: u32,
    key_len: usize,
    name: &'static str,
}

/// The families that come before the others; those follow in the library's order.
const FIRST: [&str; 5] = ["ocb3", "gcm", "ccm", "eax", "siv"];

/// AES-CTR: no authentication, the baseline that overheads are counted from. It comes last.
const BASELINE: &str = "ctr";
const BASELINES: [(u32, &str); 3] = [(128, "AES-128-CTR"), (192, "AES-192-CTR"), (256, "AES-256-CTR")];

static FAMILIES: LazyLock<Vec<Family>> = LazyLock::new(|| {
    let mut all: Vec<Family> = Vec::new();
    for it in descriptions() {
        let size = Size { key_bits: it.key_bits, key_len: it.key_len, name: it.name };
        match all.iter_mut().find(|family| family.short == it.family) {
            Some(family) => family.sizes.push(size),
            None => all.push(Family { short: it.family, sizes: vec![size] }),
        }
    }
    all.sort_by_key(|family| FIRST.iter().position(|&first| first == family.short).unwrap_or(FIRST.len()));
    let size = |(key_bits, name)| Size { key_bits, key_len: key_bits as usize / 8, name };
    all.push(Family { short: BASELINE, sizes: BASELINES.map(size).into() });
    all
});

/// The descriptions of all schemes that the laboratory knows, but for the baseline.
pub fn descriptions() -> impl Iterator<Item = &'static Description> {
    Algorithm::ALL.iter().map(|algorithm| algorithm.description())
}

impl Scheme {
    /// All families.
    pub fn all() -> impl Iterator<Item = Scheme> {
        (0..FAMILIES.len()).map(Scheme)
    }

    /// The names of all families, as on a command line and in results.
    pub fn names() -> Vec<&'static str> {
        Self::all().map(Self::short).collect()
    }

    /// The family of that name, if there is one.
    pub fn find(family: &str) -> Option<Scheme> {
        Self::all().find(|scheme| scheme.short() == family)
    }

    /// The family of that name.
    ///
    /// # Panics
    /// If there is none: for names that stand in the laboratory itself.
    pub fn of(family: &str) -> Scheme {
        Self::find(family).unwrap_or_else(|| panic!("there is no family \"{family}\""))
    }

    /// The family and the bits of the key of a scheme by its whole name, `AES-128-GCM`.
    pub fn named(name: &str) -> Option<(Scheme, u32)> {
        let bits = |scheme: Scheme| Some((scheme, scheme.sizes().iter().find(|size| size.name == name)?.key_bits));
        Self::all().find_map(bits)
    }

    /// The family's name, as on a command line and in results.
    pub fn short(self) -> &'static str {
        FAMILIES[self.0].short
    }

    fn sizes(self) -> &'static [Size] {
        &FAMILIES[self.0].sizes
    }

    fn size(self, key_bits: u32) -> &'static Size {
        let found = self.sizes().iter().find(|size| size.key_bits == key_bits);
        found.unwrap_or_else(|| panic!("{self:?} has no keys of {key_bits} bits"))
    }

    /// The bits of its keys, which differ from scheme to scheme of a family.
    pub fn key_bits(self) -> impl Iterator<Item = u32> {
        self.sizes().iter().map(|size| size.key_bits)
    }

    /// The name with the bits of the AES key: `AES-128-GCM`. Schemes with one key length
    /// carry their own.
    ///
    /// # Panics
    /// If the family has no such keys.
    pub fn name(self, key_bits: u32) -> String {
        self.size(key_bits).name.into()
    }

    /// Bytes in a key: SIV has two AES keys.
    ///
    /// # Panics
    /// If the family has no such keys.
    pub fn key_len(self, key_bits: u32) -> usize {
        self.size(key_bits).key_len
    }

    /// Does it authenticate? All but the baseline do.
    pub fn is_authenticated(self) -> bool {
        self.short() != BASELINE
    }
}

impl fmt::Debug for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.short())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every algorithm of the library has a scheme with its name and key length.
    #[test]
    fn the_whole_library_is_here() {
        for &algorithm in Algorithm::ALL {
            let named = Scheme::all().flat_map(|s| s.key_bits().map(move |bits| (s, bits)));
            let found = named.into_iter().find(|&(scheme, bits)| {
                scheme.name(bits) == algorithm.name() && scheme.key_len(bits) == algorithm.key_len()
            });
            assert!(found.is_some(), "{algorithm}");
            assert_eq!(Scheme::named(algorithm.name()), found);
        }
    }

    /// No two families have one name, nor two schemes of a family as many bits of key.
    #[test]
    fn short_names_differ() {
        let names: std::collections::BTreeSet<_> = Scheme::names().into_iter().collect();
        assert_eq!(names.len(), Scheme::all().count());
        for scheme in Scheme::all() {
            let bits: std::collections::BTreeSet<_> = scheme.key_bits().collect();
            assert_eq!(bits.len(), scheme.key_bits().count(), "{scheme:?}");
        }
    }

    /// Results files and scripts name the families so, and print them in this order.
    #[test]
    fn names_and_order_stay() {
        let known = [
            "ocb3",
            "gcm",
            "ccm",
            "eax",
            "siv",
            "gcm-siv",
            "aegis-128",
            "aegis-128l",
            "aegis-128x2",
            "aegis-128x4",
            "aegis-256",
            "aegis-256x2",
            "aegis-256x4",
            "chacha20-poly1305",
            "xchacha20-poly1305",
            "ctr",
        ];
        let names = Scheme::names();
        let places: Vec<_> = known.iter().map(|known| names.iter().position(|name| name == known)).collect();
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{names:?}");
        assert_eq!(names.last(), Some(&BASELINE));
    }
}
