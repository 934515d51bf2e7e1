//! Bodies of requests and answers that record what their connection waits for.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body as AnyBody, Bytes};
use hyper::body::{Body, Frame, Incoming, SizeHint};

use super::activity::{Activity, InFlight, Wait};

/// Body of a request. Records the waits for its parts.
pub(super) struct RequestBody {
    body: Incoming,
    activity: Arc<Activity>,
}

impl RequestBody {
    pub(super) fn new(body: Incoming, activity: Arc<Activity>) -> RequestBody {
        RequestBody { body, activity }
    }
}

impl Body for RequestBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        if frame.is_pending() {
            self.activity.begin(Wait::Body);
        } else {
            self.activity.end(Wait::Body);
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Body of an answer. Its request is in flight until the body is dropped.
pub(super) struct AnswerBody {
    body: AnyBody,
    _in_flight: InFlight,
}

impl AnswerBody {
    pub(super) fn new(body: AnyBody, in_flight: InFlight) -> AnswerBody {
        AnswerBody { body, _in_flight: in_flight }
    }
}

impl Body for AnswerBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
