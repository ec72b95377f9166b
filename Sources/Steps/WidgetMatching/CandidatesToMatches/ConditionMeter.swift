internal import Basics

/// The work budget of evaluating conditions, and the state of an evaluation that ran out of it.
///
///     depth   0        1         2       3
///             all ──► nested ──► all ──► field ── tests       each level saves its position
///             child 3  element 7  child 5  child 6            in a frame of its own
///
/// A rule may be evaluated in portions. When the budget is spent, each level of the recursion saves
/// its position on the way out; when the same evaluation is started again, each level continues
/// from its saved position on the way in. So a widget with thousands of wildcards costs many short
/// portions instead of a long one. Every portion makes some progress.
struct ConditionMeter: ~Copyable {
    /// The position of one level: what it does next.
    struct SavedPosition: BitwiseCopyable {
        /// The child, list element, operand or field with which the level resumes.
        var position: Int
        /// The field with which a text test resumes; 0 for all other levels.
        var field = 0
    }

    /// The most levels of an evaluation: two for each level of the pattern, and those of a field's
    /// tests.
    private static var depthLimit: Int { 48 }

    /// Work left, in units of `WorkCost`; negative once more has been spent.
    private(set) var left = Int.max
    /// The number of saved levels of an interrupted evaluation; 0 if there is none to resume, or if
    /// it has been resumed completely.
    private var depth = 0
    /// Whether an evaluation stopped in this portion without a result.
    private(set) var isInterrupted = false
    /// The saved positions, by level.
    private var savedPositions = InlineArray<48, SavedPosition>(
        repeating: SavedPosition(position: 0)
    )

    init() {}

    /// Whether the budget of the portion is used up.
    @inline(__always)
    var isSpent: Bool { left <= 0 }

    /// Subtracts the cost of something that was done, in units of `WorkCost`.
    @inline(__always)
    mutating func charge(_ cost: Int) { left &-= cost }

    // MARK: - Portions

    /// Starts a portion with a budget in units of `WorkCost`.
    mutating func begin(_ work: Int) {
        left = work
        isInterrupted = false
    }

    /// Discards an interrupted evaluation.
    mutating func abandon() {
        depth = 0
        isInterrupted = false
    }

    /// Whether the current evaluation was interrupted in an earlier portion and has not yet reached
    /// the position where it stopped.
    @inline(__always)
    var isResuming: Bool { depth > 0 && !isInterrupted }

    /// The saved position of a level; nil if the level starts from its beginning.
    @inline(__always)
    mutating func resume(_ depth: Int) -> SavedPosition? {
        if self.depth == 0 { return nil }
        return resumeLevel(depth)
    }

    /// The saved position of a level of the evaluation that is resumed. With the innermost level,
    /// resuming is complete.
    @inline(never)
    private mutating func resumeLevel(_ depth: Int) -> SavedPosition {
        assert(depth < self.depth, "level \(depth) of \(self.depth) was not interrupted")
        let saved = savedPositions[depth]
        // The innermost level has been reached: everything after it starts from its beginning.
        if depth == self.depth - 1 { self.depth = 0 }
        return saved
    }

    /// Interrupts the evaluation at its innermost level, if the budget is spent; returns whether it
    /// was. The level resumes at `position`, and at `field` if it goes through fields.
    @inline(__always)
    mutating func pauseIfSpent(_ depth: Int, at position: Int, field: Int = 0) -> Bool {
        if !isSpent { return false }
        interrupt(depth, at: position, field: field)
        return true
    }

    /// Interrupts the evaluation at its innermost level; parameters as in `pauseIfSpent`.
    @inline(never)
    mutating func interrupt(_ depth: Int, at position: Int, field: Int = 0) {
        assert(depth >= 0 && depth < Self.depthLimit, "level \(depth)")
        assert(position >= 0 && field >= 0, "a level resumes at \(position), field \(field)")
        isInterrupted = true
        self.depth = depth + 1
        savedPositions[depth] = SavedPosition(position: position, field: field)
    }

    /// Saves the position of a level after an inner one was interrupted.
    mutating func savePosition(_ depth: Int, at position: Int) {
        assert(isInterrupted && depth < self.depth, "level \(depth) is around no interrupted one")
        savedPositions[depth] = SavedPosition(position: position)
    }
}
