import ArgumentParser
import CommandSupport
import LibuvLoop
import LoadReporting

/// `bench tls`: measures what TLS costs: a push, a delivery, a session and its end, the memory of
/// an idle one, and the return of many devices at once.
struct BenchTLS: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tls",
        abstract: "What TLS costs: pushes, deliveries, handshakes, memory, many reconnections.",
        discussion: """
            The reference is a server in C with OpenSSL on libuv. In the rows whose names end with \
            plain, it is the same server without TLS: the router or, in the rows named reference, \
            the server in C. A frame is a push that is only acknowledged, as in `bench frames`; \
            the router scans the others. A session is accepted, begun with HELLO and closed; its \
            rate is that of server and client together, which have a core each. In the rows named \
            reconnect all devices come back at once, while another publisher pushes at a fixed \
            rate: others is the time from when such a push was due to its ACK, and quiet the same \
            before.
            """
    )

    @OptionGroup var options: BenchOptions

    @Option(help: "Number of devices that a push is delivered to.")
    var devices = 9_000

    @Option(help: "Number of sessions that are begun together.")
    var sessions = 1_024

    @Option(help: "Number of devices that reconnect at once.")
    var reconnecting = 10_000

    @Option(help: ArgumentHelp("Pushes per second meanwhile.", valueName: "pushes"))
    var rate = 20_000

    private static var publishers: Int { 16 }

    func validate() throws {
        try checkNumbers([devices], within: 1...20_000, of: "--devices")
        try checkNumbers([sessions], within: 1...20_000, of: "--sessions")
        // The name of a device has six digits.
        try checkNumbers([reconnecting], within: 1...100_000, of: "--reconnecting")
        try checkNumbers([rate], within: 1...100_000, of: "--rate")
    }

    func run() throws {
        var report = BenchReport(json: options.json)
        try measurePushes(into: &report)
        try measureDeliveries(into: &report)
        try measureSessions(into: &report)
        try measureMemory(into: &report)
        for resumes in [false, true] { try measureReconnections(resumes: resumes, into: &report) }
        report.print()
    }

    // MARK: - Servers

    /// A server that a benchmark starts.
    enum Server {
        /// The router; without TLS if nil.
        case router(BenchSecurity?)
        /// A reference; without TLS if nil.
        case reference(BenchReference.Server, BenchSecurity?)
    }

    /// Starts servers for the time of `body`.
    func withServers(_ servers: [Server], body: ([BenchSide]) throws -> Void) throws {
        let bench = try BenchLoop()
        var sides: [BenchSide] = []
        defer { for side in sides { side.stop() } }
        for server in servers {
            switch server {
            case .router(let security):
                sides.append(try .router(bench, security: security))
            case .reference(let name, let security):
                sides.append(try .reference(bench, running: name, security: security))
            }
        }
        try body(sides)
    }

    /// The number of connections asked for, or as many as the system allows if `share` servers have
    /// as many at once.
    func allowed(_ wanted: Int, share: Int) -> Int {
        let most = (raiseFileDescriptorLimit() - 64) / share
        if wanted > most {
            writeStandardError("\(wanted) devices: the system allows \(most) connections\n")
        }
        return min(wanted, most)
    }

    // MARK: - Pushes

    /// Pushes that match no widget, pipelined over some connections.
    private func measurePushes(into report: inout BenchReport) throws {
        printProgress("pushes")
        let security = try BenchSecurity()
        let servers: [Server] = [
            .router(security), .router(nil),
            .reference(.acknowledge, security), .reference(.acknowledge, nil),
        ]
        try withServers(servers) { sides in
            let pushes = try pushThrough(Array(sides[..<2]), isChecked: true)
            report.add(
                "tls.push.plain",
                value: pushes[0].cpu,
                unit: "ns/push",
                reference: pushes[1].cpu,
                aim: .ratio(1.15)
            )
            let frames = try pushThrough(sides, isChecked: false)
            addRows("tls.frame", of: frames, unit: "ns/frame", plainAim: nil, into: &report)
        }
    }

    private func pushThrough(_ sides: [BenchSide], isChecked: Bool) throws -> [BenchWindows] {
        for side in sides {
            try BenchFrames.prepare(
                side,
                connections: Self.publishers,
                window: 8_192,
                isChecked: isChecked,
                row: "tls",
                seconds: options.seconds / 3
            )
        }
        let results = try options.alternate(sides) { side in
            try side.pushWindow(
                0..<Self.publishers,
                subscribers: 0..<0,
                seconds: options.seconds
            )
        }
        for side in sides { try side.generator.closeAll() }
        return results
    }

    /// Adds the rows of one thing that was measured with the router and the reference, each with
    /// TLS and without.
    private func addRows(
        _ name: String,
        of results: [BenchWindows],
        unit: String,
        plainAim: BenchAim?,
        into report: inout BenchReport
    ) {
        let rows: [(String, Int, Int, BenchAim?)] = [
            ("cpu", 0, 2, .ratio(1.15)), ("plain", 0, 1, plainAim), ("reference.plain", 2, 3, nil),
        ]
        for (row, value, reference, aim) in rows {
            report.add(
                "\(name).\(row)",
                value: results[value].cpu,
                unit: unit,
                reference: results[reference].cpu,
                aim: aim
            )
        }
    }

    // MARK: - Deliveries

    /// One push at a time to many devices, each on its own connection. Two servers are measured at
    /// once, because each connection needs a descriptor of this process.
    private func measureDeliveries(into report: inout BenchReport) throws {
        let security = try BenchSecurity()
        let (router, plain) = (Server.router(security), Server.router(nil))
        let reference = Server.reference(.fanout, security)
        let rows: [(String, [Server], BenchAim?)] = [
            ("cpu", [router, reference], .ratio(1.15)),
            ("plain", [router, plain], .ratio(1.3)),
            ("reference.plain", [reference, .reference(.fanout, nil)], nil),
        ]
        let count = allowed(devices, share: 2)
        for (row, servers, aim) in rows {
            printProgress("deliveries to \(count) devices, \(row)")
            try withServers(servers) { sides in
                for side in sides {
                    try BenchFanout.prepare(side, devices: count, options: options)
                }
                let results = try options.alternate(sides) { side in
                    try BenchFanout.rounds(side, devices: count, seconds: options.seconds)
                }
                report.add(
                    "tls.delivery.\(row)",
                    value: results[0].cpu,
                    unit: "ns/delivery",
                    reference: results[1].cpu,
                    aim: aim
                )
            }
        }
    }
}
