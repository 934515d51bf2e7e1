//! A stream that fails if the other side does not read.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

use super::activity::{Activity, Wait};

/// A write fails if the other side takes nothing for this time.
const STALL_TIMEOUT: Duration = Duration::from_secs(8);
/// An answer, or an event of a stream, fails if the other side has not taken all of it in this time.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);

/// A stream with a deadline for writes. What is written between two flushes counts as one answer.
pub(super) struct TimedStream<S> {
    stream: S,
    activity: Arc<Activity>,
    stall: Option<Stall>,
}

/// An answer that the other side did not take at once.
struct Stall {
    /// End of the time for the complete answer.
    end: Instant,
    /// Earlier of `end` and the time when the next bytes must have been taken.
    deadline: Pin<Box<Sleep>>,
}

impl Stall {
    fn new() -> Stall {
        let now = Instant::now();
        let deadline = Box::pin(sleep_until(now + STALL_TIMEOUT));
        Stall { end: now + ANSWER_TIMEOUT, deadline }
    }

    fn extend(&mut self) {
        let next = self.end.min(Instant::now() + STALL_TIMEOUT);
        self.deadline.as_mut().reset(next);
    }
}

impl<S> TimedStream<S> {
    pub(super) fn new(stream: S, activity: Arc<Activity>) -> TimedStream<S> {
        TimedStream { stream, activity, stall: None }
    }

    /// Checks the result of a write against the deadline.
    fn timed(
        &mut self,
        written: Poll<io::Result<usize>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<usize>> {
        if written.is_ready() {
            if let Some(stall) = &mut self.stall {
                stall.extend();
            }
            return written;
        }
        self.activity.begin(Wait::Write);
        let stall = self.stall.get_or_insert_with(Stall::new);
        ready!(stall.deadline.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for TimedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for TimedStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.timed(written, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.timed(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(Pin::new(&mut self.stream).poll_flush(context))?;
        if self.stall.take().is_some() {
            self.activity.end(Wait::Write);
        }
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};
    use tokio::time::sleep;

    #[tokio::test(start_paused = true)]
    async fn an_answer_that_is_never_read_fails() {
        let (near, _far) = duplex(16);
        let activity = Arc::new(Activity::new());
        let mut stream = TimedStream::new(near, Arc::clone(&activity));
        let begin = Instant::now();
        let error = stream.write_all(&[0; 64]).await.unwrap_err();
        assert_eq!((error.kind(), begin.elapsed()), (io::ErrorKind::TimedOut, STALL_TIMEOUT));
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_that_is_read_byte_by_byte_fails_too() {
        let (near, mut far) = duplex(16);
        let reader = tokio::spawn(async move {
            while far.read_u8().await.is_ok() {
                sleep(STALL_TIMEOUT / 2).await;
            }
        });
        let mut stream = TimedStream::new(near, Arc::new(Activity::new()));
        let begin = Instant::now();
        let error = stream.write_all(&[0; 640]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(begin.elapsed() <= ANSWER_TIMEOUT, "{:?}", begin.elapsed());
        reader.abort();
    }

    #[tokio::test(start_paused = true)]
    async fn each_answer_of_a_slow_reader_has_its_own_deadline() {
        let (near, mut far) = duplex(16);
        let reader = tokio::spawn(async move {
            let mut taken = [0; 16];
            while far.read_exact(&mut taken).await.is_ok() {
                sleep(STALL_TIMEOUT / 2).await;
            }
        });
        let activity = Arc::new(Activity::new());
        let mut stream = TimedStream::new(near, Arc::clone(&activity));
        let _request = activity.begin_request();
        for _ in 0..20 {
            stream.write_all(&[0; 64]).await.unwrap();
            stream.flush().await.unwrap();
            assert_eq!(activity.waits_since(), None);
        }
        reader.abort();
    }
}
