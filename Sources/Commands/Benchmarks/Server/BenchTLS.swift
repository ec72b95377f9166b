import ArgumentParser
import CommandSupport
import Cryptography
import FrameCodec
import LibuvLoop
import LoadReporting

/// `bench tls`: measures what TLS costs: a push, a delivery, a session and its end, and the memory
/// of an idle one.
struct BenchTLS: Benchmark {
    static let plan = BenchPlan(
        name: "tls",
        what: "pushes, deliveries and sessions with TLS",
        aim: "CPU within 1.15 times, 1.3 a delivery; 16 KiB",
        discussion: """
            The reference is a server in C with OpenSSL on libuv. In the rows whose names end with \
            plain, it is the same server without TLS: the router or, in the rows named reference, \
            the server in C. A frame is a push that is only acknowledged, as in `bench frames`; \
            the router scans the others. A session is accepted, begun with HELLO and closed; its \
            rate is that of server and client together, which have a core each.
            """,
        quick: "--seconds 0.05 --devices 50 --sessions 64"
    )

    @OptionGroup var options: BenchOptions

    @Option(help: "Number of devices that a push is delivered to.")
    var devices = 9_000

    @Option(help: "Number of sessions that are begun together.")
    var sessions = 1_024

    func validate() throws {
        try checkNumbers([devices], within: 1...20_000, of: "--devices")
        try checkNumbers([sessions], within: 1...20_000, of: "--sessions")
    }

    func measure(_ run: BenchRun) throws {
        try measurePushes(run)
        try measureDeliveries(run)
        try measureSessions(run)
        try measureMemory(run)
    }

    /// Pushes that match no widget, pipelined over some connections.
    private func measurePushes(_ run: BenchRun) throws {
        printProgress("pushes")
        let security = try BenchSecurity()
        let sides = try [
            run.router(security: security), run.router(),
            run.reference(.acknowledge, security: security), run.reference(.acknowledge),
        ]
        let pushes = try FrameLoad(connections: 16, isChecked: true, name: "tls")
            .measure(Array(sides[..<2]), in: run)
        run.add("push.plain", of: pushes, as: \.cpu, unit: "ns/push", aim: .ratio(1.15))
        let frames = try FrameLoad(connections: 16, isChecked: false, name: "tls")
            .measure(sides, in: run)
        let rows: [(String, Int, Int, BenchAim?)] = [
            ("cpu", 0, 2, .ratio(1.15)), ("plain", 0, 1, nil), ("reference.plain", 2, 3, nil),
        ]
        for (row, value, reference, aim) in rows {
            let pair = [frames[value], frames[reference]]
            run.add("frame.\(row)", of: pair, as: \.cpu, unit: "ns/frame", aim: aim)
        }
    }

    /// One push at a time to many devices, each on its own connection. Two servers are measured at
    /// once, because each connection needs a descriptor of this process.
    private func measureDeliveries(_ run: BenchRun) throws {
        let security = try BenchSecurity()
        let load = FanoutLoad(devices: connectionsAllowed(devices, share: 2))
        func add(_ row: String, sides: [BenchSide], aim: BenchAim? = nil) throws {
            printProgress("deliveries to \(load.devices) devices, \(row)")
            let results = try load.measure(sides, in: run)
            run.add("delivery.\(row)", of: results, as: \.cpu, unit: "ns/delivery", aim: aim)
            run.stopServers()
        }
        run.stopServers()
        let router = { try run.router(security: security) }
        let reference = { try run.reference(.fanout, security: security) }
        try add("cpu", sides: [router(), reference()], aim: .ratio(1.15))
        try add("plain", sides: [router(), run.router()], aim: .ratio(1.3))
        try add("reference.plain", sides: [reference(), run.reference(.fanout)])
    }

    // MARK: - Sessions

    /// Begins and ends sessions: with a signature of the server, with a ticket instead, and with
    /// certificates of both sides.
    private func measureSessions(_ run: BenchRun) throws {
        let kinds = [("full", false, false), ("resumed", true, false), ("mutual", false, true)]
        for (name, resumes, isMutual) in kinds {
            printProgress("sessions, \(name)")
            // One for each server, whose tickets the other one does not know.
            let security = try (0..<2).map { _ in
                try BenchSecurity(resumes: resumes, isMutual: isMutual)
            }
            let sides = try [
                run.router(security: security[0]), run.reference(.relay, security: security[1]),
            ]
            // The first sessions get the tickets.
            for side in sides { _ = try beginAndEnd(side, count: 1, resumes: false) }
            let results = try run.alternate(sides) { side in
                try side.measure { try beginAndEnd(side, count: sessions, resumes: resumes) }
            }
            run.add("session.\(name).cpu", of: results, as: { $0.cpu / 1_000 }, unit: "µs/session")
            run.add("session.\(name).rate", of: results, as: \.rate, unit: "sessions/s")
            run.stopServers()
        }
    }

    private func beginAndEnd(_ side: BenchSide, count: Int, resumes: Bool) throws -> Int {
        _ = try side.generator.connect(count, as: .gateway)
        let resumed = side.generator.connections.count { $0.tcp.security?.isResumed ?? false }
        if resumed != (resumes ? count : 0) {
            throw BenchFailure("\(resumed) of \(count) sessions were resumed")
        }
        try side.generator.closeAll()
        return count
    }

    /// The resident bytes of idle sessions.
    private func measureMemory(_ run: BenchRun) throws {
        printProgress("memory")
        let security = try BenchSecurity()
        let sides = try [
            run.router(security: security), run.router(), run.reference(.relay, security: security),
        ]
        let bytes = try sides.map { side in
            _ = try side.generator.connect(sessions, as: .gateway)
            let before = try side.server.process.residentBytes()
            _ = try side.generator.connect(2 * sessions, as: .gateway)
            let grown = try side.server.process.residentBytes() - before
            try side.generator.closeAll()
            return Double(grown) / Double(2 * sessions)
        }
        let rows: [(String, Int, BenchAim?)] = [
            ("memory", 2, .value(16_384)), ("memory.plain", 1, nil),
        ]
        for (row, reference, aim) in rows {
            run.add(
                "session.\(row)",
                value: bytes[0],
                unit: "bytes/session",
                reference: bytes[reference],
                aim: aim
            )
        }
    }
}
