import Cryptography
import FrameCodec
import LibuvLoop
import LoadReporting

/// What a session costs: its handshake, and its memory while it is idle.
extension BenchTLS {
    /// Begins and ends sessions: with a signature of the server, with a ticket instead, and with
    /// certificates of both sides.
    func measureSessions(into report: inout BenchReport) throws {
        let kinds = [("full", false, false), ("resumed", true, false), ("mutual", false, true)]
        for (name, resumes, isMutual) in kinds {
            printProgress("sessions, \(name)")
            // One for each server, whose tickets the other one does not know.
            let securities = try (0..<2).map { _ in
                try BenchSecurity(resumes: resumes, isMutual: isMutual)
            }
            let servers: [Server] = [.router(securities[0]), .reference(.relay, securities[1])]
            try withServers(servers) { sides in
                // The first sessions get the tickets.
                for side in sides { _ = try beginAndEnd(side, count: 1, resumes: false) }
                let results = try options.alternate(sides) { side in
                    try side.measure { try beginAndEnd(side, count: sessions, resumes: resumes) }
                }
                report.add(
                    "tls.session.\(name).cpu",
                    value: results[0].cpu / 1_000,
                    unit: "µs/session",
                    reference: results[1].cpu / 1_000
                )
                report.add(
                    "tls.session.\(name).rate",
                    value: results[0].rate,
                    unit: "sessions/s",
                    reference: results[1].rate
                )
            }
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
    func measureMemory(into report: inout BenchReport) throws {
        printProgress("memory")
        let security = try BenchSecurity()
        let servers: [Server] = [.router(security), .router(nil), .reference(.relay, security)]
        try withServers(servers) { sides in
            let bytes = try sides.map { try idleBytes($0) }
            for (row, reference) in [("memory", 2), ("memory.plain", 1)] {
                report.add(
                    "tls.session.\(row)",
                    value: bytes[0],
                    unit: "bytes/session",
                    reference: bytes[reference],
                    aim: row == "memory" ? .value(16_384) : nil
                )
            }
        }
    }

    private func idleBytes(_ side: BenchSide) throws -> Double {
        _ = try side.generator.connect(sessions, as: .gateway)
        let before = try side.server.process.residentBytes()
        _ = try side.generator.connect(2 * sessions, as: .gateway)
        let after = try side.server.process.residentBytes()
        try side.generator.closeAll()
        return Double(after - before) / Double(2 * sessions)
    }
}
