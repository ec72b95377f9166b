internal import Basics
internal import EventPatterns

/// One lookup for a queued push, as in `ScannedProbe`, that may find something.
struct Probe: BitwiseCopyable {
    /// The hash of the key; 0 for groups.
    var hash: UInt64
    /// What distinguishes the key from others with the same hash; see `MatchSearch.isWanted`.
    ///
    /// - `cell`, `gram`, `named`: the words of the key.
    /// - `equal`: the index of the first of its fields in `combinedFields`.
    /// - all other forms: 0.
    var word: UInt64
    /// Index of the field of which the key is made; 0 if it is made of none or several.
    var field: UInt32
    /// The space of the key or the groups.
    var space: SpaceID
    /// The first entry of the key table that may be the key, once the hash has been looked up.
    var candidate = HashIndex.Candidate.none
    /// The form of the space.
    var form: KeyForm
    /// Whether the push has lists, so that it may find a widget under several keys.
    var pushHasLists = false

    /// The key that has been found, which may be another one with the same hash.
    @inline(__always)
    var key: KeyID { KeyID(candidate) }
}

extension KeyID {
    /// The key that a search for its hash has found; `none` if it found nothing more.
    @inline(__always)
    init(_ candidate: HashIndex.Candidate) { self.init(rawValue: candidate.number) }
}
