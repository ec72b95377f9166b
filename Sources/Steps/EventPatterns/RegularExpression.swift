package import DataStructures

/// A regular expression of RFC 9485 (I-Regexp) that matches whole values.
///
/// The time for a value grows with its length times the expression's size and no faster: no way
/// through the expression is tried twice. `^` outside a class and `$` are plain characters, as the
/// RFC has it, and `[^]` is refused, as XML Schema has it.
package struct RegularExpression: Sendable {
    /// Deepest nesting of groups.
    package static var nestingLimit: Int { 64 }

    /// Bytes that every match begins with; maybe none.
    package let literalPrefix: [UInt8]
    private let instructions: ContiguousArray<RegexInstruction>
    private let sets: ContiguousArray<ScalarSet>
    /// The instruction behind the prefix.
    private let start: Int

    /// Compiles an expression.
    ///
    /// - Parameter text: valid UTF-8.
    /// - Throws: what is wrong, and where.
    package init(_ text: ByteView) throws(RegularExpressionError) {
        var parser = RegexParser(text)
        let tree = try parser.parse()
        var compiler = RegexCompiler()
        try compiler.compile(tree)
        instructions = compiler.instructions
        sets = parser.sets
        (literalPrefix, start) = Self.prefix(instructions)
    }

    /// Instructions of the program, at most `PatternLimits.regexpInstructions`.
    package var instructionCount: Int { instructions.count }

    /// Bytes that the expression holds.
    package var byteCount: Int {
        instructions.count * MemoryLayout<RegexInstruction>.stride + literalPrefix.count
            + sets.reduce(0) { $0 + MemoryLayout<ScalarSet>.stride + $1.byteCount }
    }

    /// Whether the expression matches the whole value, which is valid UTF-8.
    ///
    /// Allocates only if the scratch has not been used by an expression as large.
    package func matches(_ value: ByteView, _ scratch: inout RegexScratch) -> Bool {
        assert(scratch.interrupted == nil)
        var work = Int.max
        return matches(value, &scratch, work: &work) ?? false
    }

    /// The same, in portions.
    ///
    /// - Parameters:
    ///   - value: the same in every portion; its bytes may have moved.
    ///   - scratch: used by nobody else until the answer is there.
    ///   - work: what it may cost, in units of `WorkCost`; less what it has, which may be a bit more.
    /// - Returns: nil if the work ran out; the next call resumes.
    package func matches(
        _ value: ByteView,
        _ scratch: inout RegexScratch,
        work: inout Int
    ) -> Bool? {
        let offset = literalPrefix.count
        if scratch.interrupted == nil {
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
                let answer = simulation.run(from: start, value, at: offset)
                scratch.generation = simulation.generation
                scratch.interrupted = answer == nil ? simulation.interrupted : nil
                work = simulation.work
                return answer
            }
        }
    }

    /// Whether a value that is not shorter begins with the prefix, which is not empty.
    @inline(__always)
    private func begins(_ value: ByteView) -> Bool {
        unsafe literalPrefix.withUnsafeBytes { prefix in
            unsafe bytesEqual(prefix.baseAddress!, value.address, prefix.count)
        }
    }

    /// What the program takes before there is a choice, and the instruction behind that.
    private static func prefix(
        _ program: ContiguousArray<RegexInstruction>
    ) -> (bytes: [UInt8], end: Int) {
        var bytes: [UInt8] = []
        var place = 0
        while true {
            switch program[place].code {
            case .scalar:
                bytes += Array(String(Unicode.Scalar(program[place].operand)!).utf8)
                place += 1
            case .jump:
                place = Int(program[place].target)
            case .set, .split, .match:
                return (bytes, place)
            }
        }
    }
}
