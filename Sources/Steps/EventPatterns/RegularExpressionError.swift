/// Why a regular expression was refused.
package struct RegularExpressionError: Error, Equatable, CustomStringConvertible {
    /// What is wrong, as a sentence.
    package let reason: String
    /// The byte of the expression at which the error was detected; 0 if the whole is too large.
    package let offset: Int

    /// Makes the error for a mistake at a byte of the expression.
    package init(_ reason: String, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    /// The reason, followed by the byte of the expression at which the error was detected.
    package var description: String { "\(reason) (byte \(offset) of the expression)" }
}
