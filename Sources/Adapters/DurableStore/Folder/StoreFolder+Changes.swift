internal import Basics
internal import CRocksDB
internal import Glibc
internal import Platform
internal import StoreFormat

/// How the folder of a store, and the files in it, are changed.
extension StoreFolder {
    /// Creates the folder, unless it exists.
    ///
    /// A store's folder is accessible to this user only. The files in it are readable by all users,
    /// so an operator can give others access by changing the mode of the folder alone.
    func make(mode: mode_t = 0o700) throws(StoreError) {
        if unsafe mkdir(path, mode) == 0 { return try parent.sync() }
        if errno != EEXIST { throw failure("cannot create the folder") }
    }

    /// Creates a folder beside this one, with a name that nothing has.
    func temporaryNeighbour() throws(StoreError) -> StoreFolder {
        var name = Array("\(path).XXXXXX".utf8CString)
        let isMade = unsafe name.withUnsafeMutableBufferPointer { name in
            unsafe mkdtemp(name.baseAddress!) != nil
        }
        if !isMade { throw failure("cannot create a folder beside") }
        return StoreFolder(path: String(decoding: name.dropLast().map(UInt8.init), as: UTF8.self))
    }

    /// Makes the folder accessible to this user only.
    func restrictAccess() throws(StoreError) {
        if unsafe chmod(path, 0o700) != 0 { throw failure("cannot restrict access to") }
    }

    /// Deletes the folder of an unfinished store with what is in it. Throws `unusable` if there is
    /// something else in it; `locked` if another process still uses it.
    func remove() throws(StoreError) {
        let lock = try StoreLock(self)
        defer { withExtendedLifetime(lock) {} }
        try refuseForeignFiles()
        try removeAll()
    }

    /// Deletes the folder and everything in it, if it exists.
    func removeAll() throws(StoreError) {
        if !exists { return }
        for name in try names() { try remove(name) }
        if unsafe rmdir(path) != 0 { throw failure("cannot delete the folder") }
    }

    /// Deletes a file or a folder, if it exists.
    func remove(_ name: String) throws(StoreError) {
        assert(!["", ".", ".."].contains(name), "the folder itself would be deleted")
        if unsafe unlink("\(path)/\(name)") == 0 || errno == ENOENT { return }
        if errno != EISDIR && errno != EPERM { throw failure("cannot delete", name: name) }
        try subfolder(name).removeAll()
    }

    /// Renames the folder, durably. Nothing may have the new name yet, except an empty folder.
    func rename(to other: String) throws(StoreError) {
        if unsafe Glibc.rename(path, other) != 0 { throw failure("cannot rename to \(other)") }
        try parent.sync()
    }

    /// Moves a file of this folder to another path, on the same file system.
    func move(_ name: String, to other: String) throws(StoreError) {
        if unsafe Glibc.rename("\(path)/\(name)", other) != 0 {
            throw failure("cannot rename to \(other)", name: name)
        }
    }

    /// Exchanges two folders atomically.
    func exchange(with other: String) throws(StoreError) {
        if unsafe exchange_names(path, other) != 0 {
            throw failure("cannot exchange with \(other)")
        }
        try parent.sync()
    }

    /// Makes the names in the folder durable.
    func sync() throws(StoreError) {
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor < 0 { throw failure("cannot open") }
        defer { close(descriptor) }
        if fsync(descriptor) != 0 { throw failure("cannot sync") }
    }

    /// Makes a file's content durable, even if another process wrote it.
    func sync(_ name: String) throws(StoreError) {
        let descriptor = unsafe open("\(path)/\(name)", O_WRONLY | O_CLOEXEC)
        if descriptor < 0 { throw failure("cannot open", name: name) }
        defer { close(descriptor) }
        if fsync(descriptor) != 0 { throw failure("cannot sync", name: name) }
    }

    /// Gives the folder and everything in it to the owner of another folder, and removes the access
    /// of all other users.
    ///
    /// An operator may run `store backup` or `store repair` as root, but the router, which runs as
    /// another user, must be able to open the result. Only root can change an owner. For any other
    /// user the files have the right owner already, and `chown` is not called, because the
    /// service's system call filter forbids it.
    func transferOwnership(of other: StoreFolder) throws(StoreError) {
        var owner = stat()
        if unsafe stat(other.path, &owner) != 0 { throw other.failure("cannot read the status of") }
        for name in try names() {
            let inner = subfolder(name)
            var status = stat()
            if unsafe lstat(inner.path, &status) != 0 {
                throw failure("cannot read the status of", name: name)
            }
            if status.st_mode & S_IFMT == S_IFDIR {
                try inner.transferOwnership(of: other)
            } else {
                try inner.setOwner(to: owner, mode: 0o600)
            }
        }
        try setOwner(to: owner, mode: 0o700)
    }

    /// Gives one file or folder to an owner, with these permissions.
    private func setOwner(to owner: stat, mode: mode_t) throws(StoreError) {
        if unsafe chmod(path, mode) != 0 { throw failure("cannot restrict access to") }
        if geteuid() == 0, unsafe chown(path, owner.st_uid, owner.st_gid) != 0 {
            throw failure("cannot change the owner of")
        }
    }

    // MARK: Space

    /// The disk space, in bytes, that is required for opening a store.
    ///
    /// Opening writes RocksDB's list of files, its options and an empty log, which is far less.
    static let openingByteCount = 1 << 20

    /// Checks that the disk has room for `byteCount` bytes and for opening the store.
    ///
    /// It writes a file of that size and deletes it, because the number of free blocks does not
    /// show what a quota allows.
    ///
    /// - Throws: `full` if there is no room.
    func requireSpace(_ byteCount: Int) throws(StoreError) {
        assert(byteCount >= 0, "space for \(byteCount) bytes")
        let block = UnsafeMutableRawPointer.allocate(
            byteCount: Self.openingByteCount,
            alignment: 16
        )
        defer { unsafe block.deallocate() }
        unsafe block.initializeMemory(as: UInt8.self, repeating: 0, count: Self.openingByteCount)
        defer { unsafe unlink("\(path)/\(StoreName.trial)") }
        try create(StoreName.trial) { descriptor throws(StoreError) in
            var left = byteCount + Self.openingByteCount
            var offset = 0
            while left > 0 {
                let count = min(left, Self.openingByteCount)
                let part = unsafe ByteView(base: block, count: count)
                try write(part, to: descriptor, at: offset, name: StoreName.trial)
                left -= count
                offset += count
            }
        }
    }

    // MARK: Files

    /// Creates a file with these bytes, or replaces its content, durably; the file's name is not
    /// durable yet.
    func write(_ bytes: ByteView, toFile name: String) throws(StoreError) {
        try create(name) { descriptor throws(StoreError) in
            try write(bytes, to: descriptor, at: 0, name: name)
        }
    }

    /// Creates a file or empties it, calls `body` with its descriptor, and syncs the file.
    private func create(
        _ name: String,
        body: (CInt) throws(StoreError) -> Void
    ) throws(StoreError) {
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC
        let descriptor = unsafe open("\(path)/\(name)", flags, 0o644)
        if descriptor < 0 { throw failure("cannot create", name: name) }
        defer { close(descriptor) }
        try body(descriptor)
        if fsync(descriptor) != 0 { throw failure("cannot sync", name: name) }
    }

    /// Writes bytes at an offset of an open file; `name` is for the error.
    func write(
        _ bytes: ByteView,
        to descriptor: CInt,
        at position: Int,
        name: String
    ) throws(StoreError) {
        assert(descriptor >= 0 && position >= 0, "\(name) is not open, or has no byte \(position)")
        if !writeAll(bytes, to: descriptor, at: position) {
            throw failure("cannot write", name: name)
        }
    }

    /// Links a file into another folder or, if the file system has no hard links, copies it.
    func link(_ name: String, into other: StoreFolder) throws(StoreError) {
        assert(path != other.path, "a file would be linked to itself")
        if unsafe Glibc.link("\(path)/\(name)", "\(other.path)/\(name)") == 0 { return }
        if ![EPERM, EOPNOTSUPP, EXDEV, EMLINK].contains(errno) {
            throw other.failure("cannot link", name: name)
        }
        try copy(name, into: other)
    }

    /// True if a file here can have another hard link.
    func canLink(_ name: String) -> Bool {
        defer { unsafe unlink("\(path)/\(StoreName.trial)") }
        return unsafe Glibc.link("\(path)/\(name)", "\(path)/\(StoreName.trial)") == 0
    }

    /// Copies a file into another folder.
    func copy(_ name: String, into other: StoreFolder) throws(StoreError) {
        try other.create(name) { descriptor throws(StoreError) in
            var offset = 0
            try readBlocks(name, of: 1 << 20) { block throws(StoreError) in
                try other.write(block, to: descriptor, at: offset, name: name)
                offset += block.count
                return true
            }
        }
    }
}
