internal import DataStructures
internal import Glibc
package import ReloadModel
internal import RouterCore

/// An app file that was read and parsed.
package struct LoadedAppFile {
    /// What the file declares.
    package let catalog: AppCatalog
    /// The bytes of the file, as the store keeps them.
    package let source: [UInt8]
}

/// Reads and parses the app file.
///
/// - Throws: `AppFileProblem`; it names line and column if the text is invalid.
package func loadAppFile(_ path: String) throws(AppFileProblem) -> LoadedAppFile {
    let bytes = try readFile(path)
    do throws(AppFileError) {
        let catalog = try bytes.withByteView { (view) throws(AppFileError) in
            try AppFile.parse(view)
        }
        return LoadedAppFile(catalog: catalog, source: bytes)
    } catch {
        throw .invalid(path: path, error)
    }
}

private func readFile(_ path: String) throws(AppFileProblem) -> [UInt8] {
    guard let file = unsafe fopen(path, "rb") else {
        throw .unreadable(path: path, reason: unsafe String(cString: strerror(errno)))
    }
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = unsafe fread(&buffer, 1, buffer.count, file)
        bytes.append(contentsOf: buffer[..<count])
        if count < buffer.count { break }
    }
    if unsafe ferror(file) != 0 {
        throw .unreadable(path: path, reason: "it is not a file that can be read")
    }
    return bytes
}
