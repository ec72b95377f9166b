internal import Glibc
internal import StoreFormat

/// Keeps other processes out of a folder as long as it lives, also while its files are closed to be
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
                throw StoreError(
                    .locked,
                    "another process uses the store \(folder.path); stop it first"
                )
            }
            throw failure
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Which folder it locks.
    ///
    /// No other one can get the same numbers as long as this one is open, deleted or not.
    var identity: FileIdentity { FileIdentity(descriptor: descriptor)! }
}
