import Basics
import LibuvLoop
import Platform

/// Sends a PING each millisecond on a connection that does nothing else: how long it waits for its
/// answer shows how long the router's loop was busy with other work.
final class PingProbe: TimerOwner {
    private let generator: LoadGenerator
    private let connection: Range<Int>
    /// When each PING was due.
    private var due: [ExactTime] = []
    /// How long each PING that has been answered has waited.
    private var waits: [Nanoseconds] = []
    private var next = ExactTime.now
    private var timer: LoopTimer?

    private static var interval: Nanoseconds { .milliseconds(1) }

    init(_ generator: LoadGenerator, on connection: Range<Int>) throws {
        self.generator = generator
        self.connection = connection
        generator.whenAnswered = { [weak self] in self?.answered() }
        timer = try LoopTimer(generator.bench.loop, owner: self)
        try timer?.start(after: .milliseconds(1), repeating: .milliseconds(1))
    }

    func timerFired(_ timer: LoopTimer) {
        let now = ExactTime.now
        while next <= now {
            due.append(next)
            generator.ping(connection)
            next += Self.interval
        }
    }

    private func answered() { waits.append(.now - due[waits.count]) }

    /// Waits for all answers.
    ///
    /// - Parameter start: since when to look.
    /// - Returns: the longest wait of those that ended since then, in ms.
    /// - Throws: `BenchFailure` if an answer does not come.
    func longest(since start: ExactTime) throws -> Double {
        try generator.bench.run(until: "the pings were answered") { [unowned self] in
            waits.count == due.count
        }
        let late = zip(due, waits).filter { $0 + $1 >= start }
        return late.map(\.1).max()?.inMilliseconds ?? 0
    }

    /// Sends no more.
    func stop() {
        timer?.close()
        timer = nil
    }
}
