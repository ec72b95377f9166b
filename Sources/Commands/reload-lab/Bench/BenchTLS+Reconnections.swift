import CommandSupport
import FrameCodec
import LoadReporting
import Platform
import Times

/// What others notice when all devices come back at once, such as after a failure of the network.
extension BenchTLS {
    /// What was measured of one return of all devices.
    private struct Return {
        /// How long pushes took before, and meanwhile.
        var quiet: [Nanoseconds]
        var busy: [Nanoseconds]
        /// From the first connection to the last WELCOME, in s.
        var seconds: Double
        /// The number of connections that the server has ended, so that their devices had to come
        /// again.
        var ended: Double
    }

    /// Cuts the connections of all devices, and lets them reconnect at once.
    func measureReconnections(resumes: Bool, into report: inout BenchReport) throws {
        let name = "tls.reconnect.\(resumes ? "resumed" : "full")"
        let security = try BenchSecurity()
        try withServers([.router(security), .reference(.relay, security)]) { sides in
            var results: [[Return]] = sides.map { _ in [] }
            for side in sides {
                _ = try side.generator.connect(1, as: .publisher) { _ in "reconnect" }
            }
            for number in 1...options.windows {
                for (index, side) in sides.enumerated() {
                    printProgress("\(name), \(number) of \(options.windows)")
                    results[index].append(try reconnect(side, resumes: resumes))
                }
            }
            for (row, times) in [("quiet", \Return.quiet), ("others", \Return.busy)] {
                for (point, part) in [("p50", 0.5), ("p99", 0.99)] {
                    add("\(name).\(row).\(point)", of: results, unit: "ms", into: &report) {
                        quantile(part, of: $0[keyPath: times]) / 1e6
                    }
                }
            }
            add("\(name).time", of: results, unit: "s", into: &report) { $0.seconds }
            add("\(name).ended", of: results, unit: "connections", into: &report) { $0.ended }
        }
    }

    private func add(
        _ name: String,
        of results: [[Return]],
        unit: String,
        into report: inout BenchReport,
        value: (Return) -> Double
    ) {
        let values = results.map { median($0.map(value)) }
        report.add(name, value: values[0], unit: unit, reference: values[1])
    }

    private func reconnect(_ side: BenchSide, resumes: Bool) throws -> Return {
        let bench = side.generator.bench
        // The devices are another process, so that they do not delay the reading of ACKs here.
        let devices = try BenchReconnect.start(
            side.server.port,
            devices: allowed(reconnecting, share: 1),
            resumes: resumes,
            isReference: side.generator.wire != .router
        )
        defer { devices.stop() }
        if devices.line != "connected" { throw BenchFailure("bench reconnect: \(devices.line)") }
        let others = try BenchSteadyPushes(side.generator, connection: 0, rate: rate)
        try observe(others, on: bench, for: .milliseconds(100)) { false }
        _ = others.takeTimes()
        try observe(others, on: bench, for: options.length) { false }
        let quiet = others.takeTimes()
        devices.endInput()
        try observe(others, on: bench, for: .seconds(120)) { devices.hasOutput }
        let busy = others.takeTimes()
        try others.stop()
        let line = devices.readLine()
        let numbers = line.split(separator: " ").compactMap { Double($0) }
        if numbers.count != 2 { throw BenchFailure("bench reconnect: \(line)") }
        return Return(quiet: quiet, busy: busy, seconds: numbers[0], ended: numbers[1])
    }

    /// Records the times of pushes for a while, or until a condition holds.
    private func observe(
        _ others: BenchSteadyPushes,
        on bench: BenchLoop,
        for length: Nanoseconds,
        until isDone: @escaping () -> Bool
    ) throws {
        let end = ExactTime.now + length
        try bench.run(until: "the devices were back", within: length.inSeconds + 60) {
            others.observe()
            return ExactTime.now >= end || isDone()
        }
    }
}
