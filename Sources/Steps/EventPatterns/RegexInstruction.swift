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
