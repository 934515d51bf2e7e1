//! What a page is sent as it happens, as server-sent events: the game when it changes, the analysis a
//! few times a second.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{Stream, unfold};
use tokio::time::{Instant, sleep_until};

use super::client::{Client, Listener};

/// The shortest time between two events about an analysis.
const PACE: Duration = Duration::from_millis(100);
/// After this time without an event a line is sent, so that a page that is gone is noticed.
const HEARTBEAT: Duration = Duration::from_secs(10);

/// The events of a client, as long as somebody listens.
pub(crate) fn events(
    client: &Arc<Client>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>> + use<>> {
    let mut listener = client.listen();
    // What there is already is news to this listener.
    listener.game.mark_changed();
    listener.analysis.mark_changed();
    let source = Source { listener, next_analysis: Instant::now() };
    let stream = unfold(source, async |mut source| {
        let event = source.next().await?;
        Some((Ok(event), source))
    });
    Sse::new(stream).keep_alive(KeepAlive::new().interval(HEARTBEAT))
}

struct Source {
    listener: Listener,
    /// When an event about the analysis is due at the earliest.
    next_analysis: Instant,
}

impl Source {
    /// The next event; `None` once the client has ended.
    async fn next(&mut self) -> Option<Event> {
        loop {
            let (game, analysis) = (&mut self.listener.game, &mut self.listener.analysis);
            let due = self.next_analysis;
            let paced = async {
                sleep_until(due).await;
                analysis.changed().await
            };
            let event = tokio::select! {
                biased;
                changed = game.changed() => {
                    changed.ok()?;
                    let view = game.borrow_and_update().clone();
                    let Some(view) = view else {
                        continue;
                    };
                    Event::default().event("game").json_data(&*view)
                }
                changed = paced => {
                    changed.ok()?;
                    self.next_analysis = Instant::now() + PACE;
                    let found = Arc::clone(&self.listener.analysis.borrow_and_update());
                    Event::default().event("analysis").json_data(found.view())
                }
            };
            if let Ok(event) = event {
                return Some(event);
            }
        }
    }
}
