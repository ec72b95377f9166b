internal import CRocksDB
internal import DataStructures
internal import Glibc
internal import StoreFormat

/// What is changed in the folder of a store beside RocksDB.
extension StoreFolder {
    /// Makes the folder, for this user only; it may be there already.
    func make() throws(StoreError) {
        if unsafe mkdir(path, 0o700) == 0 { return try parent.sync() }
        if errno != EEXIST { throw failure("cannot make the folder") }
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
        try parent.sync()
    }

    /// Exchanges two folders in one step.
    func exchange(with other: String) throws(StoreError) {
        if unsafe exchange_names(path, other) != 0 {
            throw failure("cannot exchange with \(other)")
        }
        try parent.sync()
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

    /// Lets the folder and its files belong to whom another one belongs to, and to nobody else.
    ///
    /// Only root can give files away, and only for root they belong to somebody else. Others do not
    /// even try: the service's system call filter has no chown.
    func giveToOwner(of other: StoreFolder) throws(StoreError) {
        var status = stat()
        if unsafe stat(other.path, &status) != 0 { throw other.failure("cannot look at") }
        let isRoot = geteuid() == 0
        for name in try names() {
            let place = "\(path)/\(name)"
            if unsafe chmod(place, 0o600) != 0 { throw failure("cannot keep others out of", name) }
            if isRoot, unsafe chown(place, status.st_uid, status.st_gid) != 0 {
                throw failure("cannot give away", name)
            }
        }
        if isRoot, unsafe chown(path, status.st_uid, status.st_gid) != 0 {
            throw failure("cannot give away")
        }
    }

    /// Makes another name for a file of this folder in another one.
    func link(_ name: String, into other: StoreFolder) throws(StoreError) {
        if unsafe Glibc.link("\(path)/\(name)", "\(other.path)/\(name)") != 0 {
            throw other.failure("cannot link", name)
        }
    }

    /// Copies the first bytes of a file into another folder.
    func copy(_ name: String, upTo byteCount: Int, into other: StoreFolder) throws(StoreError) {
        let descriptor = try other.create(name)
        defer { close(descriptor) }
        var left = byteCount
        try readBlocks(name, of: WriteAheadLog.blockByteCount) { block throws(StoreError) in
            let part = block.slice(0, min(left, block.count))
            try other.write(part, to: descriptor, name)
            left -= part.count
            return left > 0
        }
    }

    // MARK: Space

    /// What RocksDB writes to open a database: a list of files, options, an empty log; far less.
    static let openingByteCount = 1 << 20
    private static let trialName = "space.dbtmp"

    /// Finds out whether the disk takes so many bytes beside those that opening a database needs.
    ///
    /// RocksDB itself, if it fails to open a database, leaves each time a list and a log behind.
    func tryToWrite(_ byteCount: Int) throws(StoreError) {
        let descriptor = try create(Self.trialName)
        defer {
            close(descriptor)
            unsafe unlink("\(path)/\(Self.trialName)")
        }
        let block = UnsafeMutableRawPointer.allocate(
            byteCount: Self.openingByteCount,
            alignment: 16
        )
        defer { unsafe block.deallocate() }
        unsafe block.initializeMemory(as: UInt8.self, repeating: 0, count: Self.openingByteCount)
        var left = byteCount + Self.openingByteCount
        while left > 0 {
            let count = min(left, Self.openingByteCount)
            try write(unsafe ByteView(base: block, count: count), to: descriptor, Self.trialName)
            left -= count
        }
        if fsync(descriptor) != 0 { throw failure("cannot sync", Self.trialName) }
    }

    /// Deletes what openings that have failed left behind: logs in which nothing stands, and lists
    /// of files that `CURRENT` does not name.
    ///
    /// One log stays: without any the folder would count as one that has lost its journal.
    /// The caller holds the lock of the folder, and the database is closed.
    func removeFailedOpenings() throws(StoreError) {
        guard let list = try fileListName(), byteCount(list) != nil else { return }
        let logs = try logNames()
        let empty = logs.filter { byteCount($0) == 0 }
        let lists = try names().filter { $0.hasPrefix("MANIFEST-") && $0 != list }
        for name in (empty.count == logs.count ? Array(empty.dropLast()) : empty) + lists {
            if unsafe unlink("\(path)/\(name)") != 0 { throw failure("cannot delete", name) }
        }
    }

    // MARK: Files

    /// Makes a file, or empties it, for this user only.
    private func create(_ name: String) throws(StoreError) -> CInt {
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC
        let descriptor = unsafe open("\(path)/\(name)", flags, 0o600)
        if descriptor < 0 { throw failure("cannot make", name) }
        return descriptor
    }

    private func write(
        _ bytes: ByteView,
        to descriptor: CInt,
        _ name: String
    ) throws(StoreError) {
        var offset = 0
        while offset < bytes.count {
            let step = unsafe Glibc.write(descriptor, bytes.address + offset, bytes.count - offset)
            if step < 0 && errno == EINTR { continue }
            if step < 0 { throw failure("cannot write", name) }
            offset += step
        }
    }
}
