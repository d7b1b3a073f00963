//! The libraries that people use instead of ours, in one small file each. Each is called the best
//! way its interface allows: the key's context is kept, the nonce changes, the message is sealed in
//! place, and the tag is apart from it.

#[cfg(feature = "peer-rustcrypto")]
mod aes_gcm;
#[cfg(feature = "peer-rustcrypto")]
mod aes_gcm_siv;
#[cfg(feature = "peer-rustcrypto")]
mod aes_siv;
#[cfg(feature = "peer-aws-lc-rs")]
mod aws_lc_rs;
#[cfg(feature = "peer-rustcrypto")]
mod ccm;
#[cfg(feature = "peer-rustcrypto")]
mod chacha20_poly1305;
#[cfg(feature = "peer-rustcrypto")]
mod eax;
#[cfg(feature = "peer-ipsec-mb")]
mod ipsec_mb;
#[cfg(feature = "peer-aegis")]
mod libaegis;
#[cfg(feature = "peer-libgcrypt")]
mod libgcrypt;
#[cfg(feature = "peer-libsodium")]
mod libsodium;
#[cfg(feature = "peer-rustcrypto")]
mod ocb3;
#[cfg(feature = "peer-openssl")]
mod openssl;
#[cfg(feature = "peer-ring")]
mod ring;
#[cfg(feature = "peer-rustcrypto")]
mod rustcrypto;

use super::implementation::Implementation;

/// Every peer that was compiled in, at every key length it has.
pub fn implementations() -> Vec<Implementation> {
    #[allow(unused_mut)]
    let mut all: Vec<Implementation> = Vec::new();
    #[cfg(feature = "peer-rustcrypto")]
    {
        all.extend(ocb3::implementations());
        all.extend(aes_gcm::implementations());
        all.extend(ccm::implementations());
        all.extend(aes_gcm_siv::implementations());
        all.extend(eax::implementations());
        all.extend(aes_siv::implementations());
        all.extend(chacha20_poly1305::implementations());
    }
    #[cfg(feature = "peer-ring")]
    all.extend(ring::implementations());
    #[cfg(feature = "peer-aws-lc-rs")]
    all.extend(aws_lc_rs::implementations());
    #[cfg(feature = "peer-aegis")]
    all.extend(libaegis::implementations());
    #[cfg(feature = "peer-openssl")]
    all.extend(openssl::implementations());
    #[cfg(feature = "peer-libgcrypt")]
    all.extend(libgcrypt::implementations());
    #[cfg(feature = "peer-libsodium")]
    all.extend(libsodium::implementations());
    #[cfg(feature = "peer-ipsec-mb")]
    all.extend(ipsec_mb::implementations());
    all
}

#[cfg(test)]
mod tests {
    /// The names carry versions, and these must be the ones that Cargo chose.
    #[test]
    fn names_carry_the_locked_versions() {
        let lock = include_str!("../../../../../Cargo.lock");
        // The system's libraries tell their own versions.
        let installed = |name: &str| {
            ["OpenSSL", "libgcrypt", "libsodium", "ipsec-mb"].iter().any(|system| name.starts_with(system))
        };
        for one in super::implementations().into_iter().filter(|one| !installed(&one.name)) {
            let words: Vec<&str> = one.name.split(' ').collect();
            let [.., name, version] = words[..] else { panic!("{}", one.name) };
            let entry = format!("name = \"{name}\"\nversion = \"{version}\"");
            assert!(lock.contains(&entry), "{}: not what Cargo.lock says", one.name);
        }
    }
}
