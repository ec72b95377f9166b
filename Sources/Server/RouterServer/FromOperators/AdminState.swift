internal import AdminAPI
internal import Basics
internal import RouterCore
internal import RouterStore

/// What the server keeps for the requests of operators: the queue they come from, the one in
/// progress, and answers awaiting commit. `Server+Admin` works on it.
struct AdminState {
    /// An answer awaiting commit: it may leave when the journal is committed up to `position`.
    struct UncommittedAnswer {
        /// What is answered, and to whom.
        enum Content {
            case command(AdminAnswer, to: AdminMailbox.Entry)
            case pushes(PushesBody, to: Asker)
        }

        let position: UInt64
        let content: Content
        /// When the answer was made.
        let begin: MonotonicTime

        /// Sends it.
        func send() {
            switch content {
            case .command(let answer, let entry): entry.answer(answer)
            case .pushes(let body, let asker): asker.answer(body)
            }
        }

        /// Sends a problem in its place, with what a command has changed all the same.
        func fail(with problem: AdminProblem) {
            switch content {
            case .command(let answer, let entry):
                entry.answer(.problem(problem, change: answer.change))
            case .pushes(_, let asker): asker.refuse(problem)
            }
        }
    }

    /// A request that takes more than one step.
    enum Task {
        /// Lists the devices of an app, some at a time.
        case devices(DeviceWalk)
        /// Lists the dead tokens of an app, some at a time.
        case deadTokens(EndedTokenWalk)
        /// Waits until the router is not busy, and removes a device.
        case forgetDevice(String, app: String)
        /// Waits until an explanation can begin.
        case explain(ExplainRequest)
        /// Explains one widget at a time.
        case explaining(ExplainWork, of: ExplainRequest)
        /// Waits until the router can open the publisher's session.
        case push(PushRequest)
    }

    /// The time in a tick after which no further step of a request begins; one step is always done.
    static var tickTime: Nanoseconds { .microseconds(200) }
    /// The most answers awaiting commit.
    ///
    /// Beyond it, changes are refused with 503 `busy`. An answer that waits longer than
    /// `PushSessions.patience` becomes 503 `store-failing`.
    static var uncommittedLimit: Int { 64 }
    /// Devices that one step of a list examines.
    static var walkCount: Int { 4_096 }

    /// Sentences about what is for trials in the app file in force.
    var warnings: [String] = []
    /// What the app file in force declares to no effect.
    var hints: [KindHint] = []
    /// The members that its rules name.
    var members: [ExpectedMember] = []
    /// The files that SIGHUP reads again.
    var files: [RereadFile] = []
    /// Where other threads ask for the router's status.
    let snapshot: StatusSnapshot
    /// Queue of requests from other threads; nil if the admin API is off.
    var mailbox: AdminMailbox?
    /// The oldest unfinished request that takes several steps; later requests wait for it.
    var task: (entry: AdminMailbox.Entry, task: Task)?
    /// What each operator may spend of the loop's work, by the operator's group: there are no more
    /// than `WorkGroup.limit`.
    var work: [WorkGroup: WorkAccount] = [:]
    /// When the first operator has rested whose next request waits for that; nil if none does.
    var restEnd: MonotonicTime?
    /// Answers awaiting commit, in the order of their positions.
    var waiting: [UncommittedAnswer] = []
    /// The latest backup, running or ended; nil if there was none.
    var backup: BackupRun?
    /// True if an operator asked for a drain. It begins with the next sweep, when the answer has
    /// left.
    var isDrainRequested = false

    init(snapshot: StatusSnapshot) {
        self.snapshot = snapshot
    }
}
