internal import CRocksDB
internal import DataStructures
internal import Glibc
internal import StoreFormat

/// The folder in which a store lies: what the store asks of the file system itself.
@safe
struct StoreFolder: Sendable {
    let path: String

    /// - Parameter path: of the folder; slashes at its end are dropped, so that other names can be
    ///   made of it.
    init(path: String) {
        var path = path[...]
        while path.count > 1 && path.hasSuffix("/") { path.removeLast() }
        self.path = String(path)
    }

    func subfolder(_ name: String) -> StoreFolder { StoreFolder(path: "\(path)/\(name)") }

    /// The error for the system call that has just failed.
    func failure(_ doing: String, _ name: String = "") -> StoreError {
        let number = errno
        let place = name.isEmpty ? path : "\(path)/\(name)"
        let sentence = unsafe "\(doing) \(place): \(String(cString: strerror(number)))"
        let code: StoreErrorCode =
            switch number {
            case ENOSPC, EDQUOT, EFBIG: .full
            case EACCES, EPERM, EROFS, ENOTDIR, ENAMETOOLONG, ELOOP: .unusable
            case ENOENT: .missing
            default: .io
            }
        return StoreError(code, sentence)
    }

    // MARK: What is there

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

    var isThere: Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0
    }

    /// Where it lies: the folder that holds its name.
    var parent: StoreFolder {
        guard let slash = path.lastIndex(of: "/") else { return StoreFolder(path: ".") }
        return StoreFolder(path: slash == path.startIndex ? "/" : String(path[..<slash]))
    }

    /// The same folder without links on the way to it.
    func resolved() throws(StoreError) -> StoreFolder {
        guard let real = unsafe realpath(path, nil) else { throw failure("cannot find") }
        defer { unsafe free(real) }
        return StoreFolder(path: unsafe String(cString: real))
    }

    /// Whether this is the other folder or lies within it, neither of which has links on the way.
    func lies(within other: StoreFolder) -> Bool {
        path == other.path || path.hasPrefix(other.path == "/" ? "/" : other.path + "/")
    }

    /// Whether another file system begins here, or a part of one that is mounted.
    var isMountPoint: Bool { unsafe is_mount_point(path) == 1 }

    /// The size of a file, or nil if there is none.
    func byteCount(_ name: String) -> UInt64? {
        var status = stat()
        guard unsafe stat("\(path)/\(name)", &status) == 0 else { return nil }
        return UInt64(status.st_size)
    }

    /// Bytes of all files, one that has several names counted once; what vanishes meanwhile does not
    /// count.
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

    /// Bytes that this user may still write to the disk.
    var freeByteCount: UInt64? {
        var status = statvfs()
        if unsafe statvfs(path, &status) != 0 { return nil }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize)
    }

    // MARK: Reading

    /// Reads a file a block at a time: `body` is given each, valid during the call only, and returns
    /// whether to go on.
    func readBlocks(
        _ name: String,
        of blockByteCount: Int,
        _ body: (ByteView) throws(StoreError) -> Bool
    ) throws(StoreError) {
        let descriptor = unsafe open("\(path)/\(name)", O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { throw failure("cannot open", name) }
        defer { close(descriptor) }
        let block = UnsafeMutableRawPointer.allocate(byteCount: blockByteCount, alignment: 16)
        defer { unsafe block.deallocate() }
        while true {
            var count = 0
            while count < blockByteCount {
                let step = unsafe read(descriptor, block + count, blockByteCount - count)
                if step < 0 && errno == EINTR { continue }
                if step < 0 { throw failure("cannot read", name) }
                if step == 0 { break }
                count += step
            }
            if count == 0 { return }
            let isGoingOn = try body(unsafe ByteView(base: block, count: count))
            if !isGoingOn || count < blockByteCount { return }
        }
    }

    /// Reads a whole small file.
    ///
    /// - Throws: also `corrupt` if it is larger than any that this router writes.
    func withBytes<Result>(
        _ name: String,
        _ body: (ByteView) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        var writer = StoreWriter()
        try readBlocks(name, of: 1 << 16) { block throws(StoreError) in
            writer.put(raw: block)
            if writer.count > 64 << 20 {
                throw StoreError(.corrupt, "\(path)/\(name) is larger than it can be")
            }
            return true
        }
        do throws(StoreError) {
            return try body(writer.bytes)
        } catch {
            if error.code != .corrupt { throw error }
            throw StoreError(.corrupt, "\(path)/\(name) is damaged: \(error.message)")
        }
    }
}

/// Reads bytes of a file into memory; fewer come at its end only.
///
/// - Returns: how many, or -1 with the reason in `errno`.
@unsafe
func readFile(
    _ descriptor: CInt,
    into memory: UnsafeMutableRawPointer,
    _ byteCount: Int,
    at offset: Int
) -> Int {
    var count = 0
    while count < byteCount {
        let step = unsafe pread(descriptor, memory + count, byteCount - count, offset + count)
        if step < 0 && errno == EINTR { continue }
        if step < 0 { return -1 }
        if step == 0 { break }
        count += step
    }
    return count
}
