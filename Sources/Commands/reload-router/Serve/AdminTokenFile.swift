import AdminAPI
import Glibc

/// Reads the admin server's token from the first line of a file: for the server, and for its
/// clients.
///
/// - Parameter path: the file.
/// - Returns: the token, valid as part of an HTTP header.
/// - Throws: `AdminTokenError`, whose text completes a sentence about the file.
func readAdminToken(_ path: String) throws(AdminTokenError) -> AdminToken {
    guard let file = unsafe fopen(path, "rb") else {
        throw AdminTokenError(description: unsafe String(cString: strerror(errno)))
    }
    defer { unsafe fclose(file) }
    // The longest token and the end of its line.
    var bytes = [UInt8](repeating: 0, count: AdminToken.longest + 2)
    let count = unsafe fread(&bytes, 1, bytes.count, file)
    if unsafe ferror(file) != 0 {
        throw AdminTokenError(description: "it is not a file that can be read")
    }
    return try AdminToken(file: Array(bytes[..<count]))
}
