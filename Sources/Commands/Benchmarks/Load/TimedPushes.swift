import Basics
import FrameCodec
import LibuvLoop
import LoadReporting
import Platform

/// Pushes at a fixed rate that does not depend on the answers, on one connection after the other,
/// and records how long each push took from when it was due to its ACK and, if devices are pushed
/// to in turn, to its RELOAD. If the window or a busy machine delays a push, its time still counts
/// from when it was due.
final class TimedPushes: TimerOwner {
    /// How long pushes took.
    struct Times {
        var acknowledgements: [Nanoseconds] = []
        var reloads: [Nanoseconds] = []
    }

    let generator: LoadGenerator
    private let connections: Range<Int>
    /// The sequence number of each connection's first push.
    private let first: [UInt64]
    /// The number of devices that are pushed to in turn; 0 for other pushes.
    private let devices: Int
    /// The number of ns between two pushes, which need not be whole.
    private let interval: Double
    /// When the first push was due.
    private let start: ExactTime
    private let limit: Int
    /// The number of pushes that have been due.
    private var pushed = 0
    private var times = Times()
    private var timer: LoopTimer?

    /// Begins to push, at a rate of all connections together, which are of publishers that send
    /// nothing else. If there are `devices`, the pushes of a single connection are for them in
    /// turn. At most `limit` are sent; the targets of a connection are by its index.
    init(
        _ generator: LoadGenerator,
        on connections: Range<Int>,
        rate: Int,
        frames: LoadGeneratorFrames = .pushes(BenchApp.unmatchedPush),
        devices: Int = 0,
        limit: Int = .max,
        targets: (Int) -> LoadGeneratorTargets = { _ in .first }
    ) throws {
        assert(rate > 0 && !connections.isEmpty, "no push is ever due")
        assert(devices == 0 || connections.count == 1, "the order of RELOADs is not known")
        self.generator = generator
        self.connections = connections
        self.devices = devices
        self.limit = limit
        interval = 1e9 / Double(rate)
        first = connections.map { generator.connections[$0].sent + 1 }
        start = ExactTime.now + .milliseconds(1)
        for index in connections {
            generator.start(index, sending: frames, to: targets(index), count: 0)
        }
        generator.whenAcknowledged = { [weak self] in self?.acknowledged($0, count: $1) }
        if devices > 0 { generator.whenReloaded = { [weak self] in self?.received($0) } }
        timer = try LoopTimer(generator.bench.loop, owner: self)
        try timer?.start(after: .milliseconds(1), repeating: .milliseconds(1))
    }

    func timerFired(_ timer: LoopTimer) { send() }

    /// Sends what is due. The timer does so each millisecond; a loop that spins may do so earlier.
    func send() {
        let now = ExactTime.now
        if now < start { return }
        let end = min(limit, Int((now - start).inNanoseconds / interval) + 1)
        // On a single connection, those that are due together share a write.
        let step = connections.count == 1 ? max(1, end - pushed) : 1
        while pushed < end {
            generator.resume(connections.lowerBound + pushed % connections.count, count: step)
            pushed += step
        }
    }

    private func due(_ push: Int) -> ExactTime {
        start + Nanoseconds(rawValue: Int64(Double(push) * interval))
    }

    private func acknowledged(_ index: Int, count: Int) {
        if count == 0 || !connections.contains(index) { return }
        let (now, last) = (ExactTime.now, generator.connections[index].acknowledged)
        let position = index - connections.lowerBound
        for seq in last + 1 - UInt64(count)...last where seq >= first[position] {
            let push = Int(seq - first[position]) * connections.count + position
            times.acknowledgements.append(now - due(push))
        }
    }

    /// Records a RELOAD; finds its push by its number or, of a router, by the device it names.
    private func received(_ reload: ByteView) {
        let now = ExactTime.now
        if generator.wire == .forwarding {
            let seq = reload.bigEndian(UInt64.self, at: 8)
            times.reloads.append(now - due(Int(seq - first[0])))
            return
        }
        // {"device":"d-000123",…
        var device = 0
        let digits = FrameHeader.byteCount + 13
        for offset in digits..<digits + 6 { device = device * 10 + Int(reload[offset] & 15) }
        let last = pushed - 1
        times.reloads.append(now - due(last - (last % devices + devices - device) % devices))
    }

    /// Removes and returns the times recorded since the last call.
    func takeTimes() -> Times {
        defer { times = Times() }
        return times
    }

    /// True once every push has led to a RELOAD, and is acknowledged.
    var isDone: Bool { times.reloads.count == limit && generator.unacknowledged == 0 }

    func stop() {
        timer?.close()
        timer = nil
        generator.whenAcknowledged = nil
        generator.whenReloaded = nil
    }
}

extension BenchRun {
    /// Pushes at a fixed rate to one widget of each device in turn, in windows that are five times
    /// as long as others. The loop does not sleep meanwhile, so that no push is late.
    func pushTimes(
        _ sides: [BenchSide],
        population: BenchPopulation,
        rate: Int
    ) throws -> [[TimedPushes.Times]] {
        let publishers = try sides.map {
            try $0.generator.connect(1, as: .publisher) { _ in "times" }
        }
        bench.isSpinning = true
        defer { bench.isSpinning = false }
        func push(_ side: Int, seconds: Double) throws -> TimedPushes.Times {
            let pushes = try TimedPushes(
                sides[side].generator,
                on: publishers[side],
                rate: rate,
                frames: .pushes(BenchApp.characterPush, scale: population.widgetsPerDevice),
                devices: population.devices,
                limit: Int(seconds * Double(rate)),
                targets: { _ in .cycle(through: population.devices) }
            )
            defer { pushes.stop() }
            try bench.run(until: "every push led to a RELOAD", within: seconds + 10) {
                pushes.send()
                return pushes.isDone
            }
            return pushes.takeTimes()
        }
        for side in sides.indices { _ = try push(side, seconds: seconds / 3) }
        return try alternate(Array(sides.indices)) { try push($0, seconds: seconds * 5) }
    }

    /// Adds the medians of the windows' percentiles, in µs, beside those of the reference.
    func add(
        _ row: String,
        of sides: [[TimedPushes.Times]],
        times: KeyPath<TimedPushes.Times, [Nanoseconds]>,
        aim: BenchAim? = nil
    ) {
        for point in [BenchPoint.p50, .p99] {
            let values = sides.map { windows in
                median(windows.map { quantile(point.rawValue, of: $0[keyPath: times]) / 1_000 })
            }
            add("\(row).\(point)", value: values[0], unit: "µs", reference: values[1], aim: aim)
        }
    }
}

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

    /// Waits for all answers, and returns the longest wait of those that ended since then, in ms.
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
