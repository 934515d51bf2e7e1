//! The server: connections, and their end.

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

/// The most connections at a time; others wait to be taken.
const MAX_CONNECTIONS: usize = 256;
/// A connection without a request is closed after this time.
const HEADER_TIMEOUT: Duration = Duration::from_secs(15);
/// How often clocks and idle clients are looked after.
const TICK: Duration = Duration::from_millis(200);
/// What a connection's buffer holds at most, its headers too.
const MAX_BUFFER: usize = 64 << 10;

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    guard: Guard,
    router: Router,
    shared: Arc<Shared>,
}

impl Server {
    /// # Errors
    ///
    /// Fails if the address is taken or not this machine's.
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

    /// The link that leads to the page.
    pub fn link(&self) -> String {
        self.guard.link(self.address)
    }

    /// Answers requests until it is dropped.
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
                // No descriptor is free, or a connection was gone already.
                Err(_) => tokio::time::sleep(TICK).await,
            }
        }
    }
}

async fn serve_connection(stream: TcpStream, router: Router, _permit: OwnedSemaphorePermit) {
    // A small answer is sent at once; without that it would only come later.
    let _ = stream.set_nodelay(true);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIMEOUT)
        .max_buf_size(MAX_BUFFER)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    // It fails when the other side hangs up, and then there is nobody to answer.
    let _ = connection.await;
}
