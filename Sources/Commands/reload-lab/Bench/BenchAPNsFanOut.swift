import APNsMock
import ArgumentParser
import LoadReporting
import Platform
import Times

/// `bench apns-fan-out`: measures one push that reaches very many devices by APNs.
struct BenchAPNsFanOut: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apns-fan-out",
        abstract: "One push to 100,000 devices without a session, which APNs reaches.",
        discussion: """
            This process plays APNs; the router pushes to it over HTTP/2 without TLS. `time` is \
            from the push of the publisher to the last accepted request.

            `capped`: the kind has an origin that can answer as many requests a second as --cap \
            says; `busiest` is the most accepted requests in a second of the router's clock, \
            `stretch` within any second, which may be across two of these, and the reference of \
            `time` is how long that many take at that rate. `uncapped`: without an origin; \
            `others` is the time to the ACK of pushes that match no widget, once a ms and from \
            another thread than APNs, and its reference is the same before. `outage`: APNs is away when the push comes, for as long \
            as --outage says; `memory` is what the router gains meanwhile, beyond what it has \
            once all pushes are pending, `wait` is from the return of APNs to the first accepted \
            request, `time` from that to the last. `silence`: from a tenth of the devices on, APNs \
            leaves all requests without an answer, for as long, and `time` is from the end of that; \
            if that is more than 8 s, some pushes may wait for 20 minutes more. `kill`: \
            the router, which has a store, is killed once half of the devices are reached, and \
            started again; the reference of `duplicates` is how many requests were under way then, \
            or had an answer that was not in its journal. A device without an accepted request is \
            an error, and no figure.
            """
    )

    @OptionGroup var rounds: BenchRounds

    @Option(help: "Number of devices, each with a widget.")
    var devices = 100_000

    @Option(help: ArgumentHelp("The origin's capacity.", valueName: "requests/s"))
    var cap = 5_000

    @Option(help: ArgumentHelp("How long APNs is away.", valueName: "seconds"))
    var outage = 60.0

    @Option(
        help: ArgumentHelp("Folder for the store of the router that is killed."),
        completion: .directory
    )
    var folder = "/var/tmp"

    func validate() throws {
        try checkNumbers([devices], within: 100...1_000_000, of: "--devices")
        try checkNumbers([cap], within: 10...1_000_000, of: "--cap")
        if !(0.1...86_400).contains(outage) {
            throw ValidationError("--outage is \(outage); it must be from 0.1 to 86400")
        }
    }

    func run() throws {
        var report = BenchReport(json: rounds.json)
        try measureCapped(&report)
        let time = try measureUncapped(&report)
        try measureOutage(&report, uncapped: time)
        try measureSilence(&report)
        try measureKill(&report)
        report.print()
    }

    // MARK: - The rows

    private func measureCapped(_ report: inout BenchReport) throws {
        let run = try APNsFanOutRun(devices: devices, cap: cap)
        defer { run.stop() }
        printProgress("\(devices) pushes, at most \(cap) a second")
        let start = try run.push()
        try run.waitForAll(within: 60 + 4 * Double(devices) / Double(cap))
        report.add(
            "apns-fan-out.capped.time",
            value: (run.tally.lastAccepted - start).inSeconds,
            unit: "s",
            reference: Double(devices) / Double(cap)
        )
        report.add(
            "apns-fan-out.capped.busiest",
            value: Double(run.tally.busiestSecond),
            unit: "pushes/s",
            reference: Double(cap),
            aim: .ratio(1)
        )
        report.add(
            "apns-fan-out.capped.stretch",
            value: Double(run.tally.busiestStretch),
            unit: "pushes/s",
            reference: Double(cap)
        )
        try run.waitForRest()
        Self.addDuplicates(run.tally.duplicateCount, of: "capped", to: &report)
    }

    private func measureUncapped(_ report: inout BenchReport) throws -> Double {
        var (times, costs): ([Double], [Double]) = ([], [])
        var (quiet, busy): ([Nanoseconds], [Nanoseconds]) = ([], [])
        var duplicates = 0
        for round in 1...rounds.count(otherwise: 3) {
            let run = try APNsFanOutRun(devices: devices, cap: nil)
            defer { run.stop() }
            printProgress("\(devices) pushes, round \(round)")
            let others = BenchOtherPushes(port: run.router.port, rate: 1_000)
            try run.bench.run(for: .milliseconds(500))
            _ = try others.takeTimes()
            try run.bench.run(for: .seconds(2))
            quiet += try others.takeTimes()
            let cpu = run.router.process.cpuTime
            let start = try run.push()
            try run.waitForAll(within: 600)
            costs.append(
                (run.router.process.cpuTime - cpu).inSeconds * 1e6 / Double(devices)
            )
            times.append((run.tally.lastAccepted - start).inSeconds)
            busy += try others.takeTimes()
            try others.stop()
            try run.waitForRest()
            duplicates += run.tally.duplicateCount
        }
        report.add("apns-fan-out.uncapped.time", value: median(times), unit: "s")
        report.add("apns-fan-out.uncapped.cpu", value: median(costs), unit: "µs/push")
        let points: [(String, Double, BenchAim?)] = [("p99", 0.99, .value(20)), ("max", 1, nil)]
        for (name, point, aim) in points {
            report.add(
                "apns-fan-out.uncapped.others.\(name)",
                value: quantile(point, of: busy) / 1e6,
                unit: "ms",
                reference: quantile(point, of: quiet) / 1e6,
                aim: aim
            )
        }
        Self.addDuplicates(duplicates, of: "uncapped", to: &report)
        return median(times)
    }

    private func measureOutage(_ report: inout BenchReport, uncapped time: Double) throws {
        let run = try APNsFanOutRun(devices: devices, cap: nil)
        defer { run.stop() }
        run.takeAPNsAway()
        try run.push()
        let before = try run.router.process.residentBytes()
        printProgress("\(devices) pushes are pending for \(outage) s")
        try run.bench.run(for: Nanoseconds(seconds: outage))
        let gained = try run.router.process.residentBytes() - before
        let start = ExactTime.now
        try run.bringAPNsBack()
        // The router tries to connect once a minute at the latest.
        try run.waitForAll(within: 600)
        report.add(
            "apns-fan-out.outage.memory",
            value: Double(gained) / Double(devices),
            unit: "bytes/device",
            aim: .value(16)
        )
        report.add(
            "apns-fan-out.outage.wait",
            value: (run.tally.firstAccepted - start).inSeconds,
            unit: "s",
            aim: .value(60)
        )
        report.add(
            "apns-fan-out.outage.time",
            value: (run.tally.lastAccepted - run.tally.firstAccepted).inSeconds,
            unit: "s",
            reference: time
        )
        try run.waitForRest()
        Self.addDuplicates(run.tally.duplicateCount, of: "outage", to: &report)
    }

    private func measureSilence(_ report: inout BenchReport) throws {
        let run = try APNsFanOutRun(devices: devices, cap: nil)
        defer { run.stop() }
        let before = try run.router.process.residentBytes()
        try run.push()
        try run.silenceAPNs(for: outage, afterAccepted: devices / 10)
        printProgress("APNs does not answer for \(outage) s")
        try run.bench.run(for: Nanoseconds(seconds: outage))
        let gained = try run.router.process.residentBytes() - before
        let start = ExactTime.now
        // A push that has no answer twice is sent again after 20 minutes at the latest.
        try run.waitForAll(within: 1_500)
        report.add(
            "apns-fan-out.silence.memory",
            value: Double(gained) / Double(devices),
            unit: "bytes/device"
        )
        report.add(
            "apns-fan-out.silence.time",
            value: max(.zero, run.tally.lastAccepted - start).inSeconds,
            unit: "s"
        )
        try run.waitForRest()
        Self.addDuplicates(run.tally.duplicateCount, of: "silence", to: &report)
    }

    private func measureKill(_ report: inout BenchReport) throws {
        let folder = try BenchFolder(in: folder)
        // Answers take as long as over a network, so that some are always under way.
        var settings = MockSettings()
        settings.delay = .milliseconds(20)
        settings.streams = 100
        let run = try APNsFanOutRun(
            devices: devices,
            cap: nil,
            store: BenchStoreSettings(folder: folder("store")),
            settings: settings
        )
        defer { run.stop() }
        printProgress("\(devices) pushes, and a kill")
        let start = try run.push()
        let underWay = try run.killRouter(afterAccepted: devices / 2)
        try run.startRouter()
        try run.waitForAll(within: 600)
        report.add(
            "apns-fan-out.kill.time",
            value: (run.tally.lastAccepted - start).inSeconds,
            unit: "s"
        )
        try run.waitForRest()
        report.add(
            "apns-fan-out.kill.duplicates",
            value: Double(run.tally.duplicateCount),
            unit: "pushes",
            reference: Double(underWay),
            aim: .ratio(1)
        )
    }

    /// A push that comes a second time is a mistake, unless the router was killed.
    private static func addDuplicates(_ count: Int, of row: String, to report: inout BenchReport) {
        report.add(
            "apns-fan-out.\(row).duplicates",
            value: Double(count),
            unit: "pushes",
            aim: .value(0)
        )
    }
}
