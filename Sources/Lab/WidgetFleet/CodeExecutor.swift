internal import Synchronization

/// Runs asynchronous widget code on the fleet's thread, piece by piece in the order in which the pieces
/// came.
///
///     origin's answers, questions ─► jobs ─► run ─► more jobs, letters in the mailbox
///
/// On threads that tasks share, their number and the machine's load would decide which of two tasks is
/// the first to ask the origin, and whether the other one asks before time goes on. Child tasks of a
/// provider inherit its executor; tasks that code makes without a parent do not, and run elsewhere.
final class CodeExecutor: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    private let wake: @Sendable () -> Void

    /// - Parameter wake: is called on any thread when there is something to run.
    init(wake: @escaping @Sendable () -> Void) {
        self.wake = wake
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isFirst = jobs.withLock { jobs in
            jobs.append(job)
            return jobs.count == 1
        }
        if isFirst { wake() }
    }

    /// Whether nothing waits to be run.
    var isEmpty: Bool { jobs.withLock { $0.isEmpty } }

    /// Runs what there is and what comes of it, until all code waits or has ended; on one thread.
    func run() {
        while true {
            var batch: [UnownedJob] = []
            jobs.withLock { swap(&$0, &batch) }
            if batch.isEmpty { return }
            for job in batch { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }
}
