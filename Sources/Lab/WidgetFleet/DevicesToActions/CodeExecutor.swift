internal import Basics
internal import Platform
internal import Synchronization

/// Runs asynchronous widget code on the fleet's thread, in the order in which its jobs were
/// enqueued.
///
///     origin's answers, questions ─► jobs ─► run ─► more jobs, messages in the mailbox
///
/// On the threads that Swift's tasks share, the number of threads and the load of the machine would
/// decide which of two tasks is the first to ask the origin, and whether the other task asks before
/// simulated time advances. Child tasks of a provider inherit its executor; tasks that code makes
/// without a parent do not, and run elsewhere.
final class CodeExecutor: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    private let wake: @Sendable () -> Void

    /// - Parameter wake: called on any thread when the first job waits to be run.
    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isFirst = jobs.withLock { jobs in
            jobs.append(job)
            return jobs.count == 1
        }
        if isFirst { wake() }
    }

    /// Whether no job waits to be run.
    var isEmpty: Bool { jobs.withLock { $0.isEmpty } }

    /// Runs the jobs that wait and those that they enqueue, until none is left. Must be called on
    /// one thread only.
    func run() {
        while true {
            var batch: [UnownedJob] = []
            jobs.withLock { swap(&$0, &batch) }
            if batch.isEmpty { return }
            for job in batch { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }
}

/// The devices' clock in accelerated time, readable from the threads of widget code.
final class VirtualClock: Sendable {
    /// The date in ms since 1970, because an `Atomic` cannot hold a `WallTime`.
    private let now: Atomic<Int64>

    init(_ now: WallTime) { self.now = Atomic(now.rawValue) }

    func set(_ now: WallTime) { self.now.store(now.rawValue, ordering: .relaxed) }

    /// The devices' time in seconds since 1970.
    var time: Double { Double(now.load(ordering: .relaxed)) / 1_000 }

    /// By how many seconds the devices' clock is ahead of the system's clock.
    var shift: Double { time - ExactDate.now.inSeconds }
}
