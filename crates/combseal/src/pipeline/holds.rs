//! Keys of any scheme, seen by the code of one.

/// What has a key in it: a key of some scheme or other.
pub(crate) trait Holds<K> {
    /// The key, if it is of this scheme.
    fn held(&self) -> Option<&K>;
}
