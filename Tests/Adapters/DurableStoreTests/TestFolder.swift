import Glibc
import Synchronization
import Testing

/// A folder of its own for a test, which is deleted when the last reference goes.
///
/// Give `RELOAD_ROUTER_TEST_FOLDER` to have them somewhere else than in /tmp.
final class TestFolder: Sendable {
    let path: String

    init() {
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
    func place(_ name: String) -> String { "\(path)/\(name)" }

    /// Names in a folder, sorted.
    static func names(_ path: String) -> [String] {
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

    static func copyTree(_ source: String, to destination: String) {
        mkdir(destination, 0o700)
        for name in names(source) {
            if isFolder("\(source)/\(name)") {
                copyTree("\(source)/\(name)", to: "\(destination)/\(name)")
            } else {
                write(read("\(source)/\(name)"), to: "\(destination)/\(name)")
            }
        }
    }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The paths of all files in a folder and those within, from it on, sorted.
    static func files(_ path: String) -> [String] {
        names(path).flatMap { name in
            isFolder("\(path)/\(name)") ? files("\(path)/\(name)").map { "\(name)/\($0)" } : [name]
        }
    }

    /// What stands in all of them.
    static func contents(_ path: String) -> [String: [UInt8]] {
        Dictionary(uniqueKeysWithValues: files(path).map { ($0, read("\(path)/\($0)")) })
    }

    static func read(_ path: String) -> [UInt8] {
        let file = fopen(path, "r")!
        defer { fclose(file) }
        var status = stat()
        stat(path, &status)
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        let count = bytes.count
        bytes.withUnsafeMutableBytes { _ = fread($0.baseAddress, 1, count, file) }
        return bytes
    }

    static func size(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    static func giveAway(_ path: String, to user: uid_t, _ group: gid_t) {
        chown(path, user, group)
        for name in names(path) { giveAway("\(path)/\(name)", to: user, group) }
    }

    /// The folder and its files belong to them, and are for the user only.
    static func expect(_ path: String, ownedBy user: uid_t, _ group: gid_t) {
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_uid == user && status.st_gid == group, "\(path)")
        #expect(status.st_mode & 0o777 == (isFolder(path) ? 0o700 : 0o600), "\(path)")
        for name in names(path) { expect("\(path)/\(name)", ownedBy: user, group) }
    }

    static func write(_ bytes: some Collection<UInt8>, to path: String) {
        let file = fopen(path, "w")!
        defer { fclose(file) }
        Array(bytes).withUnsafeBytes { _ = fwrite($0.baseAddress, 1, bytes.count, file) }
    }

    static func deleteTree(_ path: String) {
        chmod(path, 0o700)
        for name in names(path) {
            let place = "\(path)/\(name)"
            if unlink(place) != 0 { deleteTree(place) }
        }
        rmdir(path)
    }
}
