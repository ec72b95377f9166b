internal import Basics

/// One lookup that a scanned push leads to: of a key, or of the groups of a space.
struct ScannedProbe: BitwiseCopyable {
    /// The hash of the key; 0 for groups.
    var hash: UInt64
    /// What distinguishes the key from others with the same hash; see `MatchSearch.isWanted`.
    ///
    /// - `cell`, `gram`: the words of the key.
    /// - `equal`: the index of the first of its fields in `ScannedPush.combinedFields`.
    /// - all other forms: 0.
    var word: UInt64 = 0
    /// Index of the field of which the key is made; 0 if it is made of none or several.
    var field: UInt32 = 0
    /// The space of the key or the groups.
    var space: SpaceID
    /// The form of the space.
    var form: KeyForm
}
