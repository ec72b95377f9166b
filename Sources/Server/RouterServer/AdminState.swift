internal import AdminAPI
internal import RouterCore
internal import RouterStore

/// What the server keeps for requests of its operators.
struct AdminState {
    /// An answer that leaves when the journal is committed up to a position.
    struct HeldAnswer {
        let position: UInt64
        let entry: AdminDoor.Entry
        let answer: AdminAnswer
        /// When it began to wait, in ms of the monotonic clock.
        let begin: Int64
    }

    /// A request that takes more than one look at the router.
    enum Task {
        case devices(DeviceWalk)
        case explain(ExplainRequest)
        case explaining(ExplainWork)
        /// Waits until a session can be opened.
        case push(PushRequest)
    }

    /// Turns carry out requests for so long, in ns; at least one step of one.
    static var turnTime: Int64 { 200_000 }
    /// Answers that may wait for the store.
    ///
    /// Beyond: 503 `busy`. One that waits for as long as pushes may is 503 `store-failing`.
    static var heldLimit: Int { 64 }
    /// Devices that a step of a list looks at.
    static var walkCount: Int { 4_096 }

    /// Where other threads ask how the router does.
    let board: StatusBoard
    /// Nil if nobody can ask.
    var door: AdminDoor?
    /// What the first request is about that is not done; the next ones wait for it.
    var task: (entry: AdminDoor.Entry, task: Task)?
    /// In the order of their positions.
    var held: [HeldAnswer] = []
    var pushes = PushSessions()
    /// Publishers of paused apps that are not read from; perhaps gone by now.
    var pausedSlots: [UInt32] = []
    var backup: BackupRun?
    /// Whether a drain begins with the next sweep: by then its answer has left.
    var drainIsAsked = false

    init(board: StatusBoard) {
        self.board = board
    }
}
