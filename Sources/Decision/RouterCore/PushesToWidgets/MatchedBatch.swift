internal import Basics
internal import ChangeDetection
internal import ReloadScheduling

/// The pushes of a batch that have matched, and the number of their matches.
struct MatchedBatch: ~Copyable {
    /// The pushes by their tags (`WidgetMatch.tag`), which are their numbers in the batch; entries
    /// of pushes without a match are there too.
    var pushes: ContiguousArray<Push> = []
    /// The numbers that these pushes have at their home, in ascending order, until the batch ends;
    /// none if no home forwards them.
    var numbers: ContiguousArray<UInt64> = []
    /// The values that the pushes have at the fields that kinds observe or inline.
    var fields: PushFields
    /// The matches that have been applied so far, without those of expired pushes.
    var matched: UInt32 = 0

    init(seed: DecisionSeed) { fields = PushFields(seed: seed) }

    /// Adds a push of an app, with its flags and its values at the fields that the app's kinds
    /// observe or inline.
    @inline(__always)
    mutating func add(
        _ push: MatchedPush,
        of app: AppID,
        catalog: borrowing FieldCatalog,
        after numbers: LastNumbers
    ) {
        while pushes.count <= Int(push.tag) { pushes.append(Push()) }
        if push.number > 0 { self.numbers.append(push.number) }
        let values = push.payload.map { fields.read($0, app: app, catalog: catalog) }
        pushes[Int(push.tag)] = Push(
            isKnown: true,
            isUrgent: push.isUrgent,
            isExpired: push.isExpired,
            expiresAt: push.expiresAt,
            fields: values.orNone,
            fanOut: numbers.fanOut &+ push.fanOut,
            mark: PushMark(ofPush: numbers.fanOut &+ push.fanOut),
            reloadsBefore: numbers.reload &- push.reloadsSince
        )
    }

    /// Forgets the pushes: all their matches have been applied, or none will be.
    mutating func forget() {
        matched = 0
        if !numbers.isEmpty { numbers.removeAll(keepingCapacity: true) }
        pushes.removeAll(keepingCapacity: true)
        fields.removeAll()
    }

    /// What is needed of a push to apply its matches.
    struct Push: BitwiseCopyable {
        /// Whether a match of it has been found; if not, the other values have no meaning.
        var isKnown = false
        var isUrgent = false
        /// Whether it had expired when it arrived: it is matched and acknowledged like any other,
        /// but reloads nothing.
        var isExpired = true
        /// Whether its matches are applied in portions, between which other pushes come.
        var isLate = false
        /// When it expires; `.max` for never.
        var expiresAt = WallTime.zero
        /// The handle of its values in `MatchedBatch.fields`; `none` if it was not read.
        var fields = PushHandle.none
        /// Its fan-out number, which rises from push to push.
        var fanOut: UInt64 = 0
        /// What decisions keep of that number.
        var mark = PushMark.none
        /// The number of the last RELOAD made before it arrived: a later one that names a matched
        /// widget answers this push too.
        var reloadsBefore: UInt64 = 0
    }
}
