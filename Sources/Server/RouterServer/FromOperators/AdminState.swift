internal import AdminAPI
internal import Basics
internal import RouterCore
internal import RouterStore

/// What the server keeps for the requests of operators: the queue they come from, the one in
/// progress, who has to wait, and answers awaiting commit. `Server+Admin` works on it.
struct AdminState {
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
    /// Devices that one step of a list examines.
    static var walkCount: Int { 4_096 }

    /// Where other threads ask for the router's status.
    let snapshot: StatusSnapshot
    /// Queue of requests from other threads; nil if the admin API is off.
    var mailbox: AdminMailbox?
    /// The oldest unfinished request that takes several steps; later requests wait for it.
    var task: (entry: AdminMailbox.Entry, task: Task)?
    /// When the first operator has rested whose next request waits for that; nil if none does.
    var restEnd: MonotonicTime?
    /// The latest backup, running or ended; nil if there was none.
    var backup: BackupRun?
    /// True if an operator asked for a drain. It begins with the next sweep, when the answer has
    /// left.
    var isDrainRequested = false

    init(snapshot: StatusSnapshot) { self.snapshot = snapshot }
}
