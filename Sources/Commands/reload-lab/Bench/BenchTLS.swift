import ArgumentParser
import FrameCodec
import LoadReporting
import Times

/// `bench tls`: measures what TLS costs the router: a push, a delivery, a session and its end, and
/// the memory of an idle one.
struct BenchTLS: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tls",
        abstract: "What TLS costs: a push, a delivery, a session, and memory.",
        discussion: """
            The reference is the same router without TLS, loaded alternately. A session is accepted, \
            begun with HELLO and closed; one that resumes an earlier one needs no signature.
            """
    )

    @OptionGroup var options: BenchOptions

    @Option(help: "Number of devices that a push is delivered to.")
    var devices = 4_500

    @Option(help: "Number of sessions that are begun together.")
    var sessions = 1_024

    private static var publishers: Int { 16 }

    func validate() throws {
        try checkNumbers([devices], within: 1...20_000, of: "--devices")
        try checkNumbers([sessions], within: 1...20_000, of: "--sessions")
    }

    func run() throws {
        var report = BenchReport(json: options.json)
        try measurePushes(into: &report)
        try measureDeliveries(into: &report)
        for resumes in [false, true] { try measureSessions(resumes: resumes, into: &report) }
        try measureMemory(into: &report)
        report.print()
    }

    /// Runs a measurement with a router with TLS, and one without.
    private func withSides(resumes: Bool = true, body: ([BenchSide]) throws -> Void) throws {
        let bench = try BenchLoop()
        let security = try BenchSecurity(resumes: resumes)
        let secure = try BenchSide.router(bench, security: security)
        defer { secure.stop() }
        let plain = try BenchSide.router(bench)
        defer { plain.stop() }
        try withExtendedLifetime(security) { try body([secure, plain]) }
    }

    /// Pushes that match no widget, pipelined over some connections.
    private func measurePushes(into report: inout BenchReport) throws {
        try withSides { sides in
            for side in sides {
                let all = try side.generator.connect(Self.publishers, as: .publisher) {
                    "tls-\($0)"
                }
                for index in all {
                    side.generator.start(
                        index,
                        sending: .pushes(BenchApp.unmatchedPush),
                        to: .first,
                        count: 0
                    )
                }
                _ = try side.pushWindow(all, subscribers: 0..<0, seconds: options.seconds / 3)
            }
            let results = try options.alternate(sides) { side in
                try side.pushWindow(
                    0..<Self.publishers,
                    subscribers: 0..<0,
                    seconds: options.seconds
                )
            }
            report.add(
                "tls.push.cpu",
                value: results[0].cpu,
                unit: "ns/push",
                reference: results[1].cpu,
                aim: .ratio(1.15)
            )
        }
    }

    private func measureDeliveries(into report: inout BenchReport) throws {
        try withSides { sides in
            for side in sides { try BenchFanout.prepare(side, devices: devices, options: options) }
            let results = try options.alternate(sides) { side in
                try BenchFanout.rounds(side, devices: devices, seconds: options.seconds)
            }
            report.add(
                "tls.delivery.cpu",
                value: results[0].cpu,
                unit: "ns/delivery",
                reference: results[1].cpu,
                aim: .ratio(1.3)
            )
        }
    }

    private func measureSessions(resumes: Bool, into report: inout BenchReport) throws {
        try withSides(resumes: resumes) { sides in
            // The first sessions get the tickets.
            for side in sides { _ = try beginAndEnd(side, count: 1) }
            let results = try options.alternate(sides) { side in
                try side.measure { try beginAndEnd(side, count: sessions) }
            }
            let name = resumes ? "tls.session.resumed" : "tls.session.full"
            report.add(
                "\(name).cpu",
                value: results[0].cpu,
                unit: "ns/session",
                reference: results[1].cpu
            )
            report.add(
                "\(name).rate",
                value: results[0].rate,
                unit: "sessions/s",
                reference: results[1].rate
            )
        }
    }

    private func beginAndEnd(_ side: BenchSide, count: Int) throws -> Int {
        _ = try side.generator.connect(count, as: .gateway)
        try side.generator.closeAll()
        return count
    }

    /// The resident bytes of idle sessions.
    private func measureMemory(into report: inout BenchReport) throws {
        try withSides { sides in
            let bytes = try sides.map { side -> Double in
                _ = try side.generator.connect(sessions, as: .gateway)
                let before = try side.server.process.residentBytes()
                _ = try side.generator.connect(2 * sessions, as: .gateway)
                let after = try side.server.process.residentBytes()
                return Double(after - before) / Double(2 * sessions)
            }
            report.add(
                "tls.session.memory",
                value: bytes[0],
                unit: "bytes/session",
                reference: bytes[1],
                aim: .value(16_384)
            )
        }
    }
}
