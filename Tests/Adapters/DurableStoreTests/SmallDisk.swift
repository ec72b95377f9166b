import Basics
import Glibc
import TestSupport
import Testing

@testable import DurableStore

/// A store on a disk that a test can fill up, and a `GroupCommit` over it that tries again soon.
struct SmallDiskHarness {
    let disk: SmallDisk
    let path: String
    let store: RocksStore
    let signal = Signal()
    let commit: GroupCommit

    init(_ folder: TestFolder, megabytes: Int, retryInterval: Milliseconds) throws {
        disk = try SmallDisk(folder.path(of: "disk"), megabytes: megabytes)
        path = folder.path(of: "disk/store")
        store = try RocksStore(path: path, createIfMissing: true)
        var limits = CommitLimits()
        limits.retryInterval = retryInterval
        limits.tableRetryInterval = retryInterval
        commit = GroupCommit(engine: store, limits: limits, signal: signal)
    }
}

/// A file system of a few megabytes in memory, as long as it lives; only root can make one.
final class SmallDisk {
    private let path: String

    init(_ path: String, megabytes: Int) throws {
        self.path = path
        mkdir(path, 0o700)
        try #require(mount("tmpfs", path, "tmpfs", 0, "size=\(megabytes)m") == 0, "\(errno)")
    }

    deinit { umount2(path, CInt(MNT_DETACH)) }

    /// Leaves no space, or so many bytes.
    func fill(leaving byteCount: Int = 0) {
        let file = open("\(path)/ballast", O_CREAT | O_WRONLY, 0o600)
        let block = [UInt8](repeating: 1, count: 4_096)
        while write(file, block, block.count) > 0 {}
        if byteCount > 0 { ftruncate(file, lseek(file, 0, SEEK_CUR) - byteCount) }
        close(file)
    }

    func free() { unlink("\(path)/ballast") }
}
