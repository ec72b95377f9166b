import Glibc

/// A folder on the disk that is measured, gone when nobody needs it any more.
final class BenchFolder {
    let path: String

    /// Makes one with a name of its own.
    init(in parent: String) throws {
        var template = Array("\(parent)/reload-router-bench-XXXXXX".utf8CString)
        if unsafe mkdtemp(&template) == nil {
            throw BenchFailure("no folder can be made in \(parent)")
        }
        path = String(
            decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) },
            as: UTF8.self
        )
    }

    deinit {
        for name in Self.names(in: path) { delete(name) }
        unsafe _ = rmdir(path)
    }

    /// A path inside.
    func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    /// Deletes a file, or a folder with its files.
    func delete(_ name: String) {
        for file in Self.names(in: self(name)) { unsafe _ = unlink(self("\(name)/\(file)")) }
        unsafe _ = remove(self(name))
    }

    /// The size of a folder's files; one that vanishes meanwhile does not count.
    func byteCount(of name: String) -> Int {
        Self.names(in: self(name)).reduce(0) { sum, file in
            var status = stat()
            let isThere = unsafe stat(self("\(name)/\(file)"), &status) == 0
            return sum + (isThere ? Int(status.st_size) : 0)
        }
    }

    /// The size of the files with names that begin so.
    func byteCount(startingWith prefix: String) -> Int {
        Self.names(in: path).filter { $0.hasPrefix(prefix) }.reduce(0) { sum, name in
            var status = stat()
            return sum + (unsafe stat(self(name), &status) == 0 ? Int(status.st_size) : 0)
        }
    }

    /// The text of a file; empty if there is none.
    func text(_ name: String) -> String { readText(self(name)) }

    /// The names of what is in a folder; none if it is a file.
    static func names(in path: String) -> [String] {
        guard let folder = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }
}

/// The text of a file; empty if it cannot be read.
func readText(_ path: String) -> String {
    guard let file = unsafe fopen(path, "r") else { return "" }
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = unsafe fread(&block, 1, block.count, file)
        if count == 0 { return String(decoding: bytes, as: UTF8.self) }
        bytes += block[..<count]
    }
}
