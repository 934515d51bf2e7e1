//! The connected clients, in limited number. A new client may replace one that has left or is unused.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::budget::Budget;
use super::client::Client;

/// An unused client without running work is removed after this time. The browser has saved its game.
const MAX_IDLE: Duration = Duration::from_secs(15 * 60);
/// A new client may replace one that is unused for this time.
const REPLACEABLE_AFTER: Duration = Duration::from_secs(30);

/// The clients by id.
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

    /// Adds a client. Returns `None` if the maximum is reached and no client can be replaced.
    ///
    /// # Panics
    ///
    /// Panics outside a Tokio runtime.
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

    /// Updates all clients and removes the idle ones. Called several times a second.
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
