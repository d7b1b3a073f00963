//! Keys that take turns: each message has the next one, from batch to batch, so that all of them are in use
//! however few messages a batch has.

/// Keys, and which of them the next message has.
pub(super) struct Turns<K> {
    keys: Vec<K>,
    next: usize,
}

impl<K> Turns<K> {
    /// The first message has the first key.
    pub(super) fn new(keys: Vec<K>) -> Self {
        assert!(!keys.is_empty(), "a batch has a key");
        Self { keys, next: 0 }
    }

    /// The keys of the next messages; each that is taken has had its turn.
    #[inline(always)]
    pub(super) fn take(&mut self) -> impl Iterator<Item = &K> {
        let (keys, next) = (&self.keys[..], &mut self.next);
        std::iter::repeat_with(move || {
            let key = &keys[*next];
            *next = if *next + 1 == keys.len() { 0 } else { *next + 1 };
            key
        })
    }

    /// The place of the key whose turn is next.
    pub(super) fn next(&self) -> usize {
        self.next
    }

    /// Goes back to a place that was the next one before.
    pub(super) fn back_to(&mut self, place: usize) {
        self.next = place;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_have_their_turns() {
        let mut turns = Turns::new(vec![10, 11, 12]);
        assert_eq!(turns.take().take(2).copied().collect::<Vec<_>>(), [10, 11]);
        let place = turns.next();
        assert_eq!([0; 5].iter().zip(turns.take()).map(|(_, key)| *key).collect::<Vec<_>>(), [12, 10, 11, 12, 10]);
        turns.back_to(place);
        assert_eq!(turns.take().next(), Some(&12));
        let mut one = Turns::new(vec![7]);
        assert_eq!(one.take().take(3).copied().collect::<Vec<_>>(), [7, 7, 7]);
    }
}
