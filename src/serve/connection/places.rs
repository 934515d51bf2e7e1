//! Places for connections: a limited number in total and for each address.
//!
//! If all places of an address are in use, a new connection takes the place of the one that has waited for
//! its other side the longest. So connections that send nothing or read nothing cannot keep others out.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::activity::Activity;
use super::origin;

/// Maximum number of open connections.
const MAX_CONNECTIONS: usize = 256;
/// Maximum number of open connections of one address. A browser opens six.
const MAX_PER_ADDRESS: usize = 64;

/// The places of a server.
pub(crate) struct Places {
    holders: Mutex<Vec<Arc<Holder>>>,
}

/// A connection that has a place.
struct Holder {
    origin: IpAddr,
    activity: Arc<Activity>,
    lost: Notify,
}

/// The place of a connection. Dropping it frees the place.
pub(crate) struct Place {
    holder: Arc<Holder>,
    places: Arc<Places>,
}

impl Places {
    pub(crate) fn new() -> Arc<Places> {
        Arc::new(Places { holders: Mutex::default() })
    }

    /// Gives a place to a connection from this address, if necessary that of another connection. Returns
    /// `None` if the server is at work for all connections that it could replace.
    pub(crate) fn admit(self: &Arc<Self>, address: IpAddr) -> Option<Place> {
        let origin = origin(address);
        let mut holders = self.locked();
        let of = |origin| move |holder: &&Arc<Holder>| holder.origin == origin;
        let crowded = if holders.iter().filter(of(origin)).count() >= MAX_PER_ADDRESS {
            Some(origin)
        } else if holders.len() >= MAX_CONNECTIONS {
            most_frequent(&holders)
        } else {
            None
        };
        if let Some(crowded) = crowded {
            let waiting = holders.iter().filter(of(crowded));
            let waiting =
                waiting.filter_map(|holder| Some((holder.activity.waits_since()?, holder)));
            let (_, longest) = waiting.min_by_key(|(since, _)| *since)?;
            let longest = Arc::clone(longest);
            longest.lost.notify_one();
            holders.retain(|holder| !Arc::ptr_eq(holder, &longest));
        }
        let activity = Arc::new(Activity::new());
        let holder = Arc::new(Holder { origin, activity, lost: Notify::new() });
        holders.push(Arc::clone(&holder));
        Some(Place { holder, places: Arc::clone(self) })
    }

    fn locked(&self) -> MutexGuard<'_, Vec<Arc<Holder>>> {
        self.holders.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the address that has the most places.
fn most_frequent(holders: &[Arc<Holder>]) -> Option<IpAddr> {
    let mut counts: HashMap<IpAddr, usize> = HashMap::new();
    for holder in holders {
        *counts.entry(holder.origin).or_default() += 1;
    }
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(origin, _)| origin)
}

impl Place {
    pub(super) fn activity(&self) -> Arc<Activity> {
        Arc::clone(&self.holder.activity)
    }

    /// Waits until another connection has taken the place.
    pub(super) async fn lost(&self) {
        self.holder.lost.notified().await;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.places.locked().retain(|holder| !Arc::ptr_eq(holder, &self.holder));
    }
}

#[cfg(test)]
mod tests {
    use super::super::activity::InFlight;
    use super::*;

    fn address(number: u8) -> IpAddr {
        [192, 0, 2, number].into()
    }

    /// Returns connections from an address, all with a request in flight.
    fn busy(places: &Arc<Places>, address: IpAddr, count: usize) -> Vec<(Place, InFlight)> {
        let admit = || places.admit(address).expect("a place");
        let begin = |place: Place| {
            let request = place.activity().begin_request();
            (place, request)
        };
        std::iter::repeat_with(|| begin(admit())).take(count).collect()
    }

    fn count(places: &Places) -> usize {
        places.locked().len()
    }

    #[tokio::test]
    async fn one_address_cannot_hold_the_places_of_others() {
        let places = Places::new();
        let held = busy(&places, address(1), MAX_PER_ADDRESS);
        assert!(places.admit(address(1)).is_none());
        assert!(places.admit(address(2)).is_some());
        drop(held);
        assert_eq!(count(&places), 0);
        assert!(places.admit(address(1)).is_some());
    }

    #[tokio::test]
    async fn the_connection_that_waits_longest_loses_its_place() {
        let places = Places::new();
        let _held = busy(&places, address(1), MAX_PER_ADDRESS - 2);
        let first = places.admit(address(1)).unwrap();
        let second = places.admit(address(1)).unwrap();
        let third = places.admit(address(1)).unwrap();
        first.lost().await;
        assert_eq!(count(&places), MAX_PER_ADDRESS);
        drop(first);
        assert_eq!(count(&places), MAX_PER_ADDRESS, "its place belongs to another connection");
        drop((second, third));
        assert_eq!(count(&places), MAX_PER_ADDRESS - 2);
    }

    #[tokio::test]
    async fn a_full_server_takes_the_place_from_the_address_that_has_the_most() {
        let places = Places::new();
        let mut held = Vec::new();
        for number in 1..=3 {
            held.extend(busy(&places, address(number), MAX_PER_ADDRESS - 1));
        }
        let crowd: Vec<Place> =
            (0..MAX_PER_ADDRESS).map(|_| places.admit(address(4)).unwrap()).collect();
        let rest = busy(&places, address(5), MAX_CONNECTIONS - count(&places));
        assert_eq!(count(&places), MAX_CONNECTIONS);
        let _newcomer = places.admit(address(6)).unwrap();
        crowd[0].lost().await;
        assert_eq!(count(&places), MAX_CONNECTIONS);
        drop((held, rest));
    }

    #[test]
    fn an_ipv6_network_shares_its_places() {
        let parse = |text: &str| origin(text.parse().unwrap());
        assert_eq!(parse("2001:db8::1"), parse("2001:db8::ffff:2"));
        assert_ne!(parse("2001:db8::1"), parse("2001:db8:0:1::1"));
        assert_eq!(parse("::ffff:192.0.2.1"), parse("192.0.2.1"));
    }
}
