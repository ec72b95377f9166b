internal import Basics

/// Runs a compiled expression on a value: follows all paths at once, scalar by scalar (Thompson
/// 1968).
///
/// A step visits each instruction at most once, whatever the expression. The lists of instructions
/// live in a `RegexScratch`, so that a match can stop between two scalars and resume later.
@safe
struct RegexSimulation {
    private let program: UnsafeBufferPointer<RegexInstruction>
    private let sets: UnsafeBufferPointer<ScalarSet>
    /// For each instruction, the step (`generation`) in which it was last reached.
    private let marks: UnsafeMutablePointer<UInt64>
    /// Targets of splits still to be followed.
    private let stack: UnsafeMutablePointer<UInt16>
    /// Consuming instructions that are waiting for the next scalar.
    private var current: UnsafeMutablePointer<UInt16>
    private var currentCount = 0
    /// Consuming instructions that the current step has reached; `current` after the step.
    private var next: UnsafeMutablePointer<UInt16>
    private var nextCount = 0
    /// The number of the current step.
    private(set) var generation: UInt64
    /// Work left, in units of `WorkCost`; negative once a step has overdrawn it, since a step that
    /// has begun is completed.
    private(set) var work: Int
    /// Byte of the value at which the next scalar begins.
    private var position = 0
    /// Which of the scratch's lists `current` is: 1 or 2.
    private var list = 1
    /// Whether this run continues a match and has not made a step yet.
    private var isResumed = false
    /// Whether the last step reached `match`: the value may end here.
    private var accepts = false

    /// Makes a simulation, which continues the match that the scratch has suspended, if there is
    /// one.
    ///
    /// All memory must stay valid while the simulation is used, and the scratch must have capacity
    /// for the program. Targets and sets that the program names must exist, and its last
    /// instruction must be a match or a jump: `run` relies on it.
    @unsafe
    init(
        program: UnsafeBufferPointer<RegexInstruction>,
        sets: UnsafeBufferPointer<ScalarSet>,
        scratch: borrowing RegexScratch,
        work: Int
    ) {
        unsafe self.program = unsafe program
        unsafe self.sets = unsafe sets
        unsafe marks = unsafe scratch.marks
        unsafe stack = unsafe scratch.list(0)
        unsafe current = unsafe scratch.list(1)
        unsafe next = unsafe scratch.list(2)
        generation = scratch.generation
        self.work = work
        guard let suspension = scratch.suspension else { return }
        isResumed = true
        position = suspension.offset
        currentCount = suspension.count
        if suspension.list != list { unsafe swap(&current, &next) }
        list = suspension.list
    }

    /// The state to resume from, once `run` has returned nil.
    var suspension: RegexScratch.Suspension {
        RegexScratch.Suspension(offset: position, list: list, count: currentCount)
    }

    /// Whether the program from `start` matches the whole value from `offset`; nil if the work ran
    /// out before that was known.
    mutating func run(from start: Int, on value: ByteView, at offset: Int) -> Bool? {
        if !isResumed {
            unsafe precondition(start >= 0 && start < program.count, "there is no such start")
            position = offset
            beginStep()
            reach(start)
            endStep()
        }
        while position < value.count {
            if currentCount == 0 { return false }
            if work <= 0 {
                if !isResumed { return nil }
                // A resumed run makes at least one step, so that every call makes progress.
                isResumed = false
            }
            let scalar = UTF8Text.next(value, at: &position)
            beginStep()
            take(scalar)
            endStep()
        }
        return accepts
    }

    /// The cost of reaching an instruction, and of testing a scalar against one, in units of
    /// `WorkCost`.
    private static var instructionCost: Int { 2 }

    /// Starts a new generation with an empty `next`.
    @inline(__always)
    private mutating func beginStep() {
        generation &+= 1
        nextCount = 0
        accepts = false
    }

    /// Makes `next` the current list.
    @inline(__always)
    private mutating func endStep() {
        unsafe swap(&current, &next)
        list = 3 - list
        currentCount = nextCount
    }

    /// Follows every instruction of `current` that consumes the scalar.
    @inline(__always)
    private mutating func take(_ scalar: UInt32) {
        work &-= (currentCount &+ 1) &* Self.instructionCost
        for index in 0..<currentCount {
            let position = unsafe Int(current[index])
            let instruction = unsafe program[position]
            let isTaken =
                instruction.code == .scalar
                ? instruction.operand == scalar
                : unsafe sets[Int(instruction.operand)].contains(scalar)
            if isTaken { reach(position &+ 1) }
        }
    }

    /// Adds to `next` all consuming instructions that can be reached from `start` without a scalar.
    @inline(__always)
    private mutating func reach(_ start: Int) {
        var position = start
        var depth = 0
        while true {
            if unsafe marks[position] != generation {
                unsafe marks[position] = generation
                work &-= Self.instructionCost
                let instruction = unsafe program[position]
                switch instruction.code {
                case .scalar, .set:
                    unsafe next[nextCount] = UInt16(truncatingIfNeeded: position)
                    nextCount &+= 1
                case .match: accepts = true
                case .jump:
                    position = Int(instruction.target)
                    continue
                case .split:
                    // No instruction is marked twice in a step: the stack never outgrows the
                    // program.
                    unsafe stack[depth] = instruction.target
                    depth &+= 1
                    position &+= 1
                    continue
                }
            }
            if depth == 0 { return }
            depth &-= 1
            position = unsafe Int(stack[depth])
        }
    }
}
