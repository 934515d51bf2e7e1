//! A connection: its limits, and the end of each wait for its other side.
//!
//! `activity` records what a connection waits for, `timed_stream` ends writes that make no progress, and
//! `places` limits the number of connections, in total and for each address.

mod activity;
mod body;
mod places;
mod timed_stream;

use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::http::header;
use axum::http::{HeaderValue, Request, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpStream;

use body::{AnswerBody, RequestBody};
pub(crate) use places::{Place, Places};
use timed_stream::TimedStream;

/// A connection without a complete request header for this time is closed.
const IDLE_TIMEOUT: Duration = Duration::from_secs(8);
/// Number of requests after which a connection is closed. A browser opens a new one.
const MAX_REQUESTS: usize = 1000;
/// Maximum size of a connection's read buffer in bytes, headers included.
const MAX_BUFFER: usize = 64 << 10;

/// Serves a connection until its end, a missed deadline or the loss of its place.
pub(crate) async fn serve(stream: TcpStream, router: Router, place: Place) {
    // Without this, Nagle's algorithm delays small responses.
    let _ = stream.set_nodelay(true);
    let activity = place.activity();
    let answering = Arc::clone(&activity);
    let router = TowerToHyperService::new(router);
    let requests = AtomicUsize::new(0);
    let service = service_fn(move |request: Request<Incoming>| {
        let is_last = requests.fetch_add(1, Ordering::Relaxed) + 1 >= MAX_REQUESTS;
        let in_flight = answering.begin_request();
        let answering = Arc::clone(&answering);
        let request = request.map(|body| RequestBody::new(body, answering));
        let answer = router.call(request);
        async move {
            let mut answer = answer.await?;
            if is_last {
                close_after(&mut answer);
            }
            Ok::<_, Infallible>(answer.map(|body| AnswerBody::new(body, in_flight)))
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(IDLE_TIMEOUT)
        .max_buf_size(MAX_BUFFER)
        .serve_connection(TokioIo::new(TimedStream::new(stream, activity)), service);
    tokio::select! {
        // Fails if the client hangs up or misses a deadline; there is nothing left to do then.
        _ = connection => {}
        () = place.lost() => {}
    }
}

/// Closes the connection after this answer.
pub(crate) fn close_after<B>(answer: &mut Response<B>) {
    answer.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
}

/// Returns the address that shares places: an IPv4 address, or the network of an IPv6 address, since one
/// machine can have all addresses of its network.
fn origin(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let network = u128::from(address) >> 64 << 64;
            IpAddr::V6(network.into())
        }
        v4 => v4,
    }
}
