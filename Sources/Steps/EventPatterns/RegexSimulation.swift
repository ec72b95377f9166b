internal import DataStructures

/// All the ways through a program at once, scalar by scalar (Thompson 1968).
///
/// A step costs at most one visit to each instruction, whatever the expression.
@safe
struct RegexSimulation {
    private let program: UnsafeBufferPointer<RegexInstruction>
    private let sets: UnsafeBufferPointer<ScalarSet>
    private let marks: UnsafeMutablePointer<UInt64>
    private let stack: UnsafeMutablePointer<UInt16>
    /// Instructions that take a scalar, reached in front of the scalar that comes next.
    private var current: UnsafeMutablePointer<UInt16>
    private var currentCount = 0
    private var next: UnsafeMutablePointer<UInt16>
    private var nextCount = 0
    private(set) var generation: UInt64
    /// What may be spent; a step that has begun is ended.
    private(set) var work: Int
    /// Where the value's next scalar begins.
    private var position = 0
    /// Which of the scratch's lists `current` is.
    private var list = 1
    private var isResumed = false
    /// Whether the value may end where the last step led.
    private var accepts = false

    /// Takes memory that must stay valid while the simulation is used; the scratch has room.
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
        guard let interrupted = scratch.interrupted else { return }
        isResumed = true
        position = interrupted.offset
        currentCount = interrupted.count
        if interrupted.list != list { unsafe swap(&current, &next) }
        list = interrupted.list
    }

    /// Where it stands when `run` returned nil.
    var interrupted: RegexScratch.Interrupted {
        RegexScratch.Interrupted(offset: position, list: list, count: currentCount)
    }

    /// Whether the program, from `start` on, matches all of the value from `offset` on; nil if the
    /// work was spent before that was known.
    mutating func run(from start: Int, _ value: ByteView, at offset: Int) -> Bool? {
        if !isResumed {
            position = offset
            beginStep()
            reach(start)
            endStep()
        }
        while position < value.count {
            if currentCount == 0 { return false }
            if work <= 0 {
                if !isResumed { return nil }
                // Each portion takes a step, however little it may cost.
                isResumed = false
            }
            let scalar = UTF8Text.next(value, &position)
            beginStep()
            take(scalar)
            endStep()
        }
        return accepts
    }

    /// An instruction that is reached, or a scalar that it is asked for, in units of `WorkCost`.
    private static var instructionCost: Int { 2 }

    @inline(__always)
    private mutating func beginStep() {
        generation &+= 1
        nextCount = 0
        accepts = false
    }

    @inline(__always)
    private mutating func endStep() {
        unsafe swap(&current, &next)
        list = 3 - list
        currentCount = nextCount
    }

    @inline(__always)
    private mutating func take(_ scalar: UInt32) {
        work &-= (currentCount &+ 1) &* Self.instructionCost
        for index in 0..<currentCount {
            let place = unsafe Int(current[index])
            let instruction = unsafe program[place]
            let isTaken =
                instruction.code == .scalar
                ? instruction.operand == scalar
                : unsafe sets[Int(instruction.operand)].contains(scalar)
            if isTaken { reach(place &+ 1) }
        }
    }

    /// Adds what can be reached from an instruction without a scalar.
    @inline(__always)
    private mutating func reach(_ start: Int) {
        var place = start
        var depth = 0
        while true {
            if unsafe marks[place] != generation {
                unsafe marks[place] = generation
                work &-= Self.instructionCost
                let instruction = unsafe program[place]
                switch instruction.code {
                case .scalar, .set:
                    unsafe next[nextCount] = UInt16(truncatingIfNeeded: place)
                    nextCount &+= 1
                case .match:
                    accepts = true
                case .jump:
                    place = Int(instruction.target)
                    continue
                case .split:
                    // No instruction is marked twice: the stack is never longer than the program.
                    unsafe stack[depth] = instruction.target
                    depth &+= 1
                    place &+= 1
                    continue
                }
            }
            if depth == 0 { return }
            depth &-= 1
            place = unsafe Int(stack[depth])
        }
    }
}
