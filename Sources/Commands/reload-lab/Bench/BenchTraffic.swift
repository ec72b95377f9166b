import LibuvLoop
import Platform
import Times

/// Sends pushes and PINGs at fixed rates that do not depend on the answers. The PINGs show how long
/// the router's loop was busy with other work.
///
/// The generator's loop sleeps in between, so that it takes no core from the router.
final class BenchTraffic: TimerOwner {
    private let side: BenchSide
    private let publisher: Range<Int>
    private let prober: Range<Int>
    private let pings = PingTimes()
    /// Pushes per second.
    var rate: Int
    private var nextPush: ExactTime
    private var nextPing: ExactTime
    private var timer: LoopTimer?

    /// The time between two PINGs.
    private static var pingInterval: Nanoseconds { .milliseconds(1) }

    /// Starts pushing on a connection whose frames have been set with `LoadGenerator.start`, and
    /// sending PINGs on another that does nothing else.
    init(_ side: BenchSide, publisher: Range<Int>, prober: Range<Int>, rate: Int) throws {
        self.side = side
        self.publisher = publisher
        self.prober = prober
        self.rate = rate
        nextPush = ExactTime.now
        nextPing = nextPush
        side.generator.pings = pings
        let timer = try LoopTimer(side.generator.bench.loop, owner: self)
        self.timer = timer
        try timer.start(after: .milliseconds(1), repeating: .milliseconds(1))
    }

    /// Stops, and waits for all answers.
    func stop() throws {
        assert(timer != nil, "the traffic has been stopped before")
        timer?.close()
        timer = nil
        try waitForAnswers()
        try side.waitForAcknowledgements()
        side.generator.pings = nil
    }

    /// Waits until all PINGs are answered, so that an earlier delay is not counted in what follows.
    func waitForAnswers() throws {
        try side.generator.bench.run(until: "the pings were answered") { [pings] in
            pings.isAllAnswered
        }
    }

    /// Makes `takeLongest` leave out PINGs that were answered before the previous call of this
    /// method.
    func forgetEarlier() { pings.forgetEarlier() }

    /// Returns the longest time that a PING has waited since the previous call, in ms, without
    /// those that `forgetEarlier` leaves out.
    func takeLongest() -> Double { pings.takeLongest().inMilliseconds }

    func timerFired(_ timer: LoopTimer) {
        let now = ExactTime.now
        let pushInterval = Nanoseconds.seconds(1) / Int64(rate)
        let pushes = (now - nextPush) / pushInterval
        if pushes > 0 {
            nextPush += pushInterval * pushes
            side.generator.resume(publisher.lowerBound, count: Int(pushes))
        }
        while nextPing <= now {
            pings.sent(due: nextPing)
            side.generator.ping(prober)
            nextPing += Self.pingInterval
        }
    }
}
