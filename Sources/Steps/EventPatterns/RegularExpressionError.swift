/// Why a regular expression was refused.
package struct RegularExpressionError: Error, Equatable, CustomStringConvertible {
    /// A sentence.
    package let reason: String
    /// The byte of the expression at which it shows.
    package let offset: Int

    package init(_ reason: String, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    package var description: String { "\(reason) (byte \(offset) of the expression)" }
}
