internal import DataStructures
internal import EventPatterns
internal import ReloadModel

/// A key that a queued push looks for, or a space whose groups it must go through.
struct Probe: BitwiseCopyable {
    var hash: UInt64
    /// What tells the key from others with the same hash; see `MatchSearch.isWanted`.
    ///
    /// Of several equalities the fields: how far each is behind the push's first one, a byte each;
    /// or of a push with more than 255 fields, where they stand in `combinedFields`.
    var word: UInt64
    /// The field that it was made of.
    var field: UInt32
    var space: SpaceID
    /// Where the hash has been found in the table, once it has been looked up.
    var candidate = HashIndex.Candidate.none
    var form: KeyForm
    /// Whether the push has lists.
    var isOfLists = false

    /// Whether it is a key rather than a space of groups.
    @inline(__always)
    var isKey: Bool { form != .group && form != .always }
}
