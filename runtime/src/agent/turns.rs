//! What may happen only once at a time waits for its turn.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock, Mutex},
};

use futures_util::lock::{Mutex as AsyncMutex, OwnedMutexGuard};

use crate::context::lock;

/// One list for the whole process: two agents may share a store, and a call may wait for both kinds.
static TURNS: LazyLock<Mutex<Turns>> = LazyLock::new(Mutex::default);

#[derive(Default)]
struct Turns {
    places: HashMap<String, Place>,
    /// Who waits for which place, by a number of its own.
    waiting: HashMap<u64, (Vec<u64>, String)>,
    numbers: u64,
}

/// Something that happens only once at a time.
#[derive(Default)]
struct Place {
    mutex: Arc<AsyncMutex<()>>,
    /// The call that has its turn.
    holder: Option<u64>,
    /// How many have it or wait for it.
    users: usize,
}

/// Two calls would wait for each other, or one for itself.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Circle;

/// A turn. It ends when this is dropped, also in the middle of the call.
pub(super) struct Turn {
    place: String,
    number: u64,
    guard: Option<OwnedMutexGuard<()>>,
}

impl Turn {
    /// Waits for a turn. `calls` are the calls that stand within each other, the waiting one last.
    pub(super) async fn take(place: String, calls: Vec<u64>) -> Result<Self, Circle> {
        let holder = calls.last().copied();
        let (mutex, number) = {
            let mut turns = lock(&TURNS);
            if turns.is_circle(&place, &calls, &mut Vec::new()) {
                return Err(Circle);
            }
            turns.numbers += 1;
            let number = turns.numbers;
            let entry = turns.places.entry(place.clone()).or_default();
            entry.users += 1;
            let mutex = Arc::clone(&entry.mutex);
            turns.waiting.insert(number, (calls, place.clone()));
            (mutex, number)
        };
        let mut turn = Self {
            place,
            number,
            guard: None,
        };
        turn.guard = Some(mutex.lock_owned().await);
        let mut turns = lock(&TURNS);
        turns.waiting.remove(&number);
        if let Some(place) = turns.places.get_mut(&turn.place) {
            place.holder = holder;
        }
        drop(turns);
        Ok(turn)
    }
}

impl Turns {
    /// Whether a place becomes free only after one of these calls has ended.
    fn is_circle(&self, place: &str, calls: &[u64], seen: &mut Vec<u64>) -> bool {
        let Some(holder) = self.places.get(place).and_then(|place| place.holder) else {
            return false;
        };
        if calls.contains(&holder) {
            return true;
        }
        if seen.contains(&holder) {
            return false;
        }
        seen.push(holder);
        let within = self.waiting.values();
        let mut within = within.filter(|(waiting, _)| waiting.contains(&holder));
        within.any(|(_, place)| self.is_circle(place, calls, seen))
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut turns = lock(&TURNS);
        turns.waiting.remove(&self.number);
        let Some(place) = turns.places.get_mut(&self.place) else {
            return;
        };
        if self.guard.take().is_some() {
            place.holder = None;
        }
        place.users -= 1;
        if place.users == 0 {
            turns.places.remove(&self.place);
        }
        // The list outlives every agent; what it took in a rush is given back.
        if turns.places.is_empty() {
            turns.places = HashMap::new();
            turns.waiting = HashMap::new();
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::{Circle, Turn};

    fn place(name: &str) -> String {
        format!("{}:{name}", std::process::id())
    }

    #[test]
    fn the_second_waits_for_the_first() {
        let first = Turn::take(place("one"), vec![1]).now_or_never().unwrap();
        let mut second = Box::pin(Turn::take(place("one"), vec![2]));
        assert!(second.as_mut().now_or_never().is_none());
        let given_up = Turn::take(place("one"), vec![3]).now_or_never();
        assert!(given_up.is_none());
        drop(first);
        assert!(second.now_or_never().unwrap().is_ok());
    }

    #[test]
    fn nobody_waits_for_itself_or_in_a_circle() {
        let _a = Turn::take(place("a"), vec![10]).now_or_never().unwrap();
        let within = Turn::take(place("a"), vec![10, 11]).now_or_never();
        assert_eq!(within.unwrap().err(), Some(Circle));
        let _b = Turn::take(place("b"), vec![20]).now_or_never().unwrap();
        let mut first = Box::pin(Turn::take(place("b"), vec![10, 12]));
        assert!(first.as_mut().now_or_never().is_none());
        let second = Turn::take(place("a"), vec![20, 21]).now_or_never();
        assert_eq!(second.unwrap().err(), Some(Circle));
        drop(first);
        let waits = Turn::take(place("a"), vec![20, 21]).now_or_never();
        assert!(waits.is_none(), "no circle any more");
    }
}
