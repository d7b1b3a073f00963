//! The name of a door, by which the compiler's symbols tell the kernel and the tier.

/// A kernel on a tier.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Door {
    /// The kernel's path below its room, as in `ocb3::kernel::Seal<AES-128>`.
    pub kernel: String,
    /// The backend's type.
    pub tier: String,
}

/// Demangled names of types, and what people call them.
const SHORT: &[(&str, &str)] = &[
    ("combseal::schemes::", ""),
    ("combseal::raw::", ""),
    ("combseal::pipeline::", ""),
    ("combseal::cpu::keys::", ""),
    ("combseal::cpu::", "cpu::"),
    ("combseal::", ""),
    ("[[u8; 16]; 11]", "AES-128"),
    // AES-192's too.
    ("UpTo14", "AES-256"),
    ("Aes128", "AES-128"),
    ("Aes192", "AES-192"),
    ("Aes256", "AES-256"),
];

impl Door {
    /// From a function's demangled name, if it is a door of a tier with AES instructions. (Those of the
    /// software tiers of wide registers, `cpu::x86::bitsliced`, are calls of calls.)
    pub fn parse(name: &str) -> Option<Self> {
        let (kernel, tier) = name.strip_prefix('<')?.split_once(" as combseal::cpu::backend::Door<combseal::cpu::")?;
        let tier = tier.strip_prefix("x86::").or_else(|| tier.strip_prefix("arm::"))?;
        let (tier, mut kernel) = (tier.strip_suffix(">>::door")?, kernel.to_string());
        if tier.starts_with("bitsliced::") {
            return None;
        }
        for (long, short) in SHORT {
            kernel = kernel.replace(long, short);
        }
        Some(Self { kernel, tier: tier.to_string() })
    }

    /// Whether its tier is one of ARM's.
    pub fn is_arm(&self) -> bool {
        self.tier.starts_with("Arm")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses() {
        let name = "<combseal::raw::ctr::Apply<combseal::cpu::keys::UpTo14> as combseal::cpu::backend::Door<combseal::cpu::x86::Vaes256>>::door";
        let door = Door { kernel: "ctr::Apply<AES-256>".into(), tier: "Vaes256".into() };
        assert_eq!(Door::parse(name), Some(door));
        assert_eq!(Door::parse(&name.replace("Vaes256", "bitsliced::Soft256")), None);
        let door = Door { kernel: "ecb::Apply<AES-128>".into(), tier: "ArmV8".into() };
        let name = "<combseal::raw::ecb::Apply<[[u8; 16]; 11]> as combseal::cpu::backend::Door<combseal::cpu::arm::ArmV8>>::door";
        assert_eq!(Door::parse(name), Some(door));
        assert_eq!(Door::parse("core::panicking::panic"), None);
    }
}
