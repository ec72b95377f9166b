internal import Basics
internal import CRocksDB
internal import Glibc
package import StoreFormat

/// Identifies a file or folder whatever its name: by the numbers of its device and inode.
struct FileIdentity: Hashable {
    let device: UInt64
    let inode: UInt64

    init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
    }

    /// Identifies an open file or folder; nil if the system does not report its numbers.
    init?(descriptor: CInt) {
        var status = stat()
        if unsafe fstat(descriptor, &status) != 0 { return nil }
        self.init(status)
    }

    /// Identifies what exists at a path; nil if nothing does or it cannot be reached, with the
    /// reason in `errno`.
    init?(path: String) {
        var status = stat()
        if unsafe stat(path, &status) != 0 { return nil }
        self.init(status)
    }
}

/// The identity, size and time of the last change of a file. As long as all three stay the same, so
/// do the file's bytes, unless the disk itself changes them.
struct FileVersion: Equatable {
    private let identity: FileIdentity
    private let byteCount: Int
    private let seconds: Int
    private let nanoseconds: Int

    /// Reads the version of the file at a path; nil if nothing exists there or it cannot be
    /// reached.
    init?(path: String) {
        var status = stat()
        if unsafe stat(path, &status) != 0 { return nil }
        identity = FileIdentity(status)
        byteCount = Int(status.st_size)
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
    }
}

/// Finds out whether another folder has been put where the store was opened.
///
/// Appends go to the open files, wherever their folder is moved to. So a router could acknowledge
/// inputs for hours that the next start would not find. Therefore the folder at the path is
/// compared with the one that is locked, and the file `STORE`, which is written once, with the one
/// that was there when the store was opened. That costs two calls of `stat` for each append, on the
/// committing thread.
///
///     path ────────► folder    ══ the one that is locked?
///     path/STORE ──► file      ══ the one that was opened?
final class StoreIdentity: Sendable {
    private let path: String
    private let filePath: String
    private let folder: FileIdentity
    private let file: FileIdentity?
    /// An open descriptor of the file, so that its inode is not reused for another one; -1 if there
    /// is no such file.
    private let descriptor: CInt

    /// Remembers what is at the path of a store, which is locked, now.
    init(_ folder: StoreFolder, lock: StoreLock) {
        path = folder.path
        filePath = "\(folder.path)/\(StoreName.description)"
        self.folder = lock.identity
        descriptor = unsafe open(filePath, O_RDONLY | O_CLOEXEC)
        file = descriptor < 0 ? nil : FileIdentity(descriptor: descriptor)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Compares what is there now with what was opened. Throws `replaced` while it is something
    /// else.
    func check() throws(StoreError) {
        guard let found = FileIdentity(path: path) else {
            throw replaced("\(path) no longer exists (\(Self.lastError))")
        }
        if found != folder {
            throw replaced(
                "\(path) is not the folder that was opened: another one has taken its place"
            )
        }
        guard let file else { return }
        guard let found = FileIdentity(path: filePath) else {
            throw replaced("\(filePath) no longer exists (\(Self.lastError))")
        }
        if found != file {
            throw replaced(
                "\(filePath) is not the file that was opened: another store has taken its place"
            )
        }
    }

    private func replaced(_ sentence: String) -> StoreError {
        StoreError(
            .replaced,
            message:
                "\(sentence); put the right one back, or stop the router before you replace it"
        )
    }

    private static var lastError: String { unsafe String(cString: strerror(errno)) }
}

extension StoreDescription.Identifier {
    /// The machine's present boot, as Linux identifies it; nil if it does not say.
    ///
    /// As long as it stays the same, everything that a process has written can be read, whether it
    /// is on the disk or not.
    package static var ofThisBoot: StoreDescription.Identifier? {
        let folder = StoreFolder(path: "/proc/sys/kernel/random")
        var text = ""
        try? folder.readBlocks("boot_id", of: 64) { block throws(StoreError) in
            text = block.string
            return false
        }
        return StoreDescription.Identifier(text.prefix { $0 != "\n" })
    }
}
