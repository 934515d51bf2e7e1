//! The clients that there are. Their number is bounded; those that left make room.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::budget::Budget;
use super::client::Client;

/// A client that nobody uses and that does no work ends after this time. Its game is kept by the page.
const MAX_IDLE: Duration = Duration::from_secs(15 * 60);
/// A client that nobody has used for this time makes room for a new one.
const REPLACEABLE_AFTER: Duration = Duration::from_secs(30);

/// The clients by their names.
pub(crate) struct Registry {
    clients: Mutex<HashMap<String, Arc<Client>>>,
    max_clients: usize,
    budget: Arc<Budget>,
}

impl Registry {
    pub(crate) fn new(max_clients: usize, budget: Budget) -> Registry {
        Registry { clients: Mutex::default(), max_clients, budget: Arc::new(budget) }
    }

    pub(crate) fn budget(&self) -> &Budget {
        &self.budget
    }

    pub(crate) fn max_clients(&self) -> usize {
        self.max_clients
    }

    /// A new client, or `None` if all places are taken. To be called where tasks can be spawned.
    pub(crate) fn admit(&self) -> Option<Arc<Client>> {
        let mut clients = self.locked();
        if clients.len() >= self.max_clients {
            let free = clients.iter().filter_map(|(id, client)| {
                let unused = if client.has_left() { Some(Duration::MAX) } else { client.idle() };
                Some((unused.filter(|unused| *unused >= REPLACEABLE_AFTER)?, id.clone()))
            });
            let (_, longest) = free.max()?;
            clients.remove(&longest);
        }
        let id = format!("{:032x}", rand::random::<u128>());
        let client = Client::new(id.clone(), Arc::clone(&self.budget));
        clients.insert(id, Arc::clone(&client));
        Some(client)
    }

    pub(crate) fn find(&self, id: &str) -> Option<Arc<Client>> {
        self.locked().get(id).cloned()
    }

    pub(crate) fn remove(&self, id: &str) {
        self.locked().remove(id);
    }

    /// To be called several times a second.
    pub(crate) fn tick(&self) {
        let clients: Vec<Arc<Client>> = self.locked().values().cloned().collect();
        for client in clients {
            client.tick();
            if client.idle().is_some_and(|idle| idle > MAX_IDLE) {
                self.remove(&client.id);
            }
        }
    }

    fn locked(&self) -> MutexGuard<'_, HashMap<String, Arc<Client>>> {
        self.clients.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
