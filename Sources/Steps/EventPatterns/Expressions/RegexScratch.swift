/// The working memory of regular expressions, which are matched one at a time.
///
/// It grows to what the largest expression needs, about 14 bytes for each instruction, and is kept.
///
///     base: [ marks, 8 bytes each | list 0 | list 1 | list 2, 2 bytes each entry ]
@safe
package struct RegexScratch: ~Copyable {
    /// Instructions for which there is memory.
    private var capacity = 0
    private var base: UnsafeMutableRawPointer?
    /// The last step in which marks were made, counted across all expressions; no mark is greater.
    var generation: UInt64 = 0
    /// State of a match that ran out of work. The lists belong to it until it is resumed or
    /// abandoned.
    var suspension: Suspension?

    /// The state of a match between two scalars of its value.
    struct Suspension {
        /// Byte of the value at which the next scalar begins.
        var offset: Int
        /// Number of the list with the instructions reached so far: 1 or 2.
        var list: Int
        /// The number of entries of the list.
        var count: Int
    }

    /// Makes working memory of no size; the first match allocates it.
    package init() {}

    /// Whether a match ran out of work, and is to be resumed or abandoned.
    package var isSuspended: Bool { suspension != nil }

    /// Discards a match that ran out of work, so that another one can start.
    package mutating func abandon() { suspension = nil }

    deinit { unsafe base?.deallocate() }

    /// Bytes allocated.
    package var byteCount: Int { capacity * Self.bytesEach }

    /// For each instruction, the step in which it was last reached.
    @unsafe var marks: UnsafeMutablePointer<UInt64> {
        unsafe base!.assumingMemoryBound(to: UInt64.self)
    }

    /// One of the three lists of instructions: 0 is the stack, 1 and 2 alternate
    /// (`RegexSimulation`).
    @unsafe
    func list(_ number: Int) -> UnsafeMutablePointer<UInt16> {
        unsafe (base! + capacity * 8 + number * capacity * 2).assumingMemoryBound(to: UInt16.self)
    }

    /// Grows the memory for a program of `count` instructions.
    @inline(__always)
    mutating func reserve(instructions count: Int) {
        if count > capacity { grow(count) }
    }

    /// Replaces the memory by a larger one. Marks and lists are lost, so no match may be in
    /// progress.
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

    /// Bytes for one instruction: a mark and an entry in each of three lists.
    private static var bytesEach: Int { 8 + 3 * 2 }
}
