package import Basics
internal import ReloadScheduling
package import StoreFormat

/// Following a log: its inputs lead to the state of the router that wrote it.
///
/// What a router has logged can be followed without an error. It is all checked nevertheless: a
/// file that was damaged must lead to an error message for the operator, not to a trap.
extension Router {
    /// Begins to follow a log; until `endFollowing` the router does nothing by itself.
    package mutating func beginFollowing() {
        precondition(!log.isOn, "the log is on: a router follows a log before it writes one")
        outbox.agenda.stop()
        outbox.frames.isKept = false
        outbox.observer.decisions = DecisionLog(perDevice: 0)
    }

    /// Applies inputs: the body of a journal record.
    ///
    /// - Throws: `corrupt`; of the body, the inputs in front of the one that is wrong are applied.
    package mutating func follow(_ body: ByteView) throws(StoreError) {
        precondition(!outbox.agenda.isKept, "follows a log between beginFollowing and endFollowing")
        var reader = InputReader()
        swap(&reader, &inputReader)
        defer {
            swap(&reader, &inputReader)
            // The router that wrote the log was the one to send the frames that result.
            outbox.framesTaken()
            outbox.toFront.evicted.removeAll(keepingCapacity: true)
            outbox.accepted.removeAll(keepingCapacity: true)
            outbox.enqueued.removeAll(keepingCapacity: true)
            _ = outbox.takeReplacedDeclarations()
        }
        reader.begin(body)
        while try reader.next({ self.follow($0) }) {}
    }

    /// Applies an input of a log. Returns what is wrong with it, as the beginning of a sentence;
    /// nil if it was applied.
    private mutating func follow(_ input: borrowing RouterInput) -> String? {
        if let problem = state.problem(with: input, charging: &outbox) { return problem }
        do throws(ProtocolError) {
            _ = try state.apply(input, admission: .logged, into: &outbox)
            return nil
        } catch {
            return "\(input.tag) was refused (\(error.message))"
        }
    }

    /// Ends following: from now on the router acts by itself. `isRestart` says that another process
    /// wrote the log, so that its sessions have ended.
    package mutating func endFollowing(isRestart: Bool = true) {
        outbox.observer.counters.pushes = APNsPushCounts()
        if isRestart { commit(.restarted) }
        // What the ended process had under way is sent again, or given up, by this one.
        let pushes = outbox.observer.counters.pushes
        for origin in state.reloads.schedules.origins.ids {
            state.reloads.schedules.origins[origin].permits = 0
        }
        state.abandonSearch()
        inputReader = InputReader()
        outbox.observer.counters = RouterCounters()
        outbox.observer.counters.pushes = pushes
        outbox.observer.appMetrics = NumberedArray(
            repeating: AppCounts(),
            count: outbox.observer.appMetrics.count
        )
        outbox.observer.kindMetrics = NumberedArray()
        outbox.observer.decisions = DecisionLog(perDevice: limits.decisionsPerDevice)
        outbox.observer.pushes = PushLog(limits)
        outbox.agenda.start(now: state.reloads.clock.schedule.now)
        outbox.frames.isKept = true
        outbox.observer.counters.reloadRequests = UInt64(state.reloads.updateAllTimers(&outbox))
        renewReportedStates()
    }
}
