//! The server: accepts connections and limits their number, header time and buffer size.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::budget::ServerOptions;
use super::guard::Guard;
use super::page::Assets;
use super::registry::Registry;
use super::routes::{self, Shared};

/// Maximum number of open connections. Further ones wait to be accepted.
const MAX_CONNECTIONS: usize = 256;
/// A connection that sends no complete request header within this time is closed.
const HEADER_TIMEOUT: Duration = Duration::from_secs(15);
/// Interval for checking clocks and idle clients.
const TICK: Duration = Duration::from_millis(200);
/// Maximum size of a connection's read buffer in bytes, headers included.
const MAX_BUFFER: usize = 64 << 10;

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
        let registry = Registry::new(options.max_clients, options.budget);
        let shared = Arc::new(Shared { registry, assets });
        let router = routes::router(Arc::clone(&shared), guard.clone());
        Ok(Server { listener, address, guard, router, shared })
    }

    /// Returns the URL of the page.
    pub fn link(&self) -> String {
        self.guard.link(self.address)
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
        let free = Arc::new(Semaphore::new(MAX_CONNECTIONS));
        while let Ok(permit) = Arc::clone(&free).acquire_owned().await {
            match self.listener.accept().await {
                Ok((stream, _)) => {
                    drop(tokio::spawn(serve_connection(stream, self.router.clone(), permit)))
                }
                // No file descriptor is free, or the connection is already closed.
                Err(_) => tokio::time::sleep(TICK).await,
            }
        }
    }
}

async fn serve_connection(stream: TcpStream, router: Router, _permit: OwnedSemaphorePermit) {
    // Without this, Nagle's algorithm delays small responses.
    let _ = stream.set_nodelay(true);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIMEOUT)
        .max_buf_size(MAX_BUFFER)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    // Fails if the client hangs up; there is nothing left to do then.
    let _ = connection.await;
}
