package import ByteStorage
internal import FrameCodec
internal import PayloadFields
internal import ReloadModel
internal import ReloadScheduling
internal import RouterMetrics
package import StoreFormat
internal import StrictJSON
internal import WidgetMatching

/// Following a log: its inputs lead to the state of the router that wrote it.
///
/// What a router has logged is followed without an error; all of it is checked all the same, because
/// what is thrown here is a sentence for an operator, and a trap is not.
extension Router {
    /// Begins to follow a log; until `endFollowing` the router does nothing by itself.
    package mutating func beginFollowing() {
        precondition(!log.isOn, "a log is followed before it goes on")
        agenda.stop()
        decisions = DecisionLog(perDevice: 0)
    }

    /// Applies inputs: the body of a journal record.
    ///
    /// - Throws: `corrupt`. The router is of no use then.
    package mutating func follow(_ body: ByteView) throws(StoreError) {
        precondition(!agenda.isKept, "follows a log between beginFollowing and endFollowing")
        var reader = InputReader()
        swap(&reader, &inputReader)
        reader.begin(body)
        while try reader.next({ self.follow($0) }) {}
        swap(&reader, &inputReader)
        // What came of it was sent, or not, by the router that wrote the log.
        actionsPerformed()
        acknowledging.removeAll(keepingCapacity: true)
        enqueuedWidgets.removeAll(keepingCapacity: true)
    }

    /// Applies an input of a log.
    ///
    /// - Returns: what is wrong with it, as the begin of a sentence; nil if it was applied.
    private mutating func follow(_ input: borrowing RouterInput) -> String? {
        if let problem = problem(with: input) { return problem }
        do throws(ProtocolError) {
            _ = try apply(input, .given)
            return nil
        } catch {
            return "\(input.tag) was refused (\(error.message))"
        }
    }

    /// The log has ended; from now on the router acts by itself.
    ///
    /// - Parameter isRestart: whether another process wrote the log: its sessions have ended with it.
    package mutating func endFollowing(isRestart: Bool = true) {
        if isRestart { commit(.restarted) }
        for origin in 0..<UInt32(origins.count) { origins[origin].turns = 0 }
        abandonSearch()
        inputReader = InputReader()
        counters = RouterCounters()
        appMetrics.reset()
        decisions = DecisionLog(perDevice: limits.decisionsPerDevice)
        agenda.start(now: scheduleClock.now)
        counters.wishes = UInt64(armAll())
    }

    // MARK: - Whether an input fits the state

    /// Why an input cannot be of this state, as the begin of a sentence; nil if it can.
    private mutating func problem(with input: borrowing RouterInput) -> String? {
        switch input {
        case .clock(let time, let clock): return problem(with: time, clock)
        case .sessionOpened(_, _, let app, _):
            return Int(app) < apps.count ? nil : "there is no app \(app)"
        case .sessionEnded(let connection), .deviceFrame(let connection, _, _):
            return hasSession(connection) ? nil : "connection \(connection) has no session"
        case .deviceAttached(let connection, let device):
            if !hasSession(connection) { return "connection \(connection) has no session" }
            return delivery.isStored(device) ? nil : "there is no device \(device)"
        case .matched(let producer, let areApplied, let pushes, let matches):
            return problem(with: producer, areApplied: areApplied)
                ?? problem(with: pushes) ?? problem(with: matches, pushes)
        case .batchEnded(let producer, _, _):
            if !producers.isKnown(producer) { return "there is no producer \(producer)" }
            return isMatching && fanOuts.last?.producer != producer
                ? "another producer's batch ends" : nil
        case .timersFired(let widgets):
            for index in widgets.indices where !matcher.isStored(widgets[index]) {
                return "there is no widget \(widgets[index])"
            }
            return nil
        case .delivered(let device):
            if !delivery.isStored(device) { return "there is no device \(device)" }
            return delivery.isAttached(delivery.devices[device])
                ? nil : "nobody speaks for device \(device)"
        case .catalogInstalled(let catalog, _):
            if isFanningOut { return "an app file is installed within a fan-out" }
            return problemOfNumbers(with: catalog)
        case .portionApplied(let count):
            return count <= fanOuts.first?.count ?? -1
                ? nil : "\(count) matches are more than wait"
        case .appPaused(let app, _):
            return Int(app) < apps.count ? nil : "there is no app \(app)"
        case .slotsTaken(let kind, _):
            return Int(kind) < kinds.count ? nil : "there is no kind \(kind)"
        case .producersForgotten(let list): return problem(withForgetting: list)
        case .permitsGranted, .originsPassed, .restarted: return nil
        }
    }

    private func hasSession(_ connection: UInt32) -> Bool {
        connection < delivery.connections.end
            && delivery.connections[connection].session.phase.isEstablished
    }

    private func problem(with time: Instant, _ clock: ScheduleClock) -> String? {
        if hasClock && (time.monotonic < now.monotonic || clock.now < scheduleClock.now) {
            return "time goes back"
        }
        return time.isStorable ? nil : "a time that cannot be"
    }

    private func problem(withForgetting list: Span<UInt32>) -> String? {
        var seen: Set<UInt32> = []
        for index in list.indices {
            let producer = list[index]
            if !producers.isKnown(producer) || !seen.insert(producer).inserted {
                return "there is no producer \(producer)"
            }
            if !producers[producer].isIdle {
                return "producer \(producer) was forgotten while it was in use"
            }
        }
        return nil
    }

    // MARK: - Matches

    private func problem(with producer: UInt32, areApplied: Bool) -> String? {
        if !producers.isKnown(producer) { return "there is no producer \(producer)" }
        if isMatching && (areApplied || fanOuts.last?.producer != producer) {
            return "a batch begins within another"
        }
        if !areApplied && !isMatching && producers[producer].isFanningOut {
            return "a producer's pushes overtake each other"
        }
        return nil
    }

    private mutating func problem(with pushes: Span<MatchedPush>) -> String? {
        for index in pushes.indices {
            guard let payload = pushes[index].payload else { continue }
            do throws(ProtocolError) {
                try validate(payload)
            } catch {
                return "a payload was refused (\(error.message))"
            }
        }
        return nil
    }

    private func problem(
        with matches: Span<WidgetMatch>,
        _ pushes: Span<MatchedPush>
    ) -> String? {
        var known: UInt64 = 0
        for tag in self.pushes.indices where self.pushes[tag].isKnown { known |= 1 << UInt64(tag) }
        for index in pushes.indices { known |= 1 << UInt64(pushes[index].tag) }
        for index in matches.indices {
            let match = matches[index]
            if known & 1 << UInt64(match.tag) == 0 { return "a match is of no push" }
            if !matcher.isStored(match.widget) { return "there is no widget \(match.widget)" }
        }
        return nil
    }
}
