package import StoreFormat

/// Why a capture (a recording of a router's inputs) could not be read or written.
package typealias CaptureError = CodedError<CaptureErrorCode>

/// The class of such a failure; raw values are the codes shown to users.
package enum CaptureErrorCode: String, Equatable, Sendable, CaseIterable {
    /// A part does not match its checksum, or its content is impossible.
    case corrupt = "capture-corrupt"
    /// The capture was written by a newer version.
    case newer = "capture-newer"
    /// There is no such file, or it is not a capture.
    case missing = "capture-missing"
    /// The files do not belong to one recording, or one of them was given twice.
    case foreign = "capture-foreign"
    /// A file of that name exists already; none is overwritten.
    case exists = "capture-exists"
    /// The disk is full.
    case full = "capture-full"
    /// Reading or writing failed with an error of the system.
    case io = "capture-io"
    /// A line of text does not describe a record.
    case text = "capture-text"
}
