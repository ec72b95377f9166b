internal import ByteStorage
internal import CRocksDB
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
        let code: StoreError.Code =
            switch number {
            case ENOSPC, EDQUOT, EFBIG: .full
            case EACCES, EPERM, EROFS, ENOTDIR: .unusable
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

    /// Whether a database has been made here.
    func hasDatabase() -> Bool { byteCount("CURRENT") != nil }

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

    // MARK: Changes

    /// Makes the folder, for this user only; it may be there already.
    func make() throws(StoreError) {
        if unsafe mkdir(path, 0o700) != 0 && errno != EEXIST {
            throw failure("cannot make the folder")
        }
    }

    func keepOthersOut() throws(StoreError) {
        if unsafe chmod(path, 0o700) != 0 { throw failure("cannot keep others out of") }
    }

    /// Deletes the folder of an unfinished store with the files in it.
    ///
    /// - Throws: also if there are others in it, or somebody is still at work there.
    func remove() throws(StoreError) {
        let lock = try StoreLock(self)
        defer { withExtendedLifetime(lock) {} }
        try refuseForeignFiles()
        for name in try names() where unsafe unlink("\(path)/\(name)") != 0 {
            throw failure("cannot delete", name)
        }
        if unsafe rmdir(path) != 0 { throw failure("cannot delete the folder") }
    }

    /// Gives the folder another name, which nothing may have but an empty folder, and makes that
    /// durable.
    func rename(to other: String) throws(StoreError) {
        if unsafe Glibc.rename(path, other) != 0 {
            throw failure("cannot rename to \(other)")
        }
        try StoreFolder(path: parent).sync()
    }

    /// Exchanges two folders in one step.
    func exchange(with other: String) throws(StoreError) {
        if unsafe exchange_names(path, other) != 0 {
            throw failure("cannot exchange with \(other)")
        }
        try StoreFolder(path: parent).sync()
    }

    private var parent: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Makes durable which names the folder has.
    func sync() throws(StoreError) {
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor < 0 { throw failure("cannot open") }
        defer { close(descriptor) }
        if fsync(descriptor) != 0 { throw failure("cannot sync") }
    }

    /// Makes what was written to a file durable, by whichever process.
    func sync(_ name: String) throws(StoreError) {
        let descriptor = unsafe open("\(path)/\(name)", O_WRONLY | O_CLOEXEC)
        if descriptor < 0 { throw failure("cannot open", name) }
        defer { close(descriptor) }
        if fsync(descriptor) != 0 { throw failure("cannot sync", name) }
    }

    /// Cuts a file off and makes that durable.
    func truncate(_ name: String, to byteCount: Int) throws(StoreError) {
        let descriptor = unsafe open("\(path)/\(name)", O_WRONLY | O_CLOEXEC)
        if descriptor < 0 { throw failure("cannot open", name) }
        defer { close(descriptor) }
        if ftruncate(descriptor, byteCount) != 0 { throw failure("cannot cut off", name) }
        if fsync(descriptor) != 0 { throw failure("cannot sync", name) }
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

/// Keeps other routers out of a folder as long as it lives, also while the database is closed to be
/// opened again.
///
/// It locks the folder itself (`flock`), so there is no file that could be left behind; the system
/// lets go of it when the process ends, however it ends.
@safe
final class StoreLock {
    private let descriptor: CInt

    init(_ folder: StoreFolder) throws(StoreError) {
        let descriptor = unsafe open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor < 0 { throw folder.failure("cannot open") }
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let isTaken = errno == EWOULDBLOCK
            let failure = folder.failure("cannot lock")
            close(descriptor)
            if isTaken {
                throw StoreError(.locked, "another router uses the store \(folder.path)")
            }
            throw failure
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }
}
