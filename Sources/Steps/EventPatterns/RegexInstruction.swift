/// A step of a compiled regular expression; the next one follows it unless it says otherwise.
struct RegexInstruction: BitwiseCopyable, Sendable {
    enum Code: UInt8, BitwiseCopyable, Sendable {
        /// Takes the scalar `operand`.
        case scalar
        /// Takes a scalar of the set number `operand`.
        case set
        /// Goes on at `target` as well.
        case split
        /// Goes on at `target`.
        case jump
        /// Matches, if the value ends here.
        case match
    }

    var code: Code
    var target: UInt16 = 0
    var operand: UInt32 = 0
}
