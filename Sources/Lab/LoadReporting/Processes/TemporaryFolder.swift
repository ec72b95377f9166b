internal import Glibc

/// A folder of its own, such as on a disk that is measured. It is deleted with its content at
/// `deinit`.
package final class TemporaryFolder {
    /// The path of the folder.
    package let path: String

    /// Makes a folder with a unique name in `parent`.
    package init(in parent: String) throws {
        var template = Array("\(parent)/reload-router-bench-XXXXXX".utf8CString)
        if unsafe mkdtemp(&template) == nil {
            throw LabFailure("a folder cannot be created in \(parent)")
        }
        path = String(
            decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) },
            as: UTF8.self
        )
    }

    deinit { delete() }

    /// Deletes the folder with its content before `deinit`.
    package func delete() { Self.delete(path) }

    /// Returns the path of a file or folder in this folder.
    package func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    /// Deletes a file, or a folder with its content.
    package func delete(_ name: String) { Self.delete(self(name)) }

    private static func delete(_ path: String) {
        for name in names(in: path) { delete("\(path)/\(name)") }
        unsafe _ = remove(path)
    }

    /// Returns the content of a file in this folder; empty if it cannot be read.
    package func text(_ name: String) -> String { readText(self(name)) }

    /// Returns the names in a folder; none if the path names no folder that can be read.
    package static func names(in path: String) -> [String] {
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
package func readText(_ path: String) -> String { (try? ReportFile.read(path)) ?? "" }
