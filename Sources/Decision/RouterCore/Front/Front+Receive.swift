package import Basics
internal import ChangeDetection
internal import FrameCodec
internal import WidgetMatching

extension Router {
    /// Accepts the whole frames at the beginning of what a connection has received, as far as the
    /// connection's share of the tick's work allows.
    ///
    /// - Parameters:
    ///   - connection: the connection's slot.
    ///   - bytes: the bytes; valid until the method returns.
    ///   - areNew: whether some of them have just been read from the kernel, which is charged as
    ///     more work.
    ///   - isMeasured: whether `measured` follows, with what this has cost.
    ///   - now: the present time.
    /// - Returns: the number of bytes consumed; all of them if the session has ended. The rest must
    ///   be offered again: together with what comes next or, if `isPaused` or `awaitsVerdict` is
    ///   true for the connection, as soon as it is false.
    package mutating func received(
        on connection: ConnectionSlot,
        bytes: ByteView,
        areNew: Bool = true,
        isMeasured: Bool = false,
        now: Instant
    ) -> Int {
        tick(now)
        if awaitsVerdict(connection) { return 0 }
        let spentBefore = outbox.work.spent
        let spendable = spendable(by: connection)
        var offset = 0
        var frames: UInt64 = 0
        do throws(ProtocolError) {
            let maxBody = maxBody(of: connection)
            let wantsOutcomes = sessions.connections[connection].wantsOutcomes
            var next = NextFrame.checked
            while outbox.work.spent < spendable, next != .awaited,
                next == .accepted || !refuses(connection),
                let header = try FrameHeader.decode(bytes, at: offset, maxBody: maxBody)
            {
                if header.type != .push && !finishBatch(connection) { break }
                let start = offset + FrameHeader.byteCount
                let end = start + header.bodyCount
                next = try received(
                    on: connection,
                    header: header,
                    body: bytes.slice(start, to: end),
                    wantsOutcomes: wantsOutcomes
                )
                offset = next != .none ? end : bytes.count
                frames &+= 1
            }
        } catch {
            if finishBatch(connection) {
                refuse(connection, with: error)
                offset = bytes.count
            }
        }
        assert(offset <= bytes.count, "more bytes are consumed than were offered")
        if !state.fanOuts.isSearching { matchQueued() }
        outbox.work.charge(areNew ? WorkCost.read : WorkCost.look)
        outbox.work.settle(
            &sessions.connections[connection].work,
            in: sessions.connections[connection].group,
            cost: outbox.work.spent &- spentBefore,
            isMeasured: isMeasured,
            at: now.monotonic
        )
        sessions.connections[connection].frames &+= frames
        readEnded(
            connection,
            hasFrame: offset > 0,
            hasPartialFrame: offset < bytes.count && !isPaused(connection)
        )
        return offset
    }

    /// Whether the next frame is accepted.
    private enum NextFrame {
        /// The next frame is accepted without a check: the one before, such as an ordinary push,
        /// has changed nothing that could prevent it.
        case accepted
        /// The next frame is accepted if `refuses` is false for the connection.
        case checked
        /// No further frame is accepted until the driver has judged the HELLO.
        case awaited
        /// No further frame is accepted, because the session has ended.
        case none
    }

    /// The limit of the tick's work for a connection, in units of `WorkCost`: while less has been
    /// done, the connection's next frame is accepted.
    @inline(__always)
    private func spendable(by connection: ConnectionSlot) -> Int {
        if isResting(connection) { return outbox.work.spent }
        let estimate = outbox.work.estimate(
            for: sessions.connections[connection].work,
            in: sessions.connections[connection].group
        )
        return min(outbox.work.spent &+ estimate, limits.workPerTick)
    }

    /// The longest body that a connection may send, in bytes; shorter before its HELLO.
    @inline(__always)
    private func maxBody(of connection: ConnectionSlot) -> Int {
        if sessions.connections[connection].session.phase != .awaitingHello {
            return limits.maxBody
        }
        return min(limits.maxBody, RouterLimits.helloBody)
    }

    /// Matches the queued pushes before a frame of another type is accepted, because that frame may
    /// change what they match, or end the session that gets their ACK. Returns whether the frame
    /// can be accepted now; if not, it has to wait.
    private mutating func finishBatch(_ connection: ConnectionSlot) -> Bool {
        matchQueued()
        return !refuses(connection)
    }

    /// Ends a session that has sent an illegal frame.
    mutating func refuse(_ connection: ConnectionSlot, with error: ProtocolError) {
        if sessions.connections[connection].session.phase == .awaitingHello {
            sessions.awaitingHello.count -= 1
        }
        fail(connection, with: error)
    }

    /// Records when a connection's last frame came, and since when it has been sending an
    /// incomplete one.
    private mutating func readEnded(
        _ connection: ConnectionSlot,
        hasFrame: Bool,
        hasPartialFrame: Bool
    ) {
        if hasFrame {
            sessions.connections[connection].lastFrameAt = state.reloads.clock.now.monotonic
            sessions.connections[connection].pingsUnanswered = 0
            sessions.connections[connection].partialSince = .zero
        }
        if hasPartialFrame && sessions.connections[connection].partialSince == .zero {
            sessions.connections[connection].partialSince = state.reloads.clock.now.monotonic
        }
    }

    /// Handles one whole frame, whose body must stay valid until the first search of the batch has
    /// ended.
    @inline(__always)
    private mutating func received(
        on connection: ConnectionSlot,
        header: FrameHeader,
        body: ByteView,
        wantsOutcomes: Bool
    ) throws(ProtocolError) -> NextFrame {
        outbox.work.charge(WorkCost.frame)
        let input = try sessions.connections[connection].session.received(
            header,
            window: limits.window,
            jump: limits.seqJump
        )
        switch input {
        case .push:
            return receivedPush(
                on: connection,
                header: header,
                body: body,
                wantsOutcome: wantsOutcomes
            )
        case .perhapsRejectedPush:
            let producer = state.reloads.delivery.sessions[connection].producer
            if state.publishers.producers.rejections.has(header.seq, of: producer) {
                commit(.rejectionWithdrawn(producer: producer, seq: header.seq))
            }
            return receivedPush(
                on: connection,
                header: header,
                body: body,
                wantsOutcome: wantsOutcomes
            )
        case .duplicatePush:
            outbox.observer.counters.pushesDuplicate += 1
            acceptedPush(on: connection, seq: header.seq)
            if !sessions.connections[connection].wantsDuplicates { return .accepted }
            reportDuplicate(on: connection, seq: header.seq)
            return .checked
        case .hello: return receivedHello(on: connection, body: body) ? .awaited : .none
        case .ping:
            outbox.allowance.addAnswer(0)
            outbox.write(to: connection, type: .pong, seq: header.seq)
        case .pong: break
        case .attach: receivedAttach(on: connection, seq: header.seq, body: body)
        case .widgets, .timeline, .state, .request:
            receivedFromDevice(on: connection, type: header.type, seq: header.seq, body: body)
        }
        return .checked
    }

    /// Remembers that an ACK of all frames up to `seq` is due at the end of the step; see
    /// `Outbox.arrival` for the arrival of the first of them.
    @inline(__always)
    mutating func accepted(on connection: ConnectionSlot, upTo seq: UInt64, arrival: ExactTime) {
        if !sessions.connections[connection].cover(upTo: seq) {
            makeAckDue(for: connection, arrival: arrival)
        }
    }

    @inline(never)
    private mutating func makeAckDue(for connection: ConnectionSlot, arrival: ExactTime) {
        assert(sessions.connections[connection].isOpen, "the connection is closed")
        sessions.connections[connection].ackIsDue = true
        sessions.connections[connection].ackArrival = arrival
        sessions.acknowledging.append(connection)
    }

    // MARK: - Pushes

    /// Refuses a push, and remembers it for a publisher that does not get the REJECT.
    private mutating func rejectPush(
        on connection: ConnectionSlot,
        seq: UInt64,
        with error: ProtocolError
    ) {
        let producer = state.reloads.delivery.sessions[connection].producer
        commit(.pushRejected(producer: producer, seq: seq, code: error.code))
        reject(connection, seq: seq, with: error)
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

    /// Scans a push and, unless it is refused, accepts it.
    @inline(__always)
    private mutating func receivedPush(
        on connection: ConnectionSlot,
        header: FrameHeader,
        body: ByteView,
        wantsOutcome: Bool
    ) -> NextFrame {
        var payload = body
        var expiresAt = WallTime.max
        var kinds: KindNames?
        if header.flags & ~PushFlags.urgent != 0 {
            do throws(ProtocolError) {
                let parts = try PushBody(body, flags: header.flags)
                payload = parts.payload
                kinds = parts.kinds
                if let date = parts.expiresAt {
                    expiresAt = date
                    try requireMilliseconds(date, of: payload)
                }
            } catch {
                rejectPush(on: connection, seq: header.seq, with: error)
                return .checked
            }
        }
        // What the matcher knows changes only between batches.
        if intake.queued.isEmpty { intake.scanner.value.follow(state.matcher) }
        do throws(PayloadError) {
            let push = try intake.scanner.value.scan(
                app: state.reloads.delivery.sessions[connection].app,
                payload: payload,
                kinds: kinds,
                isUrgent: header.flags & PushFlags.urgent != 0,
                expiresAt: expiresAt
            )
            outbox.work.charge(intake.scanner.value.work)
            if capture.isOn { capture.record(on: connection, header: header, body: body) }
            return accept(push, on: connection, seq: header.seq, wantsOutcome: wantsOutcome)
        } catch {
            outbox.work.charge(intake.scanner.value.work)
            rejectPush(on: connection, seq: header.seq, with: ProtocolError(error))
            return .checked
        }
    }

    /// Adds a scanned push to the batch. Nothing can refuse it any more.
    @inline(__always)
    private mutating func accept(
        _ push: ScannedPush,
        on connection: ConnectionSlot,
        seq: UInt64,
        wantsOutcome: Bool
    ) -> NextFrame {
        queue(push, number: seq)
        intake.source = .producer(state.reloads.delivery.sessions[connection].producer)
        if wantsOutcome { expectOutcome(of: push, on: connection, seq: seq) }
        outbox.observer.counters.pushesAccepted += 1
        outbox.observer.appMetrics[push.app].pushes &+= 1
        acceptedPush(on: connection, seq: seq)
        if !state.matcher.isBatchFull { return wantsOutcome ? .checked : .accepted }
        matchQueued()
        return .checked
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
