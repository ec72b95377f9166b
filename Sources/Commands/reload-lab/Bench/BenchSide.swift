import Platform
import Times

/// A server under measurement, with the generator that loads it.
struct BenchSide {
    let server: BenchServer
    let generator: LoadGenerator

    /// Starts the router, with the kinds that the benchmarks need.
    static func router(
        _ bench: BenchLoop,
        store: BenchStoreSettings = .memory,
        flags: [String] = [],
        log: String? = nil,
        apps: String = BenchApp.file,
        security: BenchSecurity? = nil
    ) throws -> BenchSide {
        let server = try BenchServer.router(
            apps: apps,
            store: store,
            flags: flags + (security?.flags ?? []),
            log: log
        )
        return BenchSide(
            server: server,
            generator: try LoadGenerator(
                bench,
                port: server.port,
                wire: .router,
                security: security?.client
            )
        )
    }

    /// Starts a reference server.
    static func reference(
        _ bench: BenchLoop,
        running reference: BenchReference.Server,
        security: BenchSecurity? = nil
    ) throws -> BenchSide {
        let server = try BenchServer.reference(reference, flags: security?.flags ?? [])
        let wire: LoadGenerator.Wire = reference == .acknowledge ? .acknowledging : .forwarding
        return BenchSide(
            server: server,
            generator: try LoadGenerator(
                bench,
                port: server.port,
                wire: wire,
                security: security?.client
            )
        )
    }

    /// Closes the connections and ends the server.
    func stop() {
        try? generator.closeAll()
        server.process.stop()
    }

    /// Measures `body`, which returns the number of its operations.
    func measure(_ body: () throws -> Int) throws -> BenchWindow {
        let cpu = server.process.cpuTime
        let start = ExactTime.now
        let operations = try body()
        let end = ExactTime.now
        return BenchWindow(
            operations: operations,
            time: end - start,
            cpu: server.process.cpuTime - cpu
        )
    }

    /// Lets the publishers push for some time, and waits until everything is acknowledged and
    /// delivered.
    func pushWindow(
        _ publishers: Range<Int>,
        subscribers: Range<Int>,
        seconds: Double
    ) throws -> BenchWindow {
        try measure {
            let before = generator.acknowledged
            for index in publishers { generator.resume(index) }
            try generator.bench.run(for: Nanoseconds(seconds: seconds))
            for index in publishers { generator.pause(index) }
            try waitForAcknowledgements()
            try waitForQuiet(subscribers)
            return generator.acknowledged - before
        }
    }

    /// Waits until all frames are acknowledged.
    func waitForAcknowledgements(within seconds: Double = 60) throws {
        try generator.bench.run(until: "everything was acknowledged", within: seconds) {
            generator.unacknowledged == 0
        }
    }

    /// Registers devices through gateways that are idle, in equal shares.
    func register(
        _ frames: LoadGeneratorFrames,
        devices: Int,
        through gateways: Range<Int>
    ) throws {
        assert(!gateways.isEmpty || devices == 0, "no gateway speaks for the devices")
        for (first, index) in gateways.enumerated().prefix(devices) {
            generator.start(
                index,
                sending: frames,
                to: .every(gateways.count, from: first),
                count: (devices - first + gateways.count - 1) / gateways.count
            )
        }
        try waitForAcknowledgements(within: 3_600)
    }

    /// Waits for the last RELOAD.
    ///
    /// The number of RELOADs is not known in advance, because pushes for one device may coalesce.
    /// So each subscriber is sent a PING, which is answered after everything before it. If a whole
    /// round of PINGs brings no RELOAD, none is on its way. The references know no PING, but
    /// forward every push.
    private func waitForQuiet(_ subscribers: Range<Int>) throws {
        if subscribers.isEmpty { return }
        if generator.wire != .router { return try waitForRelay(subscribers) }
        while true {
            let reloads = generator.reloads
            let goal = generator.pongs + subscribers.count
            generator.ping(subscribers)
            try generator.bench.run(until: "the pings were answered") { generator.pongs >= goal }
            if generator.reloads == reloads { return }
        }
    }

    /// Waits until a reference has forwarded every push that it acknowledged.
    private func waitForRelay(_ subscribers: Range<Int>) throws {
        assert(generator.wire != .router, "only references forward each push once")
        let publishers = generator.connections[subscribers.upperBound...]
        let goal = publishers.reduce(0) { $0 + Int($1.acknowledged) }
        try generator.bench.run(until: "everything was forwarded") { generator.reloads >= goal }
    }
}
