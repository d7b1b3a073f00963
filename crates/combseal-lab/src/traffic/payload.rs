//! What counts as a message in a captured frame: it depends on the protocol that would seal it.

use serde::{Deserialize, Serialize};

/// What counts as a message in a captured frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Payload {
    /// What an IP packet carries: what IPsec's transport mode would seal.
    #[default]
    Ip,
    /// What a UDP datagram carries: what QUIC, DTLS and WireGuard would seal.
    Udp,
    /// The whole frame: what MACsec or a tunnel would seal.
    Frame,
}

impl Payload {
    /// The name, as on a command line.
    pub fn name(self) -> &'static str {
        match self {
            Payload::Ip => "ip",
            Payload::Udp => "udp",
            Payload::Frame => "frame",
        }
    }
}
