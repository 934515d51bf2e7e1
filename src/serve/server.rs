//! The server: binds an address and accepts connections.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use tokio::net::TcpListener;

use super::addresses;
use super::budget::ServerOptions;
use super::connection::{self, Places};
use super::explorer::SharedBook;
use super::guard::Guard;
use super::page::Assets;
use super::registry::Registry;
use super::routes::{self, Shared};

/// Interval for checking clocks and idle clients.
const TICK: Duration = Duration::from_millis(200);

/// A server bound to an address.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    guard: Guard,
    router: Router,
    shared: Arc<Shared>,
}

impl Server {
    /// Binds a server to an address.
    ///
    /// # Errors
    ///
    /// Fails if the address is in use or does not belong to this machine.
    pub async fn bind(address: SocketAddr, options: ServerOptions) -> io::Result<Server> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let guard = Guard::new(address);
        let assets = Assets::new(&options);
        let ServerOptions { max_clients, budget, book } = options;
        let registry = Registry::new(max_clients, budget);
        let book = Arc::new(SharedBook::new(book));
        let shared = Arc::new(Shared { registry, assets, book });
        let router = routes::router(Arc::clone(&shared), guard.clone());
        Ok(Server { listener, address, guard, router, shared })
    }

    /// Returns the URL of the page, for this machine if the server listens at all addresses.
    pub fn link(&self) -> String {
        self.guard.link(self.address)
    }

    /// Returns the URLs of the page for other devices, the best one for a phone first. There are none if only
    /// this machine can connect.
    pub fn links_for_other_devices(&self) -> Vec<String> {
        let port = self.address.port();
        let addresses = addresses::reachable_addresses(self.address.ip()).into_iter();
        addresses.map(|address| self.guard.link(SocketAddr::new(address, port))).collect()
    }

    /// Serves requests until the future is dropped.
    pub async fn run(self) {
        let shared = Arc::clone(&self.shared);
        let housekeeping = async {
            let mut ticks = tokio::time::interval(TICK);
            loop {
                ticks.tick().await;
                shared.registry.tick();
            }
        };
        tokio::join!(housekeeping, self.accept());
    }

    async fn accept(self) {
        let places = Places::new();
        loop {
            match self.listener.accept().await {
                Ok((stream, peer)) => {
                    if let Some(place) = places.admit(peer.ip()) {
                        let router = self.router.clone();
                        drop(tokio::spawn(connection::serve(stream, router, place)));
                    }
                }
                // No file descriptor is free, or the connection is already closed.
                Err(_) => tokio::time::sleep(TICK).await,
            }
        }
    }
}
