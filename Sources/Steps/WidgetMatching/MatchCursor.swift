/// The position up to which `MatchSearch` has matched the batch, so that the next portion can
/// resume.
struct MatchCursor: BitwiseCopyable {
    /// Whether a batch has been started and is not finished.
    var isActive = false
    /// Whether all keys have been looked up. Until then `push` and `probe` are positions of the
    /// look-up, afterwards of reporting.
    var isLookedUp = false
    var push = 0
    var probe = 0
    /// During the look-up: how many probes have been kept so far, and how many before the current
    /// push.
    var kept = 0
    var keptBefore = 0
    /// The next group of the current probe; `none` before the first.
    var group = KeyTable.none
    /// Whether that group's condition is known to hold.
    var isGroupHeld = false
    /// The next posting of the current key.
    var posting = 0
    /// Whether an earlier portion of the current key has found widgets, so that the push is
    /// counted.
    var isKeyCounted = false
    /// Whether the bytes of the fields have been copied, so that the payloads are no longer needed.
    var isKept = false
}
