internal import Basics
internal import FrameCodec
internal import ReloadScheduling
internal import StoreFormat

/// What the partitions of a store know of each other's pushes and permits.
///
///     a producer's home:   pushesAccepted ─► forwarded ─► … ─► pushesSettled
///     each partition:           └─► matched, batchEnded of `.home`: recorded, so that a push that
///                                   is forwarded once more is skipped
///
/// Also checks whether such inputs of a log fit the state. All of these functions return why one
/// does not, as the beginning of a sentence; nil if it fits.
extension ReloadState {
    /// Applies what partitions agree on.
    mutating func applyOfPartition(_ input: borrowing RouterInput) {
        switch input {
        case .pushesAccepted(let producer, let pushes):
            publishers.accept(pushes, of: producer, running: reloads.clock.running.total)
        case .pushesSettled(let number): publishers.settle(upTo: number, clock: &reloads.clock)
        case .permitsLent(let origin, let count):
            reloads.schedules.origins[origin].ledger.lend(count, at: reloads.clock.schedule.now)
        case .permitsBorrowed(let origin, let count, _):
            reloads.schedules.origins[origin].ledger.borrow(count, at: reloads.clock.schedule.now)
        default: preconditionFailure("\(input.tag) is not of several partitions alone")
        }
    }

    /// Why an input does not fit that partitions agree on.
    mutating func problemOfPartition(
        with input: borrowing RouterInput,
        charging out: inout Outbox
    ) -> String? {
        if let problem = problemOfOnlyPartition { return problem }
        switch input {
        case .pushesAccepted(let producer, let pushes):
            return problem(withAccepting: pushes, of: producer, charging: &out)
        case .pushesSettled(let number): return problem(withSettlingUpTo: number)
        case .permitsLent(let origin, let count): return problem(withLending: count, of: origin)
        case .permitsBorrowed(let origin, let count, let second):
            return problem(withBorrowing: count, of: origin, second: second)
        default: preconditionFailure("\(input.tag) is not of several partitions alone")
        }
    }

    /// Why this router cannot have got an input that only several partitions have.
    private var problemOfOnlyPartition: String? {
        partition.isOnly ? "an input of several partitions, and there is only one" : nil
    }

    func problem(withHome source: HomeProducer) -> String? {
        if let problem = problemOfOnlyPartition { return problem }
        if source.home.rawValue >= partition.count { return "there is no partition \(source.home)" }
        return reloads.catalog.apps.has(source.app) ? nil : "there is no app \(source.app)"
    }

    /// Why a push of a home cannot be recorded as the next one of the batch.
    func problem(withNumber number: UInt64, after last: UInt64, of home: PartitionID) -> String? {
        if number <= last { return "push \(number) of home \(home) comes after push \(last)" }
        return publishers.evaluated[home.index].has(number)
            ? "push \(number) of home \(home) was evaluated before" : nil
    }

    private mutating func problem(
        withAccepting pushes: Span<AcceptedPush>,
        of producer: ProducerID,
        charging out: inout Outbox
    ) -> String? {
        if pushes.isEmpty { return "no pushes are accepted" }
        if !publishers.producers.isKnown(producer) { return "there is no producer \(producer)" }
        var last = publishers.producers[producer].lastSeq
        for index in pushes.indices {
            let seq = pushes[index].seq
            if seq <= last {
                return "the push numbers of producer \(producer) go back from \(last) to \(seq)"
            }
            last = seq
            if let problem = problem(with: pushes[index], charging: &out) { return problem }
        }
        let count = UInt64(pushes.count)
        return publishers.problem(withBatchOf: producer, lastSeq: last, count: count)
    }

    /// Why a push cannot have been accepted.
    private mutating func problem(
        with push: AcceptedPush,
        charging out: inout Outbox
    ) -> String? {
        let known = PushFlags.urgent | PushFlags.expires | PushFlags.kinds
        if push.flags & ~known != 0 { return "a push has the flags \(push.flags)" }
        do throws(ProtocolError) {
            let parts = try PushBody(push.body, flags: push.flags)
            try scratch.validate(parts.payload, charging: &out)
            return nil
        } catch {
            return "a push was refused (\(error.message))"
        }
    }

    private func problem(withSettlingUpTo number: UInt64) -> String? {
        let (settled, last) = (publishers.unsettled.settled, publishers.unsettled.last)
        return number > settled && number <= last
            ? nil : "push \(number) is settled, of those from \(settled) to \(last)"
    }

    private func problem(withPermits count: Int, of origin: OriginID) -> String? {
        guard origin.index < reloads.schedules.origins.count,
            let perSecond = reloads.schedules.origins[origin].perSecond
        else { return "there is no origin \(origin) with a rate" }
        return (1...perSecond).contains(count)
            ? nil : "\(count) permits of origin \(origin), which has \(perSecond) a second"
    }

    private func problem(withLending count: Int, of origin: OriginID) -> String? {
        if let problem = problem(withPermits: count, of: origin) { return problem }
        let left = reloads.schedules.origins[origin].ledger.permits(at: reloads.clock.schedule.now)
        return count <= left ? nil : "\(count) permits are lent, and \(max(0, left)) are there"
    }

    func problem(withBorrowing count: Int, of origin: OriginID, second: UInt32) -> String? {
        let present = SlotLedger.second(of: reloads.clock.schedule.now)
        if second != present { return "permits of second \(second) are borrowed in \(present)" }
        return problem(withPermits: count, of: origin)
    }

    func problem(withRevision revision: UInt32) -> String? {
        if revision == 0 {
            return partition.isOnly ? nil : "an app file without a number, for several partitions"
        }
        if let problem = problemOfOnlyPartition { return problem }
        let former = reloads.catalog.revision
        return revision > former && revision < .max
            ? nil : "the app files' numbers go back from \(former) to \(revision)"
    }

    // MARK: - The table

    /// Writes what there is only where there are several partitions.
    func writeHomes(to writer: inout StoreWriter) {
        writer.put(reloads.catalog.revision)
        publishers.writeHomes(to: &writer)
    }

    mutating func restoreHomes(
        _ reader: inout StoreReader,
        into out: inout Outbox
    ) throws(StoreError) {
        if partition.isOnly || restoring.hasHomes {
            throw reader.corrupt("records of homes, and there are none")
        }
        restoring.hasHomes = true
        reloads.catalog.revision = try reader.read(UInt32.self)
        if reloads.catalog.revision == .max { throw reader.corrupt("an impossible number") }
        try publishers.restoreHomes(from: &reader)
        var entries = publishers.unsettled.entries(after: publishers.unsettled.settled)
        while let entry = entries.next() {
            if let problem = problem(with: entry.push, charging: &out) {
                throw reader.corrupt(problem)
            }
        }
    }
}
