/// The memory in which regular expressions are matched, one after the other.
///
/// It grows to what the largest expression needs, some 14 bytes for an instruction, and stays.
@safe
package struct RegexScratch: ~Copyable {
    /// Instructions that there is room for.
    private var capacity = 0
    private var base: UnsafeMutableRawPointer?
    /// The step that marks were last made in, over all expressions; no mark is higher.
    var generation: UInt64 = 0
    /// Where a match stands that was interrupted; the lists are its own until it goes on.
    var interrupted: Interrupted?

    /// A match between two scalars of its value.
    struct Interrupted {
        var offset: Int
        /// Which list has the instructions that were reached, and how many.
        var list: Int
        var count: Int
    }

    package init() {}

    /// Forgets the match that was interrupted.
    package mutating func abandon() { interrupted = nil }

    deinit {
        unsafe base?.deallocate()
    }

    /// Bytes held from the system.
    package var byteCount: Int { capacity * Self.bytesEach }

    /// The step in which an instruction was reached last.
    @unsafe var marks: UnsafeMutablePointer<UInt64> {
        unsafe base!.assumingMemoryBound(to: UInt64.self)
    }

    /// One of three lists of instructions.
    @unsafe
    func list(_ number: Int) -> UnsafeMutablePointer<UInt16> {
        unsafe (base! + capacity * 8 + number * capacity * 2).assumingMemoryBound(to: UInt16.self)
    }

    /// Makes room for an expression, so that matching it allocates nothing.
    package mutating func reserve(_ expression: borrowing RegularExpression) {
        reserve(instructions: expression.instructionCount)
    }

    @inline(__always)
    mutating func reserve(instructions count: Int) {
        if count > capacity { grow(count) }
    }

    @inline(never)
    private mutating func grow(_ count: Int) {
        unsafe base?.deallocate()
        capacity = max(64, 1 << (Int.bitWidth - (count - 1).leadingZeroBitCount))
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: capacity * Self.bytesEach,
            alignment: 8
        )
        unsafe memory.initializeMemory(
            as: UInt8.self,
            repeating: 0,
            count: capacity * Self.bytesEach
        )
        unsafe base = unsafe memory
    }

    /// A mark and three entries of lists.
    private static var bytesEach: Int { 8 + 3 * 2 }
}
