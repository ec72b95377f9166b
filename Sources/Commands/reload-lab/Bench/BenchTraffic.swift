import LibuvLoop
import Platform

/// Pushes and PINGs by the clock, whatever is answered: the PINGs show how long the router's loop
/// was busy with something else.
///
/// The loop of the generator sleeps in between, so that it takes no core from the router.
final class BenchTraffic: TimerOwner {
    private let side: BenchSide
    private let publisher: Range<Int>
    private let prober: Range<Int>
    private let pings = PingTimes()
    /// Pushes a second.
    var rate: Int
    private var nextPush: Int64
    private var nextPing: Int64
    private var timer: LoopTimer?

    private static var pingInterval: Int64 { 1_000_000 }

    /// Begins to push so many a second on a connection that has been given what to push, and to
    /// send PINGs on one that has nothing else to do.
    init(_ side: BenchSide, publisher: Range<Int>, prober: Range<Int>, rate: Int) throws {
        self.side = side
        self.publisher = publisher
        self.prober = prober
        self.rate = rate
        nextPush = monotonicNanoseconds()
        nextPing = nextPush
        side.generator.pings = pings
        let timer = try LoopTimer(side.generator.bench.loop, owner: self)
        self.timer = timer
        try timer.start(afterMilliseconds: 1, repeatingMilliseconds: 1)
    }

    /// Ends, and waits for what is owed.
    func stop() throws {
        timer?.close()
        timer = nil
        try waitForAnswers()
        try side.waitForAcknowledgements()
        side.generator.pings = nil
    }

    /// Waits until no PING waits: what has kept the router until now belongs to what was before.
    func waitForAnswers() throws {
        try side.generator.bench.run(until: "the pings were answered") { [pings] in
            pings.isAllAnswered
        }
    }

    /// Forgets the PINGs that were answered before this was called last.
    func forgetEarlier() { pings.forgetEarlier() }

    /// The longest that a PING has waited since this was last asked, in ms.
    func takeLongest() -> Double { Double(pings.takeLongest()) / 1e6 }

    func timerFired(_ timer: LoopTimer) {
        let now = monotonicNanoseconds()
        let pushInterval = 1_000_000_000 / Int64(rate)
        let pushes = (now - nextPush) / pushInterval
        if pushes > 0 {
            nextPush += pushes * pushInterval
            side.generator.resume(publisher.lowerBound, count: Int(pushes))
        }
        while nextPing <= now {
            pings.sent(due: nextPing)
            side.generator.ping(prober)
            nextPing += Self.pingInterval
        }
    }
}
