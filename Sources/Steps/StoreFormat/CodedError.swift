/// Why data could not be stored, recorded, replayed or read: a stable code, and a sentence that
/// says what was wrong and where.
///
/// Each layer has its own codes, and a type alias for the error with these codes, such as
/// `StoreError`.
@usableFromInline
package struct CodedError<Code>: Error, Equatable, Sendable, CustomStringConvertible
where Code: RawRepresentable<String>, Code: Equatable, Code: Sendable {
    /// The stable code, by which programs distinguish errors.
    package let code: Code
    /// One sentence for people.
    package let message: String

    /// Makes an error of a code; the message is one sentence for people.
    package init(_ code: Code, message: String) {
        self.code = code
        self.message = message
    }

    /// The code and the message, on one line.
    @usableFromInline package var description: String { "\(code.rawValue): \(message)" }
}
