//! The links that the server prints for other devices.

use std::fs::{self, File};
use std::net::{SocketAddr, TcpStream};
use std::process::Command;

use crate::support::Running;
use crate::support::http::{Server, eventually};

/// Starts a server; returns it and what it printed to a file.
fn printed(arguments: &[&str]) -> (Running, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("printed");
    let child = Command::new(env!("CARGO_BIN_EXE_outrider"))
        .args(["serve", "--port", "0"])
        .args(arguments)
        .stdout(File::create(&path).unwrap())
        .spawn()
        .unwrap();
    let running = Running(child);
    let read = || fs::read_to_string(&path).unwrap();
    eventually("a link is printed", || read().ends_with('\n'));
    let text = read();
    (running, text)
}

#[test]
fn a_server_at_all_addresses_prints_a_link_for_each_address_of_this_machine() {
    let (_server, text) = printed(&["--listen", "0.0.0.0"]);
    let mut lines = text.lines();
    let own = lines.next().unwrap();
    let (place, key) = own.strip_prefix("http://").unwrap().split_once('/').unwrap();
    assert!(place.starts_with("localhost:") && key.starts_with("?key="), "{own}");
    let others: Vec<&str> = lines.filter_map(|line| line.strip_prefix("  http://")).collect();
    for other in &others {
        let (address, its_key) = other.split_once('/').unwrap();
        assert_eq!(its_key, key);
        let address: SocketAddr = address.parse().unwrap();
        assert!(!address.ip().is_loopback() && !address.ip().is_unspecified(), "{other}");
        TcpStream::connect(address).expect("an address of this machine");
    }
    assert_eq!(text.contains("On another device"), !others.is_empty(), "{text}");
    assert!(!text.contains('\u{1b}') && !text.contains('█'), "a file gets no QR code");
}

#[test]
fn a_server_for_this_machine_prints_one_link() {
    let (_server, text) = printed(&[]);
    assert_eq!(text.lines().count(), 1, "{text}");
}

#[test]
fn a_link_for_another_device_opens_the_page() {
    let server = Server::start(&["--listen", "0.0.0.0"]);
    let (_, key) = server.link.split_once("/?").unwrap();
    let host = format!("192.168.1.7:{}", server.address.port());
    let page = server.request("GET", &format!("/?{key}"), &[("host", &host)], "");
    assert_eq!(page.status, 200, "{}", page.head);
}
