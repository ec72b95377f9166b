import ArgumentParser
import FrameCodec
import Times

/// Options: how many publishers push, and how many pushes they keep in flight.
struct BenchPublishers: ParsableArguments {
    @Option(
        name: .customLong("publishers"),
        help: ArgumentHelp("Number of publishers.", valueName: "count")
    )
    var count = 16

    @Option(
        help: ArgumentHelp(
            "Maximum of unacknowledged pushes of all publishers together.",
            valueName: "pushes"
        )
    )
    var window = 8_192

    /// The highest number of unacknowledged pushes that an option may ask for.
    static var windowLimit: Int { 10_000_000 }

    func validate() throws {
        try checkNumbers([window], within: 1...Self.windowLimit, of: "--window")
        try checkNumbers([count], within: 1...min(window, 20_000), of: "--publishers")
    }
}

/// A router under load, with registered widgets and publishers that can push. `bench store` and
/// `bench record` use it.
struct BenchPushSide {
    /// The number of connections that speak for devices.
    static var gatewayCount: Int { 64 }

    let side: BenchSide
    /// The connections that speak for devices, as indices in the generator.
    let gateways: Range<Int>
    /// The connections that push.
    let publishers: Range<Int>

    /// Registers the widgets, and pushes for some time, to find the thread of the server's loop.
    ///
    /// - Parameters:
    ///   - side: a router without connections.
    ///   - population: the widgets.
    ///   - publishers: the connections that push; they pause afterwards.
    ///   - seconds: how long to push.
    /// - Throws: any error that keeps the benchmark from running.
    init(
        _ side: BenchSide,
        population: BenchPopulation,
        publishers: BenchPublishers,
        seconds: Double
    ) throws {
        self.side = side
        self.gateways = try side.generator.connect(Self.gatewayCount, as: .gateway)
        _ = try population.register(side, through: self.gateways)
        self.publishers = try side.generator.connect(
            publishers.count,
            as: .publisher,
            window: publishers.window / publishers.count
        ) {
            "bench-\($0)"
        }
        let frames = LoadGeneratorFrames.pushes(BenchApp.characterPush)
        for index in self.publishers {
            side.generator.start(
                index,
                sending: frames,
                to: .random(of: population.widgets, seed: UInt64(index)),
                count: 0
            )
        }
        try side.server.findLoop { _ = try push(seconds) }
    }

    /// Pushes for some time; `loop` is the CPU time of the loop's thread meanwhile.
    func push(_ seconds: Double) throws -> (window: BenchWindow, loop: Nanoseconds) {
        let before = side.server.loopTime
        let window = try side.pushWindow(publishers, subscribers: gateways, seconds: seconds)
        return (window, side.server.loopTime - before)
    }
}

/// The windows of one side, and the CPU time that the loop's thread used in each.
struct BenchPushWindows {
    var windows = BenchWindows()
    private var loops: [Double] = []

    mutating func add(_ window: (window: BenchWindow, loop: Nanoseconds)) {
        windows.add(window.window)
        loops.append(window.loop.inNanoseconds / Double(max(1, window.window.operations)))
    }

    /// The loop thread's CPU in ns per push; the median of the windows.
    var loop: Double { median(loops) }
}
