internal import ReloadModel

/// What conditions may still cost, and where the evaluation of a rule stands that was interrupted.
///
///     depth   0        1         2       3
///             all ──► nested ──► all ──► field ── tests       each says where it stands
///             child 3  element 7  child 5  child 6            in a frame of its own
///
/// A rule may be evaluated in portions: when the work is spent, each level of the evaluation keeps
/// its place on the way out, and the same evaluation, begun anew, takes the places up again on the
/// way in. So a widget with thousands of wildcards costs many short portions and no long one. A
/// portion does at least one thing.
struct ConditionMeter: ~Copyable {
    /// Where a level stands: what it has to do next.
    struct Frame: BitwiseCopyable {
        var place: Int
        var field = 0
    }

    /// Levels of an evaluation: two for each of a pattern's, and those of a field's tests.
    private static var depthLimit: Int { 48 }

    /// What may still be spent, in units of `WorkCost`; less than nothing if more has been.
    private(set) var left = Int.max
    /// The levels of the evaluation that is interrupted; 0 if none is.
    private var depth = 0
    /// Whether an evaluation ended in this portion without an answer.
    private(set) var isInterrupted = false
    private var frames = InlineArray<48, Frame>(repeating: Frame(place: 0))

    init() {}

    @inline(__always)
    var isSpent: Bool { left <= 0 }

    @inline(__always)
    mutating func charge(_ cost: Int) { left &-= cost }

    // MARK: - Portions

    /// Begins a portion that may cost so much.
    mutating func begin(_ work: Int) {
        left = work
        isInterrupted = false
    }

    /// Forgets an evaluation that was interrupted.
    mutating func abandon() {
        depth = 0
        isInterrupted = false
    }

    /// Whether the evaluation that begins is one that was interrupted in an earlier portion.
    @inline(__always)
    var isResuming: Bool { depth > 0 && !isInterrupted }

    /// Where a level stood when the evaluation was interrupted; nil if it begins.
    @inline(__always)
    mutating func resume(_ depth: Int) -> Frame? {
        if self.depth == 0 { return nil }
        return takeUp(depth)
    }

    @inline(never)
    private mutating func takeUp(_ depth: Int) -> Frame {
        let frame = frames[depth]
        // The innermost goes on from here: what follows it begins.
        if depth == self.depth - 1 { self.depth = 0 }
        return frame
    }

    /// Interrupts the evaluation if the work is spent.
    ///
    /// - Parameters:
    ///   - depth: the innermost level.
    ///   - place: what it will do first when it goes on.
    ///   - field: the same, of a level that goes through values of fields.
    /// - Returns: whether it is.
    @inline(__always)
    mutating func pauses(_ depth: Int, _ place: Int, field: Int = 0) -> Bool {
        if !isSpent { return false }
        interrupt(depth, place, field: field)
        return true
    }

    @inline(never)
    mutating func interrupt(_ depth: Int, _ place: Int, field: Int = 0) {
        assert(depth < Self.depthLimit)
        isInterrupted = true
        self.depth = depth + 1
        frames[depth] = Frame(place: place, field: field)
    }

    /// Keeps the place of a level whose inner one was interrupted.
    mutating func keep(_ depth: Int, _ place: Int) {
        frames[depth] = Frame(place: place)
    }
}
