internal import Basics
internal import LibuvLoop
internal import Logging
internal import RouterCore
internal import RouterStore

/// The router, with what each of its steps needs or leads to: the time, the journal, the recording,
/// and who pays for it (`Core+Work`). The server's jobs share it; of theirs it knows a payer's
/// account alone.
final class Core {
    /// The phases of the server's life, in their order.
    enum Phase {
        /// Accepts connections and input.
        case serving
        /// Accepts neither, and ends when all answers have left.
        case draining
        /// Its handles are being closed.
        case ended
    }

    let loop: Loop
    /// Wakes the loop for another tick, from any thread.
    let mailbox = LoopMailbox()
    let limits: RouterLimits
    /// What the server logs with; its level can change while the server runs.
    var logger: Logger
    var phase = Phase.serving
    var router: Router
    var clock: TickClock
    /// What commits; nil if the router has no store.
    var commits: Commits?
    /// The recording of the router's inputs; nil if they are not recorded.
    var recording: Recording?
    /// Position to which the journal must be committed before answers of this tick may leave.
    private(set) var journalEnd: UInt64 = 0
    /// Who pays for the present callback of the loop.
    var payer = CallbackPayer.none
    /// The part of the present callback for which its payer does not pay.
    var unpaidTime = Nanoseconds.zero
    /// What each operator may spend of the loop's work, by the operator's group: there are no more
    /// than `WorkGroup.limit`.
    var operators: [WorkGroup: WorkAccount] = [:]

    init(
        _ router: consuming Router,
        limits: RouterLimits,
        clock: TickClock,
        logger: Logger
    ) throws(UVError) {
        loop = try Loop()
        self.limits = limits
        self.router = router
        self.clock = clock
        self.logger = logger
    }

    /// The time of this tick; see `TickClock`.
    var now: Instant { clock.now() }

    /// Writes the router's journal and checkpoints; nil if the router has no store.
    var driver: CommitDriver? { commits?.driver }

    /// Makes sure that another tick follows even if no input arrives.
    func scheduleTick() { mailbox.wake() }

    /// Sets the present time as the arrival time of the inputs that follow.
    func setArrivalTime() {
        if let recording { router.setArrival(recording.now) }
    }

    /// Submits the inputs that the router has accepted in this tick to the store's thread.
    func submit() {
        guard let driver else { return }
        let end = driver.endTick(&router)
        assert(end >= journalEnd, "the journal has become shorter")
        journalEnd = end
    }

    /// Closes the recording and the store; says how many records could not be written.
    func close() -> UInt64 {
        recording?.close(&router, logger: logger)
        return commits?.close(logger: logger) ?? 0
    }
}
