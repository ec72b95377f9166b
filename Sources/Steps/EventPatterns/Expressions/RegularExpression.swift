package import Basics

/// A compiled regular expression of RFC 9485 (I-Regexp), which matches whole values.
///
/// The time for a value is at most proportional to its length times the size of the expression: no
/// path through the expression is tried twice. `^` outside a class and `$` are literal characters,
/// as in the RFC, and `[^]` is refused, as in XML Schema.
package struct RegularExpression: Sendable {
    /// The deepest nesting of groups that is accepted.
    package static var nestingLimit: Int { 64 }

    /// Bytes with which every match begins; may be empty.
    package let literalPrefix: [UInt8]
    private let instructions: ContiguousArray<RegexInstruction>
    private let sets: ContiguousArray<ScalarSet>
    /// The first instruction after the literal prefix.
    private let start: Int

    /// Compiles an expression, a text of valid UTF-8.
    ///
    /// - Throws: what is wrong, with its offset.
    package init(_ text: ByteView) throws(RegularExpressionError) {
        var parser = RegexParser(text)
        let tree = try parser.parse()
        var compiler = RegexCompiler()
        try compiler.compile(tree)
        instructions = compiler.instructions
        sets = parser.sets
        (literalPrefix, start) = Self.prefix(instructions)
    }

    /// Whether a branch of a valid expression begins with `^` or ends with `$`, as if they were
    /// anchors.
    static func hasAnchor(_ text: ByteView) -> Bool {
        var parser = RegexParser(text)
        return (try? parser.parse()) != nil && parser.hasAnchor
    }

    /// Instructions of the program, at most `PatternLimits.regexpInstructions`.
    package var instructionCount: Int { instructions.count }

    /// The size of the program with its classes, in units of an instruction; 16 at least.
    package var size: Int { max(16, byteCount / MemoryLayout<RegexInstruction>.stride) }

    /// Bytes of memory that the expression occupies on the heap.
    package var byteCount: Int {
        instructions.count * MemoryLayout<RegexInstruction>.stride + literalPrefix.count
            + sets.reduce(0) { $0 + MemoryLayout<ScalarSet>.stride + $1.byteCount }
    }

    /// Whether the expression matches the whole value, which is valid UTF-8.
    ///
    /// Allocates only if the scratch has not yet been used with an expression of this size.
    package func matches(_ value: ByteView, using scratch: inout RegexScratch) -> Bool {
        assert(scratch.suspension == nil)
        var work = Int.max
        return matches(value, using: &scratch, work: &work) ?? false
    }

    /// Whether the expression matches the whole value; nil if `work` ran out, and the next call
    /// resumes. Until there is an answer, the text must stay the same, though its bytes may move,
    /// and `scratch` is not used with another value unless `abandon` is called. The work allowed,
    /// in units of `WorkCost`, is reduced by the work done, and may become negative by at most the
    /// cost of one step.
    package func matches(
        _ value: ByteView,
        using scratch: inout RegexScratch,
        work: inout Int
    ) -> Bool? {
        let offset = literalPrefix.count
        if scratch.suspension == nil {
            if value.count < offset { return false }
            if offset > 0 && !begins(value) { return false }
            if instructions[start].code == .match { return value.count == offset }
            scratch.reserve(instructions: instructions.count)
        }
        return unsafe instructions.withUnsafeBufferPointer { program in
            unsafe sets.withUnsafeBufferPointer { sets in
                var simulation = unsafe RegexSimulation(
                    program: program,
                    sets: sets,
                    scratch: scratch,
                    work: work
                )
                let answer = simulation.run(from: start, on: value, at: offset)
                scratch.generation = simulation.generation
                scratch.suspension = answer == nil ? simulation.suspension : nil
                work = simulation.work
                return answer
            }
        }
    }

    /// Whether the value begins with the literal prefix. The caller must have checked that the
    /// prefix is not empty and the value not shorter.
    @inline(__always)
    private func begins(_ value: ByteView) -> Bool {
        unsafe literalPrefix.withUnsafeBytes { prefix in
            unsafe bytesEqual(prefix.baseAddress!, and: value.address, count: prefix.count)
        }
    }

    /// The scalars that the program consumes before its first choice, as UTF-8, and the instruction
    /// after them.
    private static func prefix(
        _ program: ContiguousArray<RegexInstruction>
    ) -> (bytes: [UInt8], end: Int) {
        var bytes: [UInt8] = []
        var position = 0
        while true {
            switch program[position].code {
            case .scalar:
                bytes += Array(String(Unicode.Scalar(program[position].operand)!).utf8)
                position += 1
            case .jump: position = Int(program[position].target)
            case .set, .split, .match: return (bytes, position)
            }
        }
    }
}

/// Why a regular expression was refused.
package struct RegularExpressionError: Error, Equatable {
    /// What is wrong, as a sentence.
    package let reason: String
    /// The byte of the expression at which the error was detected; 0 if the whole is too large.
    package let offset: Int

    /// Makes the error for a mistake at a byte of the expression.
    package init(_ reason: String, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}
