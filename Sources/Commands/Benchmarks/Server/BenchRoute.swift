import ArgumentParser
import CommandSupport
import FrameCodec
import LoadReporting

/// `bench route`: measures pushes that match one of many widgets, up to the RELOAD received.
struct BenchRoute: Benchmark {
    static let plan = BenchPlan(
        name: "route",
        what: "pushes that match one of 1,000,000 widgets",
        aim: "at most 900 ns CPU a push; times within 1.5 times",
        discussion: """
            The devices sit behind 64 gateway connections. The reference forwards each push to one \
            of 64 connections and matches nothing.

            Both cost less the more pushes are in flight, because more RELOADs then share a \
            write: compare figures of the same window only. The peers of the aim (nats-server, \
            redis, mosquitto) were measured at about 480. A CPU figure is compared with the aim \
            only if nearly every push led to a RELOAD of its own: those that coalesce are cheaper.

            `latency` is the time to the RELOAD at a fixed rate, from when a push was due, whether \
            or not earlier ones have been answered; its windows are five times as long.
            """,
        quick:
            "--seconds 0.05 --widgets 2000 --devices 1000 --publishers 1 --windows 480 --rate 500"
    )

    @OptionGroup var options: BenchOptions
    @OptionGroup var stored: BenchWidgets

    @Option(parsing: .upToNextOption, help: "Numbers of publishers to measure.")
    var publishers = [1, 16]

    @Option(
        help: "Maxima of unacknowledged pushes of all publishers together, measured one by one.",
        of: "pushes",
        parsing: .upToNextOption
    )
    var windows = [8_192, 480]

    @Option(help: "Pushes per second for the times.")
    var rate = 20_000

    func validate() throws {
        try checkNumbers(publishers, within: 1...20_000, of: "--publishers")
        try checkNumbers(windows, within: 1...BenchPublishers.windowLimit, of: "--windows")
        // A device that is pushed to again before its RELOAD arrives would get one RELOAD for both.
        try checkNumbers([rate], within: 1...stored.devices, of: "--rate")
    }

    func measure(_ run: BenchRun) throws {
        let population = try stored.population
        let sides = try [run.router(), run.reference(.relay)]
        for side in sides { try population.register(side) }
        for count in publishers {
            for window in windows {
                try measure(run, sides: sides, publishers: count, window: window)
            }
        }
        printProgress("times at \(rate) pushes a second")
        let times = try run.pushTimes(sides, population: population, rate: rate)
        run.add("latency", of: times, times: \.reloads, aim: .ratio(1.5))
    }

    private func measure(
        _ run: BenchRun,
        sides: [BenchSide],
        publishers count: Int,
        window: Int
    ) throws {
        let row = "\(count).window-\(window)"
        let (gateways, widgets) = (0..<BenchPopulation.gateways, try stored.population.widgets)
        var publishers = 0..<0
        for side in sides {
            publishers = try side.publishers(
                count,
                window: max(1, window / count),
                named: row,
                sending: .pushes(BenchApp.characterPush),
                to: { .random(of: widgets, seed: UInt64($0)) }
            )
            _ = try side.pushWindow(publishers, subscribers: gateways, seconds: run.seconds)
        }
        let router = sides[0].generator
        let before = (router.acknowledged, router.matched, router.reloads)
        let results = try run.alternate(sides) { side in
            try side.pushWindow(publishers, subscribers: gateways, seconds: run.seconds)
        }
        let (pushes, matched) = (router.acknowledged - before.0, router.matched - before.1)
        if matched != pushes {
            throw BenchFailure("\(pushes) pushes matched \(matched) widgets; each must match one")
        }
        let reloads = Double(router.reloads - before.2) / Double(max(1, pushes))
        run.add("\(row).rate", of: results, as: \.rate, unit: "pushes/s")
        let aim: BenchAim? = reloads >= 0.95 ? .value(900) : nil
        run.add("\(row).cpu", of: results, as: \.cpu, unit: "ns/push", aim: aim)
        run.add("\(row).reloads", value: reloads, unit: "per push", reference: 1)
    }
}
