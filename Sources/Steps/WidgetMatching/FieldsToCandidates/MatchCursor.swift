internal import Basics

/// The position up to which `MatchSearch` has matched the batch, so that the next portion can
/// resume.
struct MatchCursor: BitwiseCopyable {
    /// Whether a batch has been started and is not finished.
    var isActive = false
    /// Whether all keys have been looked up. Until then `push` and `probe` are positions of the
    /// look-up, afterwards of reporting.
    var isLookedUp = false
    /// Index of the current push in the batch.
    var push = 0
    /// Index of the current probe among those of the batch.
    var probe = 0
    /// During the look-up: how many probes have been kept so far; the others find no key.
    var kept = 0
    /// During the look-up: how many probes of the pushes before the current one have been kept.
    var keptBefore = 0
    /// The next group of the current probe; `none` before the first.
    var group = KeyID.none
    /// Whether that group's condition is known to hold.
    var isGroupHeld = false
    /// Position of the next posting in the list of the current key.
    var posting = 0
    /// Whether an earlier portion has found widgets by the current key, so that the push is counted
    /// for this key already.
    var isKeyCounted = false
    /// Whether the bytes of the fields have been copied, so that the payloads are no longer needed.
    var isDetached = false
}
