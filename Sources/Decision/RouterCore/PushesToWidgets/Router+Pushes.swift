internal import Basics
internal import ChangeDetection
internal import FrameCodec
internal import WidgetMatching

/// Pushes that a front has received, until their batch is matched.
extension Router {
    /// Keeps for a publisher that does not get the REJECT that a push of it is refused.
    mutating func recordRejection(
        of seq: UInt64,
        on connection: ConnectionSlot,
        because code: ErrorCode
    ) {
        let producer = state.reloads.delivery.sessions[connection].producer
        commit(.pushRejected(producer: producer, seq: seq, code: code))
    }

    /// Forgets that a push was refused, if it was, because it has come again.
    mutating func withdrawRejection(of seq: UInt64, on connection: ConnectionSlot) {
        let producer = state.reloads.delivery.sessions[connection].producer
        if state.publishers.producers.rejections.has(seq, of: producer) {
            commit(.rejectionWithdrawn(producer: producer, seq: seq))
        }
    }

    /// Counts a push that has come before. Returns whether its ACK waits for the pushes that are
    /// queued; otherwise it is due.
    mutating func receiveDuplicate(from session: FrontSession, seq: UInt64) -> Bool {
        outbox.observer.counters.pushesDuplicate += 1
        if intake.queued.isEmpty { return false }
        acceptLater(seq, from: session)
        return true
    }

    /// Makes the ACK up to `seq` due once the queued pushes have been matched.
    @inline(__always)
    private mutating func acceptLater(_ seq: UInt64, from session: FrontSession) {
        intake.unsent.session = session
        if seq > intake.unsent.lastSeq { intake.unsent.lastSeq = seq }
    }

    /// Refuses a date of a push that looks like one in another unit.
    ///
    /// - Throws: `payload-expiry`, or first what is wrong with the payload.
    private mutating func requireMilliseconds(
        _ date: WallTime,
        of payload: ByteView
    ) throws(ProtocolError) {
        let number = UInt64(date.rawValue)
        guard let unit = WallTime.misreading(of: number, now: state.reloads.clock.now.wall) else {
            return
        }
        try state.scratch.validate(payload, charging: &outbox)
        throw ProtocolError(
            .payloadExpiry,
            message: "the date at which the push expires is \(number), which looks like \(unit); "
                + "send milliseconds since 1970"
        )
    }

    /// Scans a push and, unless it is refused, accepts it. Its ACK is due once it is matched.
    /// Returns whether it was the batch's last, so that the batch has been matched.
    ///
    /// - Throws: why it is refused.
    @inline(__always)
    mutating func receivePush(
        from session: FrontSession,
        header: FrameHeader,
        body: ByteView,
        wantsOutcome: Bool
    ) throws(ProtocolError) -> Bool {
        var payload = body
        var expiresAt = WallTime.max
        var kinds: KindNames?
        if header.flags & ~PushFlags.urgent != 0 {
            let parts = try PushBody(body, flags: header.flags)
            payload = parts.payload
            kinds = parts.kinds
            if let date = parts.expiresAt {
                expiresAt = date
                try requireMilliseconds(date, of: payload)
            }
        }
        // What the matcher knows changes only between batches.
        if intake.queued.isEmpty { intake.scanner.value.follow(state.matcher) }
        do throws(PayloadError) {
            let push = try intake.scanner.value.scan(
                app: state.reloads.delivery.sessions[session.connection].app,
                payload: payload,
                kinds: kinds,
                isUrgent: header.flags & PushFlags.urgent != 0,
                expiresAt: expiresAt
            )
            outbox.work.charge(intake.scanner.value.work)
            if capture.isOn { capture.record(on: session.connection, header: header, body: body) }
            return accept(push, from: session, seq: header.seq, wantsOutcome: wantsOutcome)
        } catch {
            outbox.work.charge(intake.scanner.value.work)
            throw ProtocolError(error)
        }
    }

    /// Adds a scanned push to the batch. Nothing can refuse it any more.
    @inline(__always)
    private mutating func accept(
        _ push: ScannedPush,
        from session: FrontSession,
        seq: UInt64,
        wantsOutcome: Bool
    ) -> Bool {
        let producer = state.reloads.delivery.sessions[session.connection].producer
        queue(push, number: seq)
        intake.source = .producer(producer)
        if wantsOutcome { expectOutcome(of: push, from: session, seq: seq) }
        outbox.observer.counters.pushesAccepted += 1
        outbox.observer.appMetrics[push.app].pushes &+= 1
        acceptLater(seq, from: session)
        if !state.matcher.isBatchFull { return false }
        matchQueued()
        return true
    }

    /// Adds a scanned push to the batch, with its sequence number or its number at its home.
    @inline(__always)
    mutating func queue(_ push: ScannedPush, number: UInt64) {
        state.matcher.enqueue(push, tag: UInt32(intake.queued.count))
        outbox.work.charge(state.matcher.enqueueWork)
        let isExpired = push.expiresAt <= state.reloads.clock.now.wall
        let hasFields = !isExpired && state.reloads.fields.catalog.hasFields(of: push.app)
        // Charged for reading the fields, which is done if the push matches.
        if hasFields { outbox.work.charge(push.payload.count &* WorkCost.scannedByte) }
        intake.queued.append(
            PushIntake.Push(
                isUrgent: push.isUrgent,
                isExpired: isExpired,
                expiresAt: push.expiresAt,
                payload: hasFields ? push.payload : nil,
                seq: number,
                reloadsBefore: state.reloads.numbers.reload
            )
        )
    }
}

extension ProtocolError {
    /// The error for a payload that the scanner refused.
    init(_ error: PayloadError) {
        switch error {
        case .json(let json): self.init(json)
        case .tooManyProbes: self.init(.payloadCombinations, message: error.message)
        case .textCost: self.init(.patternCost, message: error.message)
        }
    }
}
