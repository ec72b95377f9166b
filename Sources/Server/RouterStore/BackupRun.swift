package import Basics
internal import DurableStore
internal import Platform
package import StoreFormat
internal import Synchronization

/// Copies a store to another folder, on a thread of its own, while the router keeps using the
/// store. One instance is one backup: it starts in `init`, and the owner must call `finish` before
/// releasing it.
package final class BackupRun: @unchecked Sendable {
    // Unchecked: only the owner uses `thread`; everything else is constant or atomic.

    /// A completed copy that was read again and found whole.
    package struct Copy: Equatable, Sendable {
        /// Size of all files of the copy.
        package let byteCount: UInt64
        /// Time for copying and checking it.
        package let duration: Milliseconds
    }

    /// The folder that receives the copy.
    package let folder: String
    private let isDone = Atomic<Bool>(false)
    private let isCancelled = Atomic<Bool>(false)
    private var thread: JoinableThread?

    /// Starts the thread that copies a store to a folder, which must not exist yet. `completion` is
    /// called once, on the copying thread, just after `hasEnded` became true; its argument is nil
    /// if the backup failed after `cancel` was called.
    package init(
        of store: String,
        to folder: String,
        completion: @escaping @Sendable (Result<Copy, StoreError>?) -> Void
    ) {
        self.folder = folder
        thread = JoinableThread { [self] in
            let outcome = copy(store)
            isDone.store(true, ordering: .releasing)
            if case .failure = outcome, isCancelled.load(ordering: .acquiring) {
                return completion(nil)
            }
            completion(outcome)
        }
    }

    /// True once the copy is complete or has failed.
    package var hasEnded: Bool { isDone.load(ordering: .acquiring) }

    /// Asks the thread to stop soon. A copy that is already complete is kept.
    package func cancel() { isCancelled.store(true, ordering: .releasing) }

    /// Waits for the thread to end. A second call does nothing.
    package func finish() { thread.take()?.join() }

    private func copy(_ store: String) -> Result<Copy, StoreError> {
        let begin = MonotonicTime.now
        return Result { () throws(StoreError) in
            _ = try StoreView(path: store).backup(to: folder) { [self] in
                isCancelled.load(ordering: .acquiring)
            }
            let check = try StoreCheck(path: folder)
            if let problem = check.problems.first, !check.isWhole {
                throw .corrupt("the copy is incomplete: \(problem)")
            }
            // The copy is whole, even if the metric of the last backup will not know of it.
            try? LastBackup(ofStore: store).record(copy: folder)
            return Copy(
                byteCount: StoreView.byteCount(ofFolder: folder),
                duration: MonotonicTime.now - begin
            )
        }
    }
}
