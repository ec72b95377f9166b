internal import Glibc
internal import StoreFormat

/// Writes `CONTENTS` on a thread of its own, while the journal continues, to note how far the
/// journal reaches. What it names is on the disk before, as whenever `CONTENTS` is written.
final class EndNote: @unchecked Sendable {
    // Unchecked: `isWritten` is read only after the task has ended.
    private let contents: StoreContents
    private var isWritten = false
    private var task: StoreTask?

    /// Starts writing.
    ///
    /// - Parameters:
    ///   - contents: with the end of the journal that is noted.
    ///   - segment: the name of the file that must be made durable before; nil if it is already.
    ///   - folder: the store's folder.
    ///   - identity: what the folder must still be.
    init(
        _ contents: StoreContents,
        after segment: String?,
        in folder: StoreFolder,
        identity: StoreIdentity
    ) {
        self.contents = contents
        task = StoreTask { [self] in
            // Nothing depends on it: if it fails, the next change of CONTENTS says what is wrong.
            try? { () throws(StoreError) in
                if let segment { try folder.sync(segment) }
                try identity.check()
                try folder.write(contents)
                isWritten = true
            }()
        }
    }

    /// True until the writing has ended.
    var isRunning: Bool { task?.isRunning ?? false }

    /// Waits for the end of the writing; to be called once.
    ///
    /// - Returns: what `CONTENTS` says now; nil if writing has failed, and it may say that or what
    ///   it said before.
    func finish() -> StoreContents? {
        task.take()?.wait()
        return isWritten ? contents : nil
    }
}
