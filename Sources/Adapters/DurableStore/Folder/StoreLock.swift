internal import Glibc
internal import StoreFormat

/// Excludes other processes from a folder as long as this object lives, even while the store's
/// files are closed to be opened again.
///
/// It locks the folder itself (`flock`), so no lock file can be left over; the system releases the
/// lock when the process ends, for whatever reason.
final class StoreLock {
    private let descriptor: CInt

    /// Locks a folder, without waiting. Throws `locked` if another process has locked it;
    /// `missing`, `unusable` or `io`.
    init(_ folder: StoreFolder) throws(StoreError) {
        let descriptor = unsafe open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor < 0 { throw folder.failure("cannot open") }
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let isTaken = errno == EWOULDBLOCK
            let failure = folder.failure("cannot lock")
            close(descriptor)
            if isTaken {
                throw StoreError(
                    .locked,
                    message: "another process uses the store \(folder.path); stop it first"
                )
            }
            throw failure
        }
        self.descriptor = descriptor
    }

    /// Releases the lock explicitly: a child process between `fork` and `exec` has a duplicate of
    /// the descriptor, and closing this one alone would leave the folder locked until then.
    deinit {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Identifies the locked folder.
    ///
    /// No other folder can get the same numbers while this one is open, even if it has been
    /// deleted.
    var identity: FileIdentity { FileIdentity(descriptor: descriptor)! }
}
