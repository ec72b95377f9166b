import LibuvLoop
import Platform
import Times

/// Sends pushes that match no widget at a fixed rate, and records how long each took from when it
/// was due to its ACK.
final class BenchSteadyPushes: TimerOwner {
    private let generator: LoadGenerator
    private let connection: LoadGeneratorConnection
    private let index: Int
    /// The number of ns between two pushes, which need not be whole.
    private let interval: Double
    /// When the pushes began.
    private let start = ExactTime.now
    /// The sequence number of the push that was due at `start`.
    private let firstSeq: UInt64
    /// The sequence number of the last push whose ACK `observe` has seen.
    private var observedSeq: UInt64
    /// How long pushes took that were acknowledged since the last `takeTimes`.
    private var times: [Nanoseconds] = []
    private var timer: LoopTimer?

    /// - Parameters:
    ///   - generator: what has the connection.
    ///   - index: the connection of a publisher that sends nothing else.
    ///   - rate: pushes per second.
    /// - Throws: errors of the system.
    init(_ generator: LoadGenerator, connection index: Int, rate: Int) throws {
        assert(rate > 0, "no push is ever due")
        self.generator = generator
        self.index = index
        interval = 1e9 / Double(rate)
        connection = generator.connections[index]
        firstSeq = connection.sent + 1
        observedSeq = connection.acknowledged
        generator.start(index, sending: .pushes(BenchApp.unmatchedPush), to: .first, count: 0)
        timer = try LoopTimer(generator.bench.loop, owner: self)
        try timer?.start(after: .milliseconds(1), repeating: .milliseconds(1))
    }

    func timerFired(_ timer: LoopTimer) {
        let due = Int((.now - start).inNanoseconds / interval) + 1
        let count = due - Int(connection.limit + 1 - firstSeq)
        // Pushes that the window has held back are still to be sent.
        let rest = Int(connection.limit - connection.sent)
        if count > 0 { generator.resume(index, count: rest + count) }
    }

    /// Records the times of pushes that have been acknowledged; must be called in every tick of the
    /// loop.
    func observe() {
        if observedSeq == connection.acknowledged { return }
        let now = ExactTime.now
        while observedSeq < connection.acknowledged {
            observedSeq += 1
            let due = Nanoseconds(rawValue: Int64(Double(observedSeq - firstSeq) * interval))
            times.append(now - start - due)
        }
    }

    /// Removes and returns the times of the pushes acknowledged since the last call.
    func takeTimes() -> [Nanoseconds] {
        defer { times.removeAll() }
        return times
    }

    /// Stops pushing, and waits for the ACKs that are missing.
    func stop() throws {
        timer?.close()
        try generator.bench.run(until: "everything was acknowledged") { [generator] in
            generator.unacknowledged == 0
        }
    }
}
