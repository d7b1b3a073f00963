//! The families of schemes that can be measured, with the names that results and command lines use
//! for them. The library's and the archive's are read from their descriptions; counter mode, the
//! baseline, is the laboratory's own.

use combseal::{Algorithm, Description};
use combseal_archive as archive;
use combseal_archive::streams::named::StreamSystem;
use std::fmt;
use std::sync::LazyLock;

/// A family of schemes; together with the bits of the key, what implementations must agree on.
/// Families are ordered as [`Scheme::all`] gives them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scheme(usize);

/// What is known of a family.
struct Family {
    short: &'static str,
    kind: Kind,
    sizes: Vec<Size>,
}

/// Where a family is from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The library: these can be recommended.
    Library,
    /// The archive, every version of a scheme by itself: these cannot.
    Archive {
        /// The name without the version, which means all versions on a command line.
        versions_of: &'static str,
        takes_ad: bool,
    },
    /// The archive's stream ciphers with Poly1305 that are still met: one tuning, no associated data.
    System,
    /// Counter mode.
    Baseline,
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
/// All of the archive, on a command line; and its stream ciphers.
const ARCHIVE: &str = "archive";
const STREAMS: &str = "streams";
/// The stream ciphers of 2007 that people still meet, with Poly1305 as Bernstein combines them. (His
/// whole programme is `study2007`.)
const SYSTEMS: [&str; 5] =
    ["salsa20-poly1305", "hc-128-poly1305", "rabbit-poly1305", "sosemanuk-poly1305", "snow-2.0-poly1305"];
const BASELINES: [(u32, &str); 3] = [(128, "AES-128-CTR"), (192, "AES-192-CTR"), (256, "AES-256-CTR")];

static FAMILIES: LazyLock<Vec<Family>> = LazyLock::new(|| {
    let mut all: Vec<Family> = Vec::new();
    let mut add = |short: &'static str, kind, size| match all.iter_mut().find(|family| family.short == short) {
        Some(family) => family.sizes.push(size),
        None => all.push(Family { short, kind, sizes: vec![size] }),
    };
    let place = |family| FIRST.iter().position(|&first| first == family).unwrap_or(FIRST.len());
    let mut described: Vec<&Description> = descriptions().collect();
    described.sort_by_key(|it| place(it.family));
    for it in described {
        add(it.family, Kind::Library, Size { key_bits: it.key_bits, key_len: it.key_len, name: it.name });
    }
    for it in archive::Scheme::ALL.iter().map(|scheme| scheme.about()) {
        let key_bits = if it.name.contains("AES-256") { 256 } else { 128 };
        let kind = Kind::Archive { versions_of: it.family, takes_ad: it.longest_ad > 0 };
        add(version(it.name), kind, Size { key_bits, key_len: it.key_len, name: it.name });
    }
    for system in SYSTEMS.iter().filter_map(|name| StreamSystem::by_name(name).next()) {
        let key_bits = system.about().key_lens.first().map_or(0, |len| 8 * *len as u32);
        add(system.name(), Kind::System, Size { key_bits, key_len: system.key_len(), name: system.name() });
    }
    for (key_bits, name) in BASELINES {
        add(BASELINE, Kind::Baseline, Size { key_bits, key_len: key_bits as usize / 8, name });
    }
    all
});

/// The name of a scheme of the archive without the size of the AES key: `CLOC-v1-AES-128` is
/// `cloc-v1`. (It is made once for each and lives as long as the table.)
fn version(name: &str) -> &'static str {
    let without = |name: String, size: &str| name.replace(&format!("-{size}"), "").replace(&format!("{size}-"), "");
    without(without(name.to_lowercase(), "aes-128"), "aes-256").leak()
}

/// The descriptions of the library's schemes.
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

    /// The families that a name on a command line means: one, all versions of a scheme of the
    /// archive, or all of the archive; or the family of a whole name. Empty if there is no such
    /// name.
    pub fn chosen(name: &str) -> Vec<Scheme> {
        let name = &name.to_lowercase();
        let whole = |scheme: &Scheme| scheme.sizes().iter().any(|size| size.name.to_lowercase() == *name);
        if let Some(scheme) = Self::all().find(whole) {
            return vec![scheme];
        }
        let means = |scheme: &Scheme| match FAMILIES[scheme.0].kind {
            Kind::Archive { versions_of, .. } if versions_of == name || name == ARCHIVE => true,
            Kind::System if name == STREAMS || name == ARCHIVE => true,
            // Both kinds of OTR, all of McOE.
            Kind::Archive { .. } if scheme.short().strip_prefix(name).is_some_and(|rest| rest.starts_with('-')) => true,
            _ => scheme.short() == name,
        };
        Self::all().filter(means).collect()
    }

    /// Every name that [`chosen`](Self::chosen) takes, for people: the versions of a scheme of
    /// the archive under the name of all of them.
    pub fn choices() -> Vec<&'static str> {
        let choice = |scheme: Scheme| match FAMILIES[scheme.0].kind {
            Kind::Archive { versions_of, .. } => versions_of,
            _ => scheme.short(),
        };
        let mut choices: Vec<&str> = Self::all().map(choice).collect();
        choices.dedup();
        choices.extend([STREAMS, ARCHIVE]);
        choices
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
        FAMILIES[self.0].kind != Kind::Baseline
    }

    /// Does it authenticate data that it does not encrypt?
    pub fn takes_ad(self) -> bool {
        match FAMILIES[self.0].kind {
            Kind::Library => true,
            Kind::Archive { takes_ad, .. } => takes_ad,
            Kind::System | Kind::Baseline => false,
        }
    }

    /// Is it one of the archive's, which are measured but never recommended?
    pub fn is_archived(self) -> bool {
        matches!(FAMILIES[self.0].kind, Kind::Archive { .. } | Kind::System)
    }

    /// Is it a stream cipher with Poly1305?
    pub fn is_system(self) -> bool {
        FAMILIES[self.0].kind == Kind::System
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

    /// Every scheme of the archive is here under a name of its own, and by the name of all its
    /// versions.
    #[test]
    fn the_whole_archive_is_here() {
        for about in archive::Scheme::ALL.iter().map(|scheme| scheme.about()) {
            let (scheme, bits) = Scheme::named(about.name).expect(about.name);
            assert!(scheme.is_archived() && scheme.name(bits) == about.name);
            assert_eq!(scheme.key_len(bits), about.key_len);
            assert!(Scheme::chosen(about.family).contains(&scheme), "{}", about.name);
            assert!(Scheme::choices().contains(&about.family), "{}", about.name);
        }
        let names = |choice| Scheme::chosen(choice).into_iter().map(Scheme::short).collect::<Vec<_>>();
        assert_eq!(names("cloc"), ["cloc-v1", "cloc-v1-nonce8", "cloc-v3"]);
        assert_eq!((names("cwc"), names("deoxys-ii-128")), (vec!["cwc"], vec!["deoxys-ii-128"]));
        assert_eq!(names("gcm"), ["gcm"]);
        assert_eq!((names("otr").len(), names("mcoe").len(), names("ocb").len()), (6, 4, 0));
        assert!(names("archive").len() > 25 && names("cobra").is_empty());
        assert!(!Scheme::of("gcm").is_archived() && !Scheme::of("ctr").is_archived());
        assert_eq!(names("streams"), SYSTEMS);
        let salsa20 = Scheme::of("salsa20-poly1305");
        assert!(salsa20.is_system() && salsa20.is_archived() && !salsa20.takes_ad() && salsa20.is_authenticated());
        assert_eq!((names("salsa20-poly1305"), salsa20.key_len(256)), (vec!["salsa20-poly1305"], 48));
    }
}
