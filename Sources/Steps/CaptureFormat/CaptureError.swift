package import StoreFormat

/// Why a capture could not be read or written.
package typealias CaptureError = CodedError<CaptureErrorCode>

/// What is wrong with a capture.
package enum CaptureErrorCode: String, Equatable, Sendable, CaseIterable {
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
