/// A regular expression as a tree, from `RegexParser` to `RegexCompiler`.
indirect enum RegexNode: Equatable {
    case scalar(UInt32)
    /// Any scalar of the set with this index in `RegexParser.sets`.
    case set(Int)
    /// The nodes one after the other; an empty list matches the empty text.
    case sequence([RegexNode])
    /// Any one of at least two nodes.
    case alternatives([RegexNode])
    /// The node `least` to `most` times; without a limit if `most` is nil.
    case repetition(RegexNode, least: Int, most: Int?)
}

/// One instruction of a compiled regular expression, for `RegexSimulation`. Execution continues
/// with the instruction after it unless its code says otherwise.
struct RegexInstruction: BitwiseCopyable, Sendable {
    /// What an instruction does.
    enum Code: UInt8, BitwiseCopyable, Sendable {
        /// Consumes the scalar `operand`.
        case scalar
        /// Consumes a scalar of the set with index `operand`.
        case set
        /// Continues both at the next instruction and at `target`.
        case split
        /// Continues at `target`.
        case jump
        /// Accepts if the value ends here.
        case match
    }

    var code: Code
    /// Index of an instruction, for `split` and `jump`.
    var target: UInt16 = 0
    /// A scalar or the index of a set.
    var operand: UInt32 = 0
}

/// Compiles a tree into instructions, at most `PatternLimits.regexpInstructions` (Thompson 1968).
struct RegexCompiler {
    /// The instructions emitted so far.
    private(set) var instructions: ContiguousArray<RegexInstruction> = []

    /// Emits the instructions of a whole expression.
    ///
    /// - Throws: if the limit is exceeded.
    mutating func compile(_ node: RegexNode) throws(RegularExpressionError) {
        try emit(node)
        try append(RegexInstruction(code: .match))
    }

    /// Emits the instructions of a node.
    private mutating func emit(_ node: RegexNode) throws(RegularExpressionError) {
        switch node {
        case .scalar(let scalar): try append(RegexInstruction(code: .scalar, operand: scalar))
        case .set(let number): try append(RegexInstruction(code: .set, operand: UInt32(number)))
        case .sequence(let nodes): for node in nodes { try emit(node) }
        case .alternatives(let nodes): try emit(alternatives: nodes)
        case .repetition(let node, let least, let most): try emit(node, least: least, most: most)
        }
    }

    /// Emits, for each alternative but the last, `split` to the next one, the alternative, and
    /// `jump` to the end.
    private mutating func emit(alternatives: [RegexNode]) throws(RegularExpressionError) {
        var jumps: [Int] = []
        for node in alternatives.dropLast() {
            let split = try append(RegexInstruction(code: .split))
            try emit(node)
            jumps.append(try append(RegexInstruction(code: .jump)))
            patch(split)
        }
        try emit(alternatives[alternatives.count - 1])
        for jump in jumps { patch(jump) }
    }

    /// Emits a repetition: `least` copies of the node, then optional ones or a loop.
    private mutating func emit(
        _ node: RegexNode,
        least: Int,
        most: Int?
    ) throws(RegularExpressionError) {
        var last = instructions.count
        for _ in 0..<least {
            last = instructions.count
            try emit(node)
            // A node without instructions matches only the empty text, however often it is
            // repeated.
            if instructions.count == last { return }
        }
        if let most {
            var splits: [Int] = []
            for _ in least..<most {
                splits.append(try append(RegexInstruction(code: .split)))
                try emit(node)
                if instructions.count == splits[splits.count - 1] + 1 { break }
            }
            for split in splits { patch(split) }
        } else if least > 0 {
            // The last mandatory copy is the body of the loop.
            try append(RegexInstruction(code: .split, target: UInt16(last)))
        } else {
            let split = try append(RegexInstruction(code: .split))
            try emit(node)
            try append(RegexInstruction(code: .jump, target: UInt16(split)))
            patch(split)
        }
    }

    /// Sets the target of an instruction to the one that is emitted next.
    private mutating func patch(_ index: Int) {
        instructions[index].target = UInt16(instructions.count)
    }

    /// Appends an instruction and returns its index.
    @discardableResult
    private mutating func append(
        _ instruction: RegexInstruction
    ) throws(RegularExpressionError) -> Int {
        let limit = PatternLimits.regexpInstructions
        if instructions.count == limit {
            let reason = "The expression is compiled to more than \(limit) instructions."
            throw RegularExpressionError(reason, at: 0)
        }
        instructions.append(instruction)
        return instructions.count - 1
    }
}
