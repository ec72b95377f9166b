internal import Basics

/// The queued pushes that may match, with the values that rules consider.
struct PushBatch: ~Copyable {
    /// A queued push.
    struct Push: BitwiseCopyable {
        /// Counts the pushes from 1; never reused.
        var number: UInt64
        /// Returned with each match of the push.
        var tag: UInt32
        /// The fields of the push; sorted if it has lists or many fields.
        var fields: Bounds
        /// The objects in the lists of the push; the first has the number 1.
        var contexts: Bounds
        /// The kinds to which the push is narrowed, each once and sorted.
        var kinds: Bounds
        /// The lookups that the push needs: the range of its probes in `MatchSearch.probes`.
        var probes: Bounds
        /// Whether the push is narrowed, so that only widgets of `kinds` match.
        var isNarrowed: Bool
        /// Whether the push has lists, so that a field may have several values.
        var hasLists: Bool
        /// Which widgets' patterns may read the push's texts.
        var patterns = PatternAllowance()

        /// Whether the push has lists of objects.
        var hasContexts: Bool { contexts.end > contexts.first }
    }

    /// A range of indexes of a buffer, in eight bytes.
    struct Bounds: BitwiseCopyable {
        private let start: UInt32
        private let stop: UInt32

        @inline(__always)
        init(from first: Int, to end: Int) {
            assert(first >= 0 && first <= end && end <= Int(UInt32.max), "from \(first) to \(end)")
            start = UInt32(truncatingIfNeeded: first)
            stop = UInt32(truncatingIfNeeded: end)
        }

        @inline(__always)
        var first: Int { Int(start) }

        @inline(__always)
        var end: Int { Int(stop) }

        @inline(__always)
        var count: Int { Int(stop &- start) }
    }

    /// The queued pushes, in their order.
    var pushes = GrowingBuffer<Push>(capacity: 64)
    /// The fields of all pushes; those of one push are adjacent, as are its contexts and kinds.
    var fields = GrowingBuffer<FieldValue>(capacity: 256)
    var contexts = GrowingBuffer<ScannedContext>(capacity: 64)
    var kinds = GrowingBuffer<KindID>(capacity: 64)
    /// Canonical numbers, decoded texts and, after `copyValues`, copies of all values.
    var scratch = TextScratch()
    /// The pushes that were queued, with those that are not in `pushes`, because no key of theirs
    /// is stored.
    var count = 0
    /// The probes of all of them.
    var probeCount = 0
    /// Working memory for sorting kinds.
    private var kindWorkspace = GrowingBuffer<KindID>(capacity: 64)

    init() {}

    /// Bytes allocated, used or not.
    @inline(__always)
    var byteCount: Int {
        pushes.byteCount + fields.byteCount + contexts.byteCount + kinds.byteCount
            + scratch.byteCount + kindWorkspace.byteCount
    }

    /// Empties the batch.
    mutating func removeAll() {
        count = 0
        probeCount = 0
        pushes.truncate(to: 0)
        fields.truncate(to: 0)
        contexts.truncate(to: 0)
        kinds.truncate(to: 0)
        scratch.reset(to: ScratchPosition())
    }

    /// Adds the values of a scanned push, and a copy of those that are not in the payload.
    mutating func add(_ push: ScannedPush) {
        var rewritten = push.bytes.rewritten
        if rewritten.count > 0 {
            let memory = unsafe scratch.reserve(rewritten.count)
            unsafe rewritten.copy(to: memory)
            scratch.keep(rewritten.count)
            rewritten = unsafe ByteView(base: memory, count: rewritten.count)
        }
        let bytes = ScannedBytes(payload: push.bytes.payload, rewritten: rewritten)
        for number in 0..<push.fields.count {
            let field = push.fields[number]
            fields.append(FieldValue(field, bytes: bytes[field]))
        }
        for number in 0..<push.contexts.count { contexts.append(push.contexts[number]) }
    }

    /// Adds the kinds to which a push is narrowed, each once and sorted; unknown names are ignored.
    @inline(never)
    mutating func add(
        _ names: KindNames,
        of app: AppID,
        known vocabulary: borrowing ScanVocabulary
    ) {
        let first = kinds.count
        names.visit { name in
            guard let kind = vocabulary.kind(of: app, named: MemberName(name)) else { return }
            kinds.append(kind)
        }
        kinds.sort(from: first, workspace: &kindWorkspace) { $0 < $1 }
        kinds.dropRepeats(from: first, where: ==)
    }

    /// Copies the bytes of the fields from `first` on, so that the payloads are no longer needed.
    mutating func copyValues(from first: Int) {
        assert(first >= 0 && first <= fields.count, "copies from \(first) of \(fields.count)")
        for index in first..<fields.count {
            let bytes = fields[index].bytes
            let memory = unsafe scratch.reserve(bytes.count)
            unsafe bytes.copy(to: memory)
            scratch.keep(bytes.count)
            unsafe fields[index].base = UnsafeRawPointer(memory)
        }
    }
}

/// Which widgets' patterns may read a push's texts: decided when the push comes, from its texts and
/// from what is stored.
///
///     load of the device    1 … most      all
///                           … spareMost   as many as `spare` allows, in the order of the search
///                           above         none: the widgets are left out of the push
struct PatternAllowance: BitwiseCopyable {
    /// The most patterns that a device may have for its widgets to be evaluated in any case.
    var most = UInt16(clamping: RouterLimits.patternsPerDevice)
    /// The most that it may have for them to be evaluated while `spare` lasts.
    var spareMost: UInt16 = 0
    /// The patterns that may still be evaluated of devices with more than `most`.
    var spare: Int32 = 0

    /// Takes what the `count` patterns of a widget need off `spare`, for a device with a load above
    /// `most`; false if there is not enough, or the device has too many.
    mutating func spend(_ count: Int, load: Int) -> Bool {
        if load > Int(spareMost) || count > Int(spare) { return false }
        spare -= Int32(count)
        return true
    }
}
