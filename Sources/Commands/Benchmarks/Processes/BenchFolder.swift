import Glibc

/// A temporary folder on the disk to measure. It is deleted with its content at `deinit`.
final class BenchFolder {
    let path: String

    /// Makes a folder with a unique name in `parent`.
    init(in parent: String) throws {
        var template = Array("\(parent)/reload-router-bench-XXXXXX".utf8CString)
        if unsafe mkdtemp(&template) == nil {
            throw BenchFailure("a folder cannot be created in \(parent)")
        }
        path = String(
            decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) },
            as: UTF8.self
        )
    }

    deinit { Self.delete(path) }

    /// Returns the path of a file or folder in this folder.
    func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    /// Deletes a file, or a folder with its content.
    func delete(_ name: String) { Self.delete(self(name)) }

    private static func delete(_ path: String) {
        for name in names(in: path) { delete("\(path)/\(name)") }
        unsafe _ = remove(path)
    }

    /// Returns the size of a folder's content in bytes. A file with several names counts once;
    /// files that are deleted meanwhile may be left out.
    func byteCount(of name: String) -> Int {
        var counted: Set<UInt64> = []
        return Self.byteCount(of: self(name), excluding: &counted)
    }

    private static func byteCount(of path: String, excluding counted: inout Set<UInt64>) -> Int {
        names(in: path).reduce(0) { sum, name in
            var status = stat()
            guard unsafe lstat("\(path)/\(name)", &status) == 0 else { return sum }
            if status.st_mode & S_IFMT == S_IFDIR {
                return sum + byteCount(of: "\(path)/\(name)", excluding: &counted)
            }
            return sum + (counted.insert(UInt64(status.st_ino)).inserted ? Int(status.st_size) : 0)
        }
    }

    /// Returns the content of a file in this folder; empty if it cannot be read.
    func text(_ name: String) -> String { readText(self(name)) }

    /// Returns the names in a folder; none if the path names no folder that can be read.
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

/// Returns the content of a file; empty if it cannot be read.
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
