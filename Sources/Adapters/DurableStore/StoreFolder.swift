internal import CRocksDB
internal import DataStructures
internal import Glibc
internal import StoreFormat

/// The folder in which a store lies: what the store asks of the file system itself.
@safe
struct StoreFolder {
    let path: String

    /// - Parameter path: of the folder; slashes at its end are dropped, so that other names can be
    ///   made of it.
    init(path: String) {
        var path = path[...]
        while path.count > 1 && path.hasSuffix("/") { path.removeLast() }
        self.path = String(path)
    }

    /// The files that RocksDB makes, and what a file system puts at its top.
    private static func belongs(_ name: String) -> Bool {
        if ["CURRENT", "IDENTITY", "LOCK", "LOG", "lost+found"].contains(name) { return true }
        if ["MANIFEST-", "OPTIONS-", "LOG.old."].contains(where: name.hasPrefix) { return true }
        return [".log", ".sst", ".dbtmp"].contains(where: name.hasSuffix)
    }

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

    /// Refuses what no store would have left here.
    func refuseForeignFiles() throws(StoreError) {
        for name in try names() where !Self.belongs(name) {
            throw StoreError(.unusable, "\(path) is no store: it contains \(name)")
        }
    }

    /// The size of a file, or nil if there is none.
    func byteCount(_ name: String) -> UInt64? {
        var status = stat()
        guard unsafe stat("\(path)/\(name)", &status) == 0 else { return nil }
        return UInt64(status.st_size)
    }

    /// The size of all files; one that vanishes meanwhile does not count.
    var byteCount: UInt64 {
        let names = (try? names()) ?? []
        return names.reduce(0) { $0 + (byteCount($1) ?? 0) }
    }

    /// The write-ahead logs, oldest first.
    func logNames() throws(StoreError) -> [String] {
        try names().filter { $0.hasSuffix(".log") }
    }

    /// RocksDB's list of files, which `CURRENT` names, or nil if that is not to be read.
    func fileListName() throws(StoreError) -> String? {
        var name = ""
        do throws(StoreError) {
            try readBlocks("CURRENT", of: 64) { block throws(StoreError) in
                name = block.string
                return false
            }
        } catch {
            if error.code == .missing { return nil }
            throw error
        }
        return name.hasPrefix("MANIFEST-") && name.hasSuffix("\n") ? String(name.dropLast()) : nil
    }

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
        var isGoingOn = true
        while isGoingOn {
            var count = 0
            while count < blockByteCount {
                let step = unsafe read(descriptor, block + count, blockByteCount - count)
                if step < 0 && errno == EINTR { continue }
                if step < 0 { throw failure("cannot read", name) }
                if step == 0 { break }
                count += step
            }
            if count == 0 { return }
            isGoingOn = try body(unsafe ByteView(base: block, count: count))
            if count < blockByteCount { return }
        }
    }
}
