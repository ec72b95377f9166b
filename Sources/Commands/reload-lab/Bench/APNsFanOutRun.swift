import APNsMock
import Cryptography
import FrameCodec
import Glibc
import LibuvLoop
import Platform
import Times

/// A router with very many devices that have no session, and a mock of APNs in this process.
final class APNsFanOutRun {
    let bench: BenchLoop
    private(set) var router: BenchServer
    private var generator: LoadGenerator
    let tally: APNsTally
    private let devices: Int
    private let apps: String
    private let store: BenchStoreSettings
    private let keys: BenchFolder
    private let settings: MockSettings
    private var mock: MockServer?
    private let port: UInt16
    private var publisher = 0

    private static var key: String { "BENCHKEY01" }
    private static var gateways: Int { 16 }

    /// Starts the router and the mock, and registers the devices.
    ///
    /// - Parameters:
    ///   - count: the number of devices, each with a widget.
    ///   - cap: the requests a second that the widgets' origin can answer; nil for no origin.
    ///   - store: the router's store.
    ///   - settings: how the mock behaves.
    /// - Throws: `BenchFailure`, or an error of the system.
    init(
        devices count: Int,
        cap: Int?,
        store: BenchStoreSettings = .memory,
        settings: MockSettings = MockSettings()
    ) throws {
        (devices, self.store, self.settings) = (count, store, settings)
        bench = try BenchLoop()
        tally = APNsTally(devices: count)
        apps = Self.apps(cap: cap)
        keys = try BenchFolder(in: "/tmp")
        let path = keys("AuthKey_\(Self.key).p8")
        let pem = try DevelopmentAuthority(named: "bench", now: .now, days: 1).identity.key
        try BenchFolder.write(String(decoding: pem, as: UTF8.self), to: path)
        if unsafe chmod(path, 0o600) != 0 { throw BenchFailure("\(path) cannot be protected") }
        let mock = try Self.mock(bench, port: 0, settings: settings, tally: tally)
        (self.mock, port) = (mock, mock.port)
        router = try Self.start(apps: apps, store: store, keys: keys.path, port: mock.port)
        generator = try LoadGenerator(bench, port: router.port, wire: .router)
        try register()
    }

    /// An app with one kind, and APNs without a grace or a cap that would matter.
    private static func apps(cap: Int?) -> String {
        let origins = cap.map { #""origins":[{"origin":"api","perSecond":\#($0)}],"# } ?? ""
        let origin = cap == nil ? "" : #""origin":"api","#
        return """
            {"apps":[{"app":"\(BenchApp.name)",\(BenchApp.open),\(origins)
            "apns":{"team":"BENCHTEAM1","key":"\(key)","bundle":"com.mygame",
            "pushesPerDay":1000,"grace":0},
            "kinds":[{"kind":"\(BenchApp.topic)",\(origin)"budget":"unlimited",
            "match":{"topic":["${configuration.topic}"]}}]}]}
            """
    }

    private static func start(
        apps: String,
        store: BenchStoreSettings,
        keys: String,
        port: UInt16
    ) throws -> BenchServer {
        let address = "127.0.0.1:\(port)"
        return try .router(
            apps: apps,
            store: store,
            flags: [
                "--admin", "127.0.0.1:0", "--apns-keys", keys, "--apns-plaintext",
                "--apns-production", address, "--apns-sandbox", address,
            ]
        )
    }

    private static func mock(
        _ bench: BenchLoop,
        port: UInt16,
        settings: MockSettings,
        tally: APNsTally
    ) throws -> MockServer {
        var generator = SystemRandomNumberGenerator()
        let mock = try MockServer(
            bench.loop,
            address: SocketAddress.resolve(host: "127.0.0.1", port: port, loop: bench.loop)[0],
            security: nil,
            settings: settings,
            now: { .now },
            date: { .now },
            random: { generator.next() }
        )
        mock.onRequest = { tally.put($0, answer: $1) }
        return mock
    }

    /// Registers the devices through gateways, which then leave: no device has a session. The
    /// device's number is its token.
    private func register() throws {
        printProgress("registering \(devices) devices")
        let side = BenchSide(server: router, generator: generator)
        let gateways = try generator.connect(Self.gateways, as: .gateway)
        try side.register(
            .body(
                .widgets,
                text: """
                    {"device":"d-########","pushToken":"########","widgets":[{"id":"w",\
                    "kind":"\(BenchApp.topic)","configuration":\(BenchApp.topicWidget)}]}
                    """
            ),
            devices: devices,
            through: gateways
        )
        try generator.closeAll()
        publisher = try generator.connect(1, as: .publisher) { _ in "fan-out" }.lowerBound
        generator.start(publisher, sending: .pushes(BenchApp.topicPush), to: .first, count: 0)
    }

    // MARK: - Pushes

    /// Pushes once to all devices, and waits for the ACK.
    ///
    /// - Returns: when it was pushed.
    @discardableResult
    func push() throws -> ExactTime {
        let matched = generator.matched
        let start = ExactTime.now
        generator.resume(publisher, count: 1)
        try waitForAcknowledgement()
        if generator.matched - matched != devices {
            throw BenchFailure("the push matched \(generator.matched - matched) widgets")
        }
        return start
    }

    private func waitForAcknowledgement() throws {
        let connection = generator.connections[publisher]
        try bench.run(until: "the push was acknowledged") {
            connection.acknowledged == connection.sent
        }
    }

    /// Waits until each device has a push.
    func waitForAll(within seconds: Double) throws {
        try bench.run(until: "APNs has accepted a push for each device", within: seconds) {
            [tally] in tally.lostCount == 0
        }
    }

    /// Waits until nothing is under way, and nothing comes any more: what is repeated has come
    /// then.
    func waitForRest() throws {
        let client = try BenchAdminClient(port: router.adminPort)
        let end = ExactTime.now + .seconds(120)
        var quietSince = ExactTime.now
        while ExactTime.now - max(quietSince, tally.lastRequest) < .seconds(1) {
            try bench.run(for: .milliseconds(100))
            if try metric("apns_pushes_under_way", from: client) > 0 { quietSince = .now }
            if ExactTime.now >= end { throw BenchFailure("pushes stay under way") }
        }
    }

    private func metric(_ name: String, from client: BenchAdminClient) throws -> Double {
        for line in try client.text("/metrics").split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count == 2, words[0].hasSuffix(name) {
                guard let value = Double(words[1]) else { break }
                return value
            }
        }
        throw BenchFailure("the router has no metric \(name)")
    }

    // MARK: - Outages and kills

    /// APNs is away: its connections are cut, and it listens no more.
    func takeAPNsAway() {
        mock?.close()
        mock = nil
    }

    /// APNs listens again.
    func bringAPNsBack() throws {
        mock = try Self.mock(bench, port: port, settings: settings, tally: tally)
    }

    /// Lets APNs accept a number of pushes, and then leave all requests without an answer.
    func silenceAPNs(for seconds: Double, afterAccepted count: Int) throws {
        try bench.run(until: "some pushes were accepted") { [tally] in
            tally.acceptedCount >= count
        }
        mock?.rules.fail(for: Milliseconds(seconds: seconds), because: nil, from: .now)
    }

    /// Kills the router once APNs has accepted a number of pushes.
    ///
    /// - Returns: the most pushes that can have been under way then: those whose outcome was not
    ///   in the journal.
    func killRouter(afterAccepted count: Int) throws -> Int {
        try bench.run(until: "half of the pushes were accepted") { [tally] in
            tally.acceptedCount >= count
        }
        let client = try BenchAdminClient(port: router.adminPort)
        let name = #"apns_pushes_ended_total{outcome="accepted"}"#
        let known = Int(try metric(name, from: client))
        // What the router knew when it answered is in the journal before this push is.
        generator.start(publisher, sending: .pushes(BenchApp.unmatchedPush), to: .first, count: 1)
        try waitForAcknowledgement()
        try generator.closeAll()
        router.process.kill()
        // The mock reads what has come.
        try bench.run(for: .milliseconds(500))
        return tally.acceptedCount - known
    }

    /// Starts the router on its store again.
    func startRouter() throws {
        router = try Self.start(apps: apps, store: store, keys: keys.path, port: port)
        generator = try LoadGenerator(bench, port: router.port, wire: .router)
    }

    /// Ends all.
    func stop() {
        mock?.close()
        try? generator.closeAll()
        router.process.stop()
    }
}

@available(*, unavailable)
extension APNsFanOutRun: Sendable {}
