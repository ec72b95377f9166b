internal import Basics
internal import CRocksDB
internal import Glibc
internal import Platform
internal import StoreFormat

/// A folder of the file system, usually that of a store: its names, sizes and files.
struct StoreFolder: Sendable {
    let path: String
    /// Of a store: the size of each of the table's buffers in memory, in bytes.
    let tableBuffer: Int

    /// A folder that may or may not exist; trailing slashes of the path are removed, so that other
    /// names can be appended.
    init(path: String, tableBuffer: Int? = nil) {
        var path = path[...]
        while path.count > 1 && path.hasSuffix("/") { path.removeLast() }
        self.path = String(path)
        self.tableBuffer = tableBuffer ?? RocksLimits.tableBuffer
    }

    /// The folder of this name in this folder, whether it exists or not.
    func subfolder(_ name: String) -> StoreFolder {
        assert(!name.isEmpty, "the folder would be its own subfolder")
        return StoreFolder(path: "\(path)/\(name)")
    }

    /// The error for the system call that has just failed (`errno`); its sentence begins with
    /// `doing`, such as "cannot open", followed by the path and the system's reason.
    func failure(_ doing: String, name: String = "") -> StoreError {
        let number = errno
        let location = name.isEmpty ? path : "\(path)/\(name)"
        let sentence = unsafe "\(doing) \(location): \(String(cString: strerror(number)))"
        let code: StoreErrorCode =
            switch number {
            case ENOSPC, EDQUOT, EFBIG: .full
            case EACCES, EPERM, EROFS, ENOTDIR, ENAMETOOLONG, ELOOP: .unusable
            case ENOENT: .missing
            default: .io
            }
        return StoreError(code, message: sentence)
    }

    // MARK: What exists

    /// The names of everything in the folder, sorted.
    func names() throws(StoreError) -> [String] {
        guard let folder = unsafe opendir(path) else { throw failure("cannot read the folder") }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe String(
                    cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self)
                )
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// True if something exists at the path.
    var exists: Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0
    }

    /// True if it is a folder, or a link to one; false if it is a file, or nothing.
    var isFolder: Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The folder that contains this one.
    var parent: StoreFolder {
        guard let slash = path.lastIndex(of: "/") else { return StoreFolder(path: ".") }
        return StoreFolder(path: slash == path.startIndex ? "/" : String(path[..<slash]))
    }

    /// The same folder, by a path without symbolic links.
    func resolved() throws(StoreError) -> StoreFolder {
        guard let real = unsafe realpath(path, nil) else { throw failure("cannot find") }
        defer { unsafe free(real) }
        return StoreFolder(path: unsafe String(cString: real))
    }

    /// True if this folder is the other one or lies within it; both must be resolved.
    func lies(within other: StoreFolder) -> Bool {
        assert(path.hasPrefix("/") && other.path.hasPrefix("/"), "the paths are not resolved")
        return path == other.path || path.hasPrefix(other.path == "/" ? "/" : other.path + "/")
    }

    /// True if another file system, or a part of one, is mounted here.
    var isMountPoint: Bool { unsafe is_mount_point(path) == 1 }

    /// The size of a file in bytes; nil if it does not exist.
    func byteCount(_ name: String) -> UInt64? {
        var status = stat()
        guard unsafe stat("\(path)/\(name)", &status) == 0 else { return nil }
        return UInt64(status.st_size)
    }

    /// The size of all files, in bytes, including those in subfolders. A file with several names
    /// counts once; files that are deleted meanwhile do not count.
    var byteCount: UInt64 {
        var counted: Set<FileIdentity> = []
        return byteCount(&counted)
    }

    private func byteCount(_ counted: inout Set<FileIdentity>) -> UInt64 {
        var sum: UInt64 = 0
        for name in (try? names()) ?? [] {
            var status = stat()
            guard unsafe lstat("\(path)/\(name)", &status) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFDIR {
                sum += subfolder(name).byteCount(&counted)
            } else if counted.insert(FileIdentity(status)).inserted {
                sum += UInt64(status.st_size)
            }
        }
        return sum
    }

    /// The number of bytes that are free on the disk for this user; nil if the system does not
    /// report it.
    var freeByteCount: UInt64? {
        var status = statvfs()
        if unsafe statvfs(path, &status) != 0 { return nil }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize)
    }

    // MARK: Reading

    /// Reads a file block by block; `body` receives each block, valid during the call, and returns
    /// false to stop.
    func readBlocks(
        _ name: String,
        of blockByteCount: Int,
        body: (ByteView) throws(StoreError) -> Bool
    ) throws(StoreError) {
        assert(blockByteCount > 0, "blocks of \(blockByteCount) bytes")
        let descriptor = unsafe open("\(path)/\(name)", O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { throw failure("cannot open", name: name) }
        defer { close(descriptor) }
        let block = UnsafeMutableRawPointer.allocate(byteCount: blockByteCount, alignment: 16)
        defer { unsafe block.deallocate() }
        while true {
            let count = unsafe readAll(descriptor, into: block, byteCount: blockByteCount)
            if count < 0 { throw failure("cannot read", name: name) }
            if count == 0 { return }
            let continues = try body(unsafe ByteView(base: block, count: count))
            if !continues || count < blockByteCount { return }
        }
    }

    /// Reads a small file as a whole. Throws also `corrupt` if it is larger than any that the
    /// router writes.
    func withBytes<Result>(
        _ name: String,
        body: (ByteView) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        var writer = StoreWriter()
        try readBlocks(name, of: 1 << 16) { block throws(StoreError) in
            writer.put(raw: block)
            if writer.count > 64 << 20 {
                throw .corrupt("\(path)/\(name) is larger than it can be")
            }
            return true
        }
        do throws(StoreError) {
            return try body(writer.bytes)
        } catch {
            if error.code != .corrupt { throw error }
            throw .corrupt("\(path)/\(name) is damaged: \(error.message)")
        }
    }
}
