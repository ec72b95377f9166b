package import DataStructures
internal import ReloadModel
internal import ReloadScheduling
internal import RouterMetrics
package import StoreFormat

/// Following a log: its inputs lead to the state of the router that wrote it.
///
/// What a router has logged is followed without an error; all of it is checked all the same, because
/// what is thrown here is a sentence for an operator, and a trap is not.
extension Router {
    /// Begins to follow a log; until `endFollowing` the router does nothing by itself.
    package mutating func beginFollowing() {
        precondition(!log.isOn, "a log is followed before it goes on")
        outbox.agenda.stop()
        outbox.frames.isKept = false
        outbox.observer.decisions = DecisionLog(perDevice: 0)
    }

    /// Applies inputs: the body of a journal record.
    ///
    /// - Throws: `corrupt`. The router is of no use then.
    package mutating func follow(_ body: ByteView) throws(StoreError) {
        precondition(!outbox.agenda.isKept, "follows a log between beginFollowing and endFollowing")
        var reader = InputReader()
        swap(&reader, &inputReader)
        reader.begin(body)
        while try reader.next({ self.follow($0) }) {}
        swap(&reader, &inputReader)
        // What came of it was sent, or not, by the router that wrote the log.
        outbox.framesTaken()
        outbox.evicted.removeAll(keepingCapacity: true)
        outbox.accepted.removeAll(keepingCapacity: true)
        outbox.enqueued.removeAll(keepingCapacity: true)
    }

    /// Applies an input of a log.
    ///
    /// - Returns: what is wrong with it, as the begin of a sentence; nil if it was applied.
    private mutating func follow(_ input: borrowing RouterInput) -> String? {
        if let problem = state.problem(with: input, &outbox) { return problem }
        do throws(ProtocolError) {
            _ = try state.apply(input, .given, &outbox)
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
        for origin in 0..<UInt32(state.origins.count) { state.origins[origin].turns = 0 }
        state.abandonSearch()
        inputReader = InputReader()
        outbox.observer.counters = RouterCounters()
        outbox.observer.appMetrics.reset()
        outbox.observer.decisions = DecisionLog(perDevice: limits.decisionsPerDevice)
        outbox.agenda.start(now: state.clock.schedule.now)
        outbox.frames.isKept = true
        outbox.observer.counters.wishes = UInt64(state.armAll(&outbox))
    }
}
