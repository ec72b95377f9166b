/// Why a capture could not be read or written: a stable code, and a sentence that says what was wrong
/// and where.
package struct CaptureError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Code: String, Equatable, Sendable, CaseIterable {
        /// Something does not have the checksum that it says, or is not what it says.
        case corrupt = "capture-corrupt"
        /// A newer version has written the capture.
        case newer = "capture-newer"
        /// There is no such file, or it is no capture.
        case missing = "capture-missing"
        /// Files that do not belong together, or one of them twice.
        case foreign = "capture-foreign"
        /// A file of that name is there already: none is overwritten.
        case exists = "capture-exists"
        /// The disk is full.
        case full = "capture-full"
        /// The system failed to read or write.
        case io = "capture-io"
        /// A line of text is no record.
        case text = "capture-text"
    }

    package let code: Code
    /// One sentence.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { "\(code.rawValue): \(message)" }
}
