internal import CaptureFormat
internal import Glibc
internal import StoreFormat

/// The error for the system call that has just failed (`errno`); its sentence begins with `doing`,
/// such as "cannot open", followed by the path and the system's reason.
func fileFailure(_ doing: String, path: String) -> CaptureError {
    let number = errno
    let sentence = unsafe "\(doing) \(path): \(String(cString: strerror(number)))"
    let code: CaptureErrorCode =
        switch number {
        case ENOSPC, EDQUOT, EFBIG: .full
        case ENOENT: .missing
        case EEXIST: .exists
        default: .io
        }
    return CaptureError(code, message: sentence)
}

extension CaptureError {
    /// The same error, with the file's path before its message.
    func naming(_ path: String) -> CaptureError {
        CaptureError(code, message: "\(path): \(message)")
    }
}
