import Glibc

/// A folder of its own for a test, which is deleted when the last reference goes.
///
/// Give `RELOAD_ROUTER_TEST_FOLDER` to have them somewhere else than in /tmp.
package final class TestFolder: Sendable {
    /// The folder's path.
    package let path: String

    /// Creates an empty folder.
    package init() {
        let base = getenv("RELOAD_ROUTER_TEST_FOLDER").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(base)/reload-router-store-XXXXXX".utf8CString)
        path = template.withUnsafeMutableBufferPointer { buffer in
            String(cString: mkdtemp(buffer.baseAddress!)!)
        }
    }

    deinit {
        Self.deleteTree(path)
    }

    /// The path of something in it.
    package func path(of name: String) -> String { "\(path)/\(name)" }

    /// Names in a folder, sorted.
    package static func names(_ path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Copies a folder with everything in it.
    package static func copyTree(_ source: String, to destination: String) {
        mkdir(destination, 0o700)
        for name in names(source) {
            if isFolder("\(source)/\(name)") {
                copyTree("\(source)/\(name)", to: "\(destination)/\(name)")
            } else {
                write(read("\(source)/\(name)"), to: "\(destination)/\(name)")
            }
        }
    }

    /// Whether there is a folder at a path.
    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The paths of all files in a folder and those within, from it on, sorted.
    package static func files(_ path: String) -> [String] {
        names(path).flatMap { name in
            isFolder("\(path)/\(name)") ? files("\(path)/\(name)").map { "\(name)/\($0)" } : [name]
        }
    }

    /// The bytes of all files in a folder and those within, by their paths from it on.
    package static func contents(_ path: String) -> [String: [UInt8]] {
        Dictionary(uniqueKeysWithValues: files(path).map { ($0, read("\(path)/\($0)")) })
    }

    /// The bytes of a file.
    package static func read(_ path: String) -> [UInt8] {
        let file = fopen(path, "r")!
        defer { fclose(file) }
        var status = stat()
        stat(path, &status)
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        let count = bytes.count
        bytes.withUnsafeMutableBytes { _ = fread($0.baseAddress, 1, count, file) }
        return bytes
    }

    /// The number of bytes of a file; 0 if there is none.
    package static func size(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Writes a file.
    package static func write(_ bytes: some Collection<UInt8>, to path: String) {
        let file = fopen(path, "w")!
        defer { fclose(file) }
        Array(bytes).withUnsafeBytes { _ = fwrite($0.baseAddress, 1, bytes.count, file) }
    }

    /// Deletes a folder with everything in it.
    package static func deleteTree(_ path: String) {
        chmod(path, 0o700)
        for name in names(path) {
            let context = "\(path)/\(name)"
            if unlink(context) != 0 { deleteTree(context) }
        }
        rmdir(path)
    }
}
