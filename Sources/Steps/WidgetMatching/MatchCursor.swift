/// How far the batch has been matched.
struct MatchCursor: BitwiseCopyable {
    /// Whether a batch has been begun and is not finished.
    var isActive = false
    /// Whether all keys have been looked up; until then `push` and `probe` are how far that is.
    var isLookedUp = false
    var push = 0
    var probe = 0
    /// While keys are looked up: how many probes are kept, and how many were with the push before.
    var kept = 0
    var keptBefore = 0
    /// Within a probe's groups, the one that comes next; `none` before the first.
    var group = KeyTable.none
    /// Whether that one's condition holds.
    var isGroupHeld = false
    /// Within a key's postings, the one that comes next.
    var posting = 0
    /// Whether an earlier portion of them has found widgets, and the key is counted.
    var isKeyCounted = false
    /// Whether the fields' bytes have been copied.
    var isKept = false
}
