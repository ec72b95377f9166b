internal import CaptureFormat
internal import Glibc
internal import StoreFormat

/// The error for the system call that has just failed (`errno`); `doing` begins its sentence.
func fileFailure(_ doing: String, _ path: String) -> CaptureError {
    let number = errno
    let sentence = unsafe "\(doing) \(path): \(String(cString: strerror(number)))"
    let code: CaptureErrorCode =
        switch number {
        case ENOSPC, EDQUOT, EFBIG: .full
        case ENOENT: .missing
        case EEXIST: .exists
        default: .io
        }
    return CaptureError(code, sentence)
}

extension CaptureError {
    /// The same error, with the file's path before its message.
    func naming(_ path: String) -> CaptureError {
        CaptureError(code, "\(path): \(message)")
    }
}
