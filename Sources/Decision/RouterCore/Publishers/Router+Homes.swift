internal import Basics
internal import ChangeDetection
internal import FrameCodec
internal import ReloadScheduling
internal import WidgetMatching

/// What the partitions of a store do for each other, as inputs of one of them.
///
///     home:   accept ─► forwarded ─► settle
///     each:                └─► evaluate
///     lend ─► borrow
extension Router {
    // MARK: - Pushes

    /// Accepts pushes of a producer whose home this partition is, in the order of their sequence
    /// numbers, which must be above that of its last push; they are checked. Returns the number
    /// that the first of them gets here, and the others follow.
    ///
    /// Returns nil, and accepts none, if too many pushes are not settled
    /// (`RouterLimits.unsettledBytes`): the driver keeps them, and does not read the connection
    /// until others are.
    mutating func accept(_ pushes: Span<AcceptedPush>, of producer: ProducerID) -> UInt64? {
        assert(!partition.isOnly && !pushes.isEmpty, "nothing is to be forwarded")
        var byteCount = 0
        for index in pushes.indices { byteCount += pushes[index].body.count }
        if !state.publishers.unsettled.hasRoom(for: byteCount) { return nil }
        let first = state.publishers.unsettled.last + 1
        commit(.pushesAccepted(producer: producer, pushes: pushes))
        return first
    }

    /// Drops the pushes that this partition has accepted up to a number, because all partitions
    /// have evaluated them; nothing happens if they were dropped before.
    mutating func settle(upTo number: UInt64) {
        if number > state.publishers.unsettled.settled { commit(.pushesSettled(upTo: number)) }
    }

    /// Finds and applies the matches of pushes of one producer that its home forwards, at most
    /// `WidgetMatcher.batchLimit`, in the order of their numbers. Those that this partition has
    /// recorded before are skipped. Once all of them are evaluated, all pushes of the home up to
    /// `floor` are.
    ///
    /// If they have many matches, they become a fan-out, and the producer's next pushes wait while
    /// `isFanningOut`. If they have none, nothing is recorded.
    mutating func evaluate(
        _ pushes: Span<ForwardedPush>,
        of source: HomeProducer,
        upTo floor: UInt64
    ) {
        assert(!isFanningOut(source) && intake.queued.isEmpty, "the producer's pushes have to wait")
        precondition(pushes.count <= WidgetMatcher.batchLimit, "more pushes than a batch has")
        intake.source = .home(source)
        intake.floor = floor
        for index in pushes.indices where !isEvaluated(pushes[index].number, of: source.home) {
            enqueue(pushes[index], of: source)
        }
        matchQueued()
    }

    /// Whether a producer of a home has a fan-out, so that its next pushes have to wait.
    func isFanningOut(_ source: HomeProducer) -> Bool { state.fanOuts.has(.home(source)) }

    /// Whether a push of a home is known to be evaluated.
    func isEvaluated(_ number: UInt64, of home: PartitionID) -> Bool {
        state.publishers.evaluated[home.index].has(number)
    }

    private mutating func enqueue(_ push: ForwardedPush, of source: HomeProducer) {
        guard let parts = try? PushBody(push.body, flags: push.flags) else {
            preconditionFailure("the home has checked the push")
        }
        if intake.queued.isEmpty { intake.scanner.value.follow(state.matcher) }
        do throws(PayloadError) {
            let scanned = try intake.scanner.value.scan(
                app: source.app,
                payload: parts.payload,
                kinds: parts.kinds,
                isUrgent: push.flags & PushFlags.urgent != 0,
                expiresAt: parts.expiresAt ?? .max
            )
            outbox.work.charge(intake.scanner.value.work)
            queue(scanned, number: push.number)
        } catch {
            preconditionFailure("the front has checked the push: \(error.message)")
        }
    }

    // MARK: - Permits

    /// Lends what an origin has left of the present second, at most `wanted` permits, to another
    /// partition. Returns how many, and of which second; nil for none. The borrower gets them once
    /// this input is in the log.
    mutating func lendPermits(
        of origin: OriginID,
        atMost wanted: Int
    ) -> (count: Int, second: UInt32)? {
        assert(!partition.isOnly, "there is no other partition")
        if !state.reloads.schedules.origins[origin].hasRate { return nil }
        let now = state.reloads.clock.schedule.now
        let count = min(wanted, state.reloads.schedules.origins[origin].ledger.permits(at: now))
        if count <= 0 { return nil }
        commit(.permitsLent(origin: origin, count: count))
        return (count, SlotLedger.second(of: now))
    }

    /// Adds permits of a second that another partition has lent. Returns false, and does nothing,
    /// if that second is over: then they are lost.
    mutating func borrowPermits(_ count: Int, of origin: OriginID, second: UInt32) -> Bool {
        assert(!partition.isOnly, "there is no other partition")
        if state.problem(withBorrowing: count, of: origin, second: second) != nil { return false }
        commit(.permitsBorrowed(origin: origin, count: count, second: second))
        return true
    }
}

/// A push that a home forwards.
struct ForwardedPush {
    /// Its number at its home.
    var number: UInt64
    /// The flags of its frame; see `PushFlags`.
    var flags: UInt8
    /// The body of its frame, which has a valid payload; it stays valid until `evaluate` returns.
    var body: ByteView
}
