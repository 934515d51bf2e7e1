//! What a page is sent as it happens, as server-sent events: the game when it changes, the analysis and
//! the work a few times a second.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{Stream, unfold};
use tokio::time::{Instant, sleep_until};

use super::client::{Client, Listener};
use super::work::SentRows;

/// The shortest time between two events about an analysis.
const ANALYSIS_INTERVAL: Duration = Duration::from_millis(100);
/// The shortest time between two events about work, which may have many new rows.
const WORK_INTERVAL: Duration = Duration::from_millis(300);
/// After this time without an event a line is sent, so that a page that is gone is noticed.
const HEARTBEAT: Duration = Duration::from_secs(10);

/// The events of a client, as long as somebody listens.
pub(crate) fn events(
    client: &Arc<Client>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>> + use<>> {
    let mut listener = client.listen();
    // A new listener has not seen what is already there.
    listener.game.mark_changed();
    listener.analysis.mark_changed();
    listener.work.mark_changed();
    let now = Instant::now();
    let sent_rows = SentRows::default();
    let source = EventSource { listener, next_analysis: now, next_work: now, sent_rows };
    let stream = unfold(source, async |mut source| {
        let event = source.next().await?;
        Some((Ok(event), source))
    });
    Sse::new(stream).keep_alive(KeepAlive::new().interval(HEARTBEAT))
}

struct EventSource {
    listener: Listener,
    /// When an event about the analysis is due at the earliest.
    next_analysis: Instant,
    next_work: Instant,
    sent_rows: SentRows,
}

impl EventSource {
    /// The next event; `None` once the client has ended.
    async fn next(&mut self) -> Option<Event> {
        loop {
            let Listener { game, analysis, work, .. } = &mut self.listener;
            let analysis_changed = async {
                sleep_until(self.next_analysis).await;
                analysis.changed().await
            };
            let work_changed = async {
                sleep_until(self.next_work).await;
                work.changed().await
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
                changed = analysis_changed => {
                    changed.ok()?;
                    let found = Arc::clone(&self.listener.analysis.borrow_and_update());
                    // The first lines do not wait for the pace: the message that an analysis begins was sent before.
                    if found.has_lines() {
                        self.next_analysis = Instant::now() + ANALYSIS_INTERVAL;
                    }
                    Event::default().event("analysis").json_data(found.view())
                }
                changed = work_changed => {
                    changed.ok()?;
                    self.next_work = Instant::now() + WORK_INTERVAL;
                    let view = Arc::clone(&self.listener.work.borrow_and_update());
                    Event::default().event("work").json_data(view.event(&mut self.sent_rows))
                }
            };
            if let Ok(event) = event {
                return Some(event);
            }
        }
    }
}
