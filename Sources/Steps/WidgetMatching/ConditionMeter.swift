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
@safe
struct ConditionMeter: ~Copyable {
    /// Where a level stands: what it has to do next.
    struct Frame: BitwiseCopyable {
        var place: Int
        var field = 0
    }

    /// Levels of an evaluation: two for each of a pattern's, and those of a field's tests.
    private static var depthLimit: Int { 48 }

    struct State {
        var left = Int.max
        /// The levels of the evaluation that is interrupted; 0 if none is.
        var depth = 0
        /// Whether it was interrupted in this portion, rather than in the one before.
        var isInterrupted = false
        var frames = InlineArray<48, Frame>(repeating: Frame(place: 0))
    }

    /// Apart, so that conditions are evaluated without exclusive access to the matcher.
    private let state: UnsafeMutablePointer<State>

    init() {
        unsafe state = .allocate(capacity: 1)
        unsafe state.initialize(to: State())
    }

    deinit {
        unsafe state.deallocate()
    }

    /// What may still be spent, in units of `WorkCost`; less than nothing if more has been.
    @inline(__always)
    var left: Int { unsafe state.pointee.left }

    @inline(__always)
    var isSpent: Bool { unsafe state.pointee.left <= 0 }

    @inline(__always)
    func charge(_ cost: Int) {
        unsafe state.pointee.left &-= cost
    }

    // MARK: - Portions

    /// Begins a portion that may cost so much.
    func begin(_ work: Int) {
        unsafe state.pointee.left = work
        unsafe state.pointee.isInterrupted = false
    }

    /// Forgets an evaluation that was interrupted.
    func abandon() {
        unsafe state.pointee.depth = 0
        unsafe state.pointee.isInterrupted = false
    }

    /// Whether an evaluation ended in this portion without an answer.
    @inline(__always)
    var isInterrupted: Bool { unsafe state.pointee.isInterrupted }

    /// Whether the evaluation that begins is one that was interrupted in an earlier portion.
    @inline(__always)
    var isResuming: Bool { unsafe state.pointee.depth > 0 && !state.pointee.isInterrupted }

    /// Where a level stood when the evaluation was interrupted; nil if it begins.
    @inline(__always)
    func resume(_ depth: Int) -> Frame? {
        if unsafe state.pointee.depth == 0 { return nil }
        return takeUp(depth)
    }

    @inline(never)
    private func takeUp(_ depth: Int) -> Frame {
        let frame = unsafe state.pointee.frames[depth]
        // The innermost goes on from here: what follows it begins.
        if unsafe depth == state.pointee.depth - 1 { unsafe state.pointee.depth = 0 }
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
    func pauses(_ depth: Int, _ place: Int, field: Int = 0) -> Bool {
        if !isSpent { return false }
        interrupt(depth, place, field: field)
        return true
    }

    @inline(never)
    func interrupt(_ depth: Int, _ place: Int, field: Int = 0) {
        assert(depth < Self.depthLimit)
        unsafe state.pointee.isInterrupted = true
        unsafe state.pointee.depth = depth + 1
        unsafe state.pointee.frames[depth] = Frame(place: place, field: field)
    }

    /// Keeps the place of a level whose inner one was interrupted.
    func keep(_ depth: Int, _ place: Int) {
        unsafe state.pointee.frames[depth] = Frame(place: place)
    }
}
