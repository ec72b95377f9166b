package import Basics
import Glibc

/// What shows, without reading a file, whether it or its permissions have been changed.
package struct SecretFileVersion: Equatable {
    private let device: UInt64
    private let inode: UInt64
    private let byteCount: Int
    /// When the file, its owner or its permissions were changed last, in ns since 1970.
    private let changedAt: Int

    /// How long after a change a version says that there was no other since: the system's clock
    /// for files takes a few ms to advance.
    private static var leastAge: Milliseconds { .seconds(2) }

    /// The version of the file at a path; nil if it cannot be reached, or was changed so recently
    /// that a further change might not be seen.
    package init?(path: String, now: WallTime) {
        var status = stat()
        if unsafe stat(path, &status) != 0 { return nil }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        byteCount = Int(status.st_size)
        changedAt = status.st_ctim.tv_sec * 1_000_000_000 + status.st_ctim.tv_nsec
        let age = now - WallTime(rawValue: Int64(changedAt / 1_000_000))
        if age < Self.leastAge { return nil }
    }
}
