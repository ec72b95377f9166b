internal import DataStructures
internal import EventPatterns
internal import ReloadModel

/// A key for which a queued push looks, or a space whose groups it must go through.
struct Probe: BitwiseCopyable {
    /// The key's hash; 0 for groups.
    var hash: UInt64
    /// What distinguishes the key from others with the same hash; see `MatchSearch.isWanted`.
    ///
    /// For `equal`: the fields as offsets from the push's first one, a byte each. For `equal` in a
    /// push with more than 255 fields: the index of the first of them in `combinedFields`.
    var word: UInt64
    /// The field of which the key is made; 0 if it is made of none or several.
    var field: UInt32
    var space: SpaceID
    /// The entry of the key table with the hash, once the hash has been looked up.
    var candidate = HashIndex.Candidate.none
    var form: KeyForm
    /// Whether the push has lists, so that it may meet a widget under several keys.
    var isOfLists = false

    /// Whether this is a key, rather than a space of groups.
    @inline(__always)
    var isKey: Bool { form != .group && form != .always }
}
