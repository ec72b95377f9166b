internal import DurableStore
internal import Platform
package import StoreFormat
internal import Synchronization

/// A store that is being copied, on a thread of its own, while its router goes on.
package final class BackupRun: @unchecked Sendable {
    // Unchecked: `thread` is used by who has made it, and the rest is constant or atomic.

    /// A copy that is whole.
    package struct Copy: Equatable, Sendable {
        /// Of its files.
        package let byteCount: UInt64
        package let milliseconds: Int64
    }

    /// Where the copy comes to lie.
    package let folder: String
    private let isDone = Atomic<Bool>(false)
    private let isCancelled = Atomic<Bool>(false)
    private var thread: JoinableThread?

    /// Begins it.
    ///
    /// - Parameters:
    ///   - store: the folder of the store.
    ///   - folder: of the copy; must not be there.
    ///   - completion: is called once, on the thread that copies; with nil if it was cancelled.
    package init(
        of store: String,
        to folder: String,
        _ completion: @escaping @Sendable (Result<Copy, StoreError>?) -> Void
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

    package var hasEnded: Bool { isDone.load(ordering: .acquiring) }

    /// Has it end soon, without a copy if that is not whole yet.
    package func cancel() { isCancelled.store(true, ordering: .releasing) }

    /// Waits until it has ended; doing so twice is no error.
    package func finish() {
        thread.take()?.join()
    }

    private func copy(_ store: String) -> Result<Copy, StoreError> {
        let begin = monotonicMilliseconds()
        return Result { () throws(StoreError) in
            _ = try StoreView(path: store).backup(to: folder) { [self] in
                isCancelled.load(ordering: .acquiring)
            }
            let check = try StoreCheck(path: folder)
            if let problem = check.problems.first, !check.isWhole {
                throw StoreError(.corrupt, "the copy is not whole: \(problem)")
            }
            return Copy(
                byteCount: StoreView.byteCount(ofFolder: folder),
                milliseconds: monotonicMilliseconds() - begin
            )
        }
    }
}
