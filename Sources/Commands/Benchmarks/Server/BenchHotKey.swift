import ArgumentParser
import Basics
import CommandSupport
import FrameCodec
import LibuvLoop
import LoadReporting
import Platform

/// `bench hot-key`: measures a push that matches a million widgets, and how it delays other pushes.
struct BenchHotKey: Benchmark {
    static let plan = BenchPlan(
        name: "hot-key",
        what: "one push to 1,000,000 widgets, others meanwhile",
        aim: "p99 of others at most 20 ms",
        discussion: """
            All widgets wait for the same value, on devices behind 64 gateway connections; nothing \
            is spread, and no budget is kept. `last` is the time from the push to the last RELOAD. \
            Meanwhile another publisher pushes at a fixed rate payloads that match no widget: \
            `others` is the time from when such a push was due to its ACK, and its reference is \
            the same before the hot pushes.
            """,
        quick: "--seconds 0.1 --widgets 2000 --devices 200 --rate 500"
    )

    @OptionGroup var options: BenchOptions
    @OptionGroup var stored: BenchWidgets

    @Option(help: ArgumentHelp("Other pushes per second.", valueName: "pushes"))
    var rate = 5_000

    func validate() throws { try checkNumbers([rate], within: 1...100_000, of: "--rate") }

    func measure(_ run: BenchRun) throws {
        let population = try stored.population
        let side = try run.router()
        let frames = population.frames(kind: BenchApp.topic, configuration: BenchApp.topicWidget)
        let gateways = try population.register(side, frames: frames).gateways
        let hot = try side.publishers(1, named: "hot", sending: .pushes(BenchApp.topicPush))
        let connection = try side.generator.connect(1, as: .publisher) { _ in "others" }
        let others = try TimedPushes(side.generator, on: connection, rate: rate)
        try run.bench.run(for: max(.milliseconds(100), options.length))
        let quiet = others.takeTimes().acknowledgements
        var last: [Double] = []
        let windows = try (0..<run.rounds).map { _ in
            try side.measure {
                let time = try push(side, on: hot.lowerBound, reaching: gateways)
                last.append(time.inMilliseconds)
                return population.widgets
            }
        }
        let busy = others.takeTimes().acknowledgements
        others.stop()
        run.add("last", value: median(last), unit: "ms")
        run.add("cpu", of: [windows], as: \.cpu, unit: "ns/widget")
        let aims: KeyValuePairs<BenchPoint, BenchAim?> = [.p50: nil, .p99: .value(20), .max: nil]
        run.add("others", times: busy, beside: quiet, aims: aims)
    }

    /// Pushes once, and waits until all RELOADs have arrived. Returns the time to the last one.
    private func push(
        _ side: BenchSide,
        on hot: Int,
        reaching gateways: Range<Int>
    ) throws -> Nanoseconds {
        let generator = side.generator
        let (matched, start) = (generator.matched, ExactTime.now)
        var (reloads, last) = (generator.reloads, ExactTime.none)
        func observe() {
            if generator.reloads != reloads { (reloads, last) = (generator.reloads, .now) }
        }
        generator.resume(hot, count: 1)
        let connection = generator.connections[hot]
        try generator.bench.run(until: "the hot push was acknowledged") {
            observe()
            return connection.acknowledged == connection.sent
        }
        // A PONG follows all RELOADs of its connection.
        let goal = generator.pongs + gateways.count
        generator.ping(gateways)
        try generator.bench.run(until: "the last RELOAD has come") {
            observe()
            return generator.pongs >= goal
        }
        let found = generator.matched - matched
        let widgets = try stored.population.widgets
        if found != widgets { throw BenchFailure("the push matched \(found) widgets") }
        return last - start
    }
}
