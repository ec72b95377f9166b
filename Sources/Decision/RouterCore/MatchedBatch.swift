internal import ChangeDetection
internal import DataStructures
internal import ReloadModel

/// The pushes of a batch that have matched, by their tags.
struct MatchedBatch: ~Copyable {
    var pushes: ContiguousArray<Push> = []
    var fields: PushFields
    /// Widgets that were found so far.
    var matched: UInt32 = 0

    init(seed: DecisionSeed) {
        fields = PushFields(seed: seed)
    }

    /// What a push has to say of its matches.
    struct Push: BitwiseCopyable {
        /// Whether a match of it has been found.
        var isKnown = false
        var isUrgent = false
        /// Whether the push was void when it arrived: it is judged like any other, and accepted.
        var isVoid = true
        var voidAt: Int64 = 0
        /// What it brings of the fields that kinds show or carry; `PushFields.none` if nothing.
        var fields = PushFields.none
        var burst: UInt64 = 0
        /// The last RELOAD that was sent before the push came: a later one has it already.
        var reloadsBefore: UInt64 = 0
    }
}
