internal import AdminAPI
internal import Basics
internal import Credentials
internal import Cryptography
internal import Logging
internal import Platform
internal import RouterCore
internal import RouterStore
internal import Synchronization

/// Loads app files, one after the other: each is read, compared, parsed and made ready on a thread
/// of its own, and installed by the loop before the next one begins.
///
///     SIGHUP, PUT ──► waiting ──► thread: read, hash, parse, compare ──► wake
///                                   ──► loop: a portion of what differs in each tick, then the end
///
/// Only the loop's thread may use it; `close` must be called before it is released.
struct AppFileLoader: ~Copyable {
    /// Who asks for an app file to be loaded.
    enum Cause {
        /// SIGHUP: the file of `--apps` is read again.
        case hangUp
        /// An operator has sent one.
        case `operator`(AppFile, AdminMailbox.Entry)
    }

    /// An app file that may come into force, with all that can be made of it without the loop.
    struct Loaded: Sendable {
        let file: AppFile
        /// What it changes of the file in force.
        let change: CatalogChange
        /// The SHA-256 of the file on the disk; nil if it came from an operator.
        let digest: SHA256Digest?
        let credentials: Gatekeeper.Replacement
        let notes: AppFileNotes
        /// A role that the file opens and this server may not open, as a sentence; nil if none.
        let openRole: String?
    }

    /// An app file that is being installed.
    struct Installation {
        let loaded: Loaded
        /// Whether it is installed in portions; nil while it is not known whether it can be.
        var isDivided: Bool?
        /// What was counted to know that.
        var numbers = NumberCount()
        /// The number of portions that have been applied.
        var applied = 0
        /// When the next portion was found to be due, but pushes were being delivered.
        var waitsSince: MonotonicTime?

        /// The next portion; nil if only the end is left.
        var nextPortion: CatalogChange.Portion? {
            let portions = loaded.change.portions
            return isDivided == true && applied < portions.count ? portions[applied] : nil
        }
    }

    /// What the thread has made of a file.
    enum Outcome: Sendable {
        /// It is the one in force, byte for byte.
        case unchanged
        case loaded(Loaded)
        case refused(AppFileProblem)
    }

    /// What the thread has to know.
    struct Order: Sendable {
        /// A file of an operator; nil to read the one of `path`.
        var file: AppFile?
        var path: String
        /// The text of the file in force, without its secrets.
        var inForce: [UInt8]
        /// The SHA-256 of the file in force, if that is from the disk.
        var digest: SHA256Digest?
        /// Makes the credentials of a file ready to take the place of those in force.
        var makeReady: @Sendable ([AppAccess]) -> Gatekeeper.Replacement
        var allowsOpenRoles: Bool
    }

    /// The most files of operators that wait; beyond it they are refused with `busy`. Of signals,
    /// one waits: it stands for all that come before its file is read.
    static var waitingLimit: Int { 16 }
    /// The most kinds or apps that a tick declares or withdraws: a fifth of a millisecond of work,
    /// if they have no widgets; a millisecond with the 256 origins that an app may have at most.
    static var kindsPerTick: Int { 128 }
    /// How long a portion waits for the delivery of the pushes before it. Then no further ones are
    /// accepted until those are delivered.
    static var deliveryTime: Milliseconds { .milliseconds(500) }

    /// What is being loaded or installed; nil if nothing is.
    private(set) var current: Cause?
    /// What is being installed; nil if nothing is.
    var installing: Installation?
    private var waiting: [Cause] = []
    /// The SHA-256 of the file in force as it is on the disk; nil if it is not known to be there.
    var digest: SHA256Digest?
    /// What the file in force says and seldom means.
    private(set) var notes = AppFileNotes()
    private let worker = WorkerThread(niceness: JoinableThread.besideTheLoop)
    private let result = Result()
    private var discarded: [any Sendable] = []

    /// Notes what the file says that has come into force, and warns about it: about roles that are
    /// open to all, tokens that devices share, and what has no effect.
    mutating func isInForce(_ notes: AppFileNotes, logger: Logger) {
        self.notes = notes
        for (app, warning) in notes.trials.prefix(AppFileNotes.logLimit) {
            logger.warning("\(warning)", metadata: ["app": "\(app)"])
        }
        for hint in notes.hints.prefix(AppFileNotes.logLimit) {
            logger.warning(
                "the app file declares what can hardly have the effect that is meant",
                metadata: ["hint": "\(hint.text)"]
            )
        }
    }

    /// Whether nothing is being loaded, and nothing waits.
    var isIdle: Bool { current == nil && waiting.isEmpty }

    /// Who pays for what is being loaded or installed: the operator who has sent it.
    var payer: CallbackPayer {
        if case .operator(_, let entry) = current { .operator(entry.group) } else { .none }
    }

    /// Whether SIGHUP has its effect only once a load has ended that is under way or waits.
    var hasHangUp: Bool {
        (waiting + (current.map { [$0] } ?? [])).contains {
            if case .hangUp = $0 { true } else { false }
        }
    }

    /// Appends a load; false if there are too many.
    mutating func append(_ cause: Cause) -> Bool {
        if case .hangUp = cause {
            let isWaiting = waiting.contains { if case .hangUp = $0 { true } else { false } }
            if !isWaiting { waiting.append(cause) }
            return true
        }
        if waiting.count >= Self.waitingLimit { return false }
        waiting.append(cause)
        return true
    }

    /// Takes the next load if none is under way; its thread begins with `start`.
    mutating func next() -> Cause? {
        if current != nil || waiting.isEmpty { return nil }
        current = waiting.removeFirst()
        return current
    }

    /// Begins the work of the thread; `wake` is called on it when the outcome is there.
    func start(_ order: Order, wake: @escaping @Sendable () -> Void) {
        worker.perform { [result] in
            result.put(Self.load(order))
            wake()
        }
    }

    /// The outcome of the load that is under way, once it is there.
    func takeOutcome() -> Outcome? { current == nil ? nil : result.take() }

    /// Ends what is under way, and returns who has asked for it.
    mutating func end() -> Cause? {
        installing = nil
        return current.take()
    }

    /// Forgets all loads that wait, and that under way; what is being installed continues, unless
    /// it is the `end`. Returns the requests of operators that are to be answered.
    mutating func cancel(atEnd isEnd: Bool) -> [AdminMailbox.Entry] {
        var all = waiting
        waiting = []
        if isEnd || installing == nil, let ended = end() { all.append(ended) }
        return all.compactMap { if case .operator(_, let entry) = $0 { entry } else { nil } }
    }

    /// Takes what an app file has left over, of which nothing else may be in use in the next tick:
    /// the thread releases it then, which takes tens of milliseconds for a file of some megabytes.
    mutating func discard(_ content: some Sendable) { discarded.append(content) }

    /// Lets the thread release what was discarded in earlier ticks, once nothing is being
    /// installed: it takes a few orders at a time.
    mutating func release() {
        if discarded.isEmpty || installing != nil { return }
        let last = LastOwner(discarded)
        discarded = []
        worker.perform { last.release() }
    }

    /// The only one that still has what it was given.
    private final class LastOwner: Sendable {
        private let content: Mutex<[any Sendable]>

        init(_ content: [any Sendable]) { self.content = Mutex(content) }

        func release() { content.withLock { $0 = [] } }
    }

    /// Ends the thread, once its work is done. A second call does nothing.
    mutating func close() {
        discarded = []
        worker.close()
    }

    // MARK: - The thread

    /// Reads and judges an app file; depends on nothing but its argument and the disk.
    static func load(_ order: Order) -> Outcome {
        do throws(AppFileProblem) {
            var (file, digest) = (order.file, SHA256Digest?.none)
            if file == nil {
                let read = try loadAppFile(order.path, unless: order.digest)
                guard let read else { return .unchanged }
                (file, digest) = (read.file, read.digest)
            }
            guard let file else { preconditionFailure("no file was read") }
            return .loaded(
                Loaded(
                    file: file,
                    change: order.inForce.withByteView { former in
                        file.source.withByteView { source in
                            CatalogChange(
                                from: former,
                                to: file.catalog,
                                source: source,
                                kindsPerPortion: kindsPerTick
                            )
                        }
                    },
                    digest: digest,
                    credentials: order.makeReady(file.access),
                    notes: AppFileNotes(file),
                    openRole: order.allowsOpenRoles ? nil : file.openRole
                )
            )
        } catch {
            return .refused(error)
        }
    }

    /// Passes an outcome from the thread to the loop.
    private final class Result: Sendable {
        private let outcome = Mutex<Outcome?>(nil)

        func put(_ outcome: Outcome) { self.outcome.withLock { $0 = outcome } }

        func take() -> Outcome? { outcome.withLock { $0.take() } }
    }
}
