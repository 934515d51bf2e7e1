//! Links to the server for other devices, and their QR codes.

use std::cmp::Reverse;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, UdpSocket};

use if_addrs::IfOperStatus;
use qrcode::render::unicode::Dense1x2;
use qrcode::{EcLevel, QrCode};

/// Address for documentation. A socket connected to it shows the address of the default route; nothing is
/// sent.
const ELSEWHERE: (Ipv4Addr, u16) = (Ipv4Addr::new(192, 0, 2, 1), 9);

/// Returns the addresses at which other devices reach a server that listens at this address. The best one for
/// a phone in the same network is the first.
pub(crate) fn reachable_addresses(listening: IpAddr) -> Vec<IpAddr> {
    if listening.is_loopback() {
        return Vec::new();
    }
    if !listening.is_unspecified() {
        return vec![listening];
    }
    // Without a list of interfaces there is still the default route.
    let interfaces = if_addrs::get_if_addrs().unwrap_or_default();
    let is_down = |status: &IfOperStatus| {
        use IfOperStatus::{Down, LowerLayerDown, NotPresent};
        matches!(status, Down | LowerLayerDown | NotPresent)
    };
    let addresses = interfaces.iter().filter(|interface| !is_down(&interface.oper_status));
    choose(listening, addresses.map(|interface| interface.ip()).collect(), default_route())
}

/// Returns the address of this machine on its default route.
fn default_route() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect(ELSEWHERE).ok()?;
    Some(socket.local_addr().ok()?.ip())
}

/// Returns the addresses that a browser on another device can open, the best one first.
fn choose(listening: IpAddr, mut addresses: Vec<IpAddr>, default: Option<IpAddr>) -> Vec<IpAddr> {
    addresses.extend(default);
    addresses.retain(|&address| is_reachable(listening, address));
    let rank = |address: &IpAddr| {
        let is_private = matches!(address, IpAddr::V4(v4) if v4.is_private());
        (Reverse(Some(*address) == default), address.is_ipv6(), Reverse(is_private), *address)
    };
    addresses.sort_by_key(rank);
    addresses.dedup();
    addresses
}

/// Returns true if a browser on another device can open the address. A link-local address is none: it needs
/// the name of an interface.
fn is_reachable(listening: IpAddr, address: IpAddr) -> bool {
    let is_listened_to = match address {
        IpAddr::V4(_) => listening.is_ipv4() || is_dual_stack(),
        IpAddr::V6(_) => listening.is_ipv6(),
    };
    let is_local = match address {
        IpAddr::V4(v4) => v4.is_link_local(),
        IpAddr::V6(v6) => is_link_local(v6),
    };
    is_listened_to && !is_local && !address.is_loopback() && !address.is_unspecified()
}

fn is_link_local(address: Ipv6Addr) -> bool {
    address.segments()[0] & 0xffc0 == 0xfe80
}

/// A socket for all IPv6 addresses accepts IPv4 connections too.
fn is_dual_stack() -> bool {
    !cfg!(any(windows, target_os = "openbsd"))
}

/// Returns the QR code of a link as text for a terminal, black on white; `None` if the link is too long.
pub fn qr_code(link: &str) -> Option<String> {
    const BLACK_ON_WHITE: &str = "\x1b[38;5;16;48;5;231m";
    const RESET: &str = "\x1b[0m";
    let code = QrCode::with_error_correction_level(link, EcLevel::L).ok()?;
    let image = code.render::<Dense1x2>().module_dimensions(1, 1).build();
    Some(image.lines().map(|line| format!("{BLACK_ON_WHITE}{line}{RESET}\n")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn addresses(texts: &[&str]) -> Vec<IpAddr> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    const ALL: [&str; 9] = [
        "127.0.0.1",
        "::1",
        "fe80::1",
        "169.254.7.7",
        "2001:db8::7",
        "203.0.113.7",
        "172.17.0.1",
        "10.0.0.7",
        "192.168.1.7",
    ];

    #[test]
    fn all_ipv4_addresses_for_other_devices_are_found_and_the_default_route_is_the_first() {
        let default = Some("192.168.1.7".parse().unwrap());
        let found = choose(Ipv4Addr::UNSPECIFIED.into(), addresses(&ALL), default);
        let expected = ["192.168.1.7", "10.0.0.7", "172.17.0.1", "203.0.113.7"];
        assert_eq!(found, addresses(&expected));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_server_for_all_ipv6_addresses_is_reachable_at_both_kinds() {
        let found = choose(Ipv6Addr::UNSPECIFIED.into(), addresses(&ALL), None);
        let expected = ["10.0.0.7", "172.17.0.1", "192.168.1.7", "203.0.113.7", "2001:db8::7"];
        assert_eq!(found, addresses(&expected));
    }

    #[test]
    fn a_server_at_one_address_is_reachable_at_that_address() {
        assert_eq!(reachable_addresses("192.0.2.7".parse().unwrap()), addresses(&["192.0.2.7"]));
        assert!(reachable_addresses("127.0.0.1".parse().unwrap()).is_empty());
    }

    #[test]
    fn a_qr_code_is_a_square_with_a_quiet_border() {
        let key = "0".repeat(64);
        let code = qr_code(&format!("http://192.168.1.7:8808/?key={key}")).unwrap();
        let lines: Vec<&str> = code.lines().collect();
        let width = |line: &str| line.chars().filter(|c| " ▀▄█".contains(*c)).count();
        assert!(lines.iter().all(|line| width(line) == width(lines[0])));
        assert_eq!(lines.len(), width(lines[0]).div_ceil(2));
        assert!(width(lines[0]) < 60, "it fits a terminal");
        assert!(!lines[0].contains(['▀', '▄', '█']) && lines[2].contains("█▀▀▀▀▀█"), "{code}");
        assert!(qr_code(&"x".repeat(5000)).is_none());
    }
}
