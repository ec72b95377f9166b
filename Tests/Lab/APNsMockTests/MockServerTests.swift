import APNsConnections
import APNsProtocol
import Basics
import Credentials
import Cryptography
import HTTP2
import LibuvLoop
import Platform
import Testing

@testable import APNsMock

/// The mock, and a pool of connections to it, on one loop.
private final class Stage: APNsPoolOwner, TimerOwner {
    let loop: Loop
    var mock: MockServer!
    var pool: APNsPool!
    private var timer: LoopTimer?
    var answers: [UInt64: APNsAnswer] = [:]
    var endings: [UInt64: HTTP2Ending] = [:]
    var reasons: [String] = []
    /// Numbers that wait for room.
    var waiting: [UInt64] = []
    var token = "00ff00ff"
    var type = APNsPushType.widgets
    /// The bundle identifier of a push, and whether it is urgent.
    var bundle: (_ number: UInt64) -> String = { _ in "com.mygame" }
    var isUrgent: (_ number: UInt64) -> Bool = { _ in false }
    /// The most pushes that were under way at once.
    var peak = 0
    private var until: () -> Bool = { true }
    private var deadline = MonotonicTime.max

    static func now() -> MonotonicTime { MonotonicTime.now }

    init(
        secure: Bool = false,
        limits: APNsPoolLimits = APNsPoolLimits(),
        _ change: (inout MockSettings) -> Void = { _ in }
    ) throws {
        loop = try Loop()
        var settings = MockSettings()
        change(&settings)
        var server: TLSServerContext?
        var client: TLSClientContext?
        if secure {
            let date = WallTime.now
            let authority = try DevelopmentAuthority(named: "mock", now: date, days: 1)
            let identity = try authority.issue(for: ["localhost"], now: date, days: 1)
            server = try TLSServerContext(
                ServerSecurity([identity], minimum: .tls12),
                protocols: ["h2"]
            )
            client = try TLSClientContext(
                trust: .authorities(try authority.identity.chain),
                protocols: ["h2"]
            )
        }
        var generator = SystemRandomNumberGenerator()
        let address = SocketAddress.withoutLookup(host: "127.0.0.1", port: 0)![0]
        mock = try MockServer(
            loop,
            address: address,
            security: server,
            settings: settings,
            now: Self.now,
            date: { WallTime.now },
            random: { generator.next() }
        )
        pool = try APNsPool(
            loop,
            target: APNsTarget(host: "localhost", port: mock.port, security: client),
            limits: limits,
            owner: self,
            now: Self.now,
            random: { 0 }
        )
        authorize()
        timer = try LoopTimer(loop, owner: self)
    }

    /// Uses a provider token that is as old.
    func authorize(issued age: Int64 = 0, signature: String = "c2ln") {
        let date = WallTime.now.rawValue / 1_000 - age
        let header = encodeBase64URL(Array(#"{"alg":"ES256","kid":"ABCDE12345"}"#.utf8))
        let claims = encodeBase64URL(Array(#"{"iss":"TEAM012345","iat":\#(date)}"#.utf8))
        pool.authorize(Array("\(header).\(claims).\(signature)".utf8))
    }

    /// Sends pushes, and runs the loop until each has ended.
    func send(_ numbers: ClosedRange<UInt64>) throws {
        waiting += numbers
        fill()
        try run { [unowned self] in
            numbers.allSatisfy { answers[$0] != nil || endings[$0] != nil }
        }
    }

    func run(until condition: @escaping () -> Bool) throws {
        until = condition
        deadline = Self.now() + .seconds(60)
        try timer?.start(after: .milliseconds(1), repeating: .milliseconds(1))
        try loop.run()
        timer?.stop()
        #expect(condition(), "\(reasons)")
    }

    func timerFired(_ timer: LoopTimer) {
        if until() || Self.now() > deadline { loop.stop() }
    }

    func close() throws {
        pool.close()
        mock.close()
        timer?.close()
        // What is closed leaves the loop in its next iterations.
        try loop.run()
        try loop.close()
    }

    func fill() {
        while pool.room > 0, !waiting.isEmpty {
            let number = waiting.removeFirst()
            let topic = Array(type.topic(bundle: bundle(number)).utf8)
            let payload = type.payload(kinds: ["a"])
            Array(token.utf8).withByteView { token in
                topic.withByteView { topic in
                    payload.withByteView { payload in
                        let push = APNsPush(
                            token: token,
                            type: type,
                            topic: topic,
                            expiration: .zero,
                            isUrgent: isUrgent(number),
                            id: APNsID(number, and: number),
                            payload: payload
                        )
                        #expect(throws: Never.self) { try pool.send(push, number: number) }
                    }
                }
            }
            peak = max(peak, pool.openCount)
        }
        pool.flush()
        if !waiting.isEmpty { pool.wantsRoom() }
    }

    func pool(_ pool: APNsPool, answered number: UInt64, with answer: APNsAnswer) {
        answers[number] = answer
    }

    func pool(_ pool: APNsPool, ended number: UInt64, by ending: HTTP2Ending) {
        if ending == .notProcessed { waiting.append(number) } else { endings[number] = ending }
    }

    func poolHasRoom(_ pool: APNsPool) { fill() }

    func pool(_ pool: APNsPool, lostConnectionBecause reason: String) { reasons.append(reason) }
}

@Suite("Pushes to a mock of APNs")
struct MockServerTests {
    @Test(arguments: [false, true])
    func `Pushes are accepted, one at first and then many at once`(secure: Bool) throws {
        var limits = APNsPoolLimits()
        limits.connections = 1
        let stage = try Stage(secure: secure, limits: limits) { $0.streams = 100 }
        try stage.send(1...2_000)
        #expect(stage.answers.values.allSatisfy { $0.status == 200 })
        #expect(stage.mock.rules.accepted == ["00ff00ff": 2_000])
        #expect(stage.mock.acceptedCount == 1)
        #expect(stage.peak > 1 && stage.peak <= 100)
        try stage.close()
    }

    @Test func `Each push has its own topic, priority, date and id, however many apps take turns`()
        throws
    {
        let stage = try Stage()
        var seen: [String: MockRequest] = [:]
        stage.mock.onRequest = { request, _ in seen[request.id ?? "-"] = request }
        stage.bundle = { "com.game\($0 % 41)" }
        stage.isUrgent = { $0 % 3 == 0 }
        try stage.send(1...300)
        for number: UInt64 in 1...300 {
            let request = seen[APNsID(number, and: number).description]
            #expect(request?.topic == "com.game\(number % 41).push-type.widgets")
            #expect(request?.priority == (number % 3 == 0 ? "10" : "5"))
            #expect(request?.expiration == "0")
            #expect(request?.path == "/3/device/00ff00ff")
            #expect(stage.answers[number]?.status == 200)
        }
        try stage.close()
    }

    @Test func `A refused push closes all streams but one until another is accepted`() throws {
        let stage = try Stage { $0.streams = 100 }
        try stage.send(1...100)
        stage.token = "0"
        try stage.send(101...101)
        #expect(stage.answers[101]?.verdict == .tokenRefused)
        stage.token = "00ff00ff"
        try stage.send(102...300)
        #expect(stage.answers.values.count { $0.status == 200 } == 299)
        try stage.close()
    }

    @Test func `A dead token is known by its date, and costs the sender nothing`() throws {
        let stage = try Stage()
        stage.mock.rules.kill("00ff00ff", since: WallTime(rawValue: 1_748_775_600_000))
        try stage.send(1...1)
        #expect(
            stage.answers[1]?.verdict == .tokenDead(since: WallTime(rawValue: 1_748_775_600_000))
        )
        try stage.close()
    }

    @Test func `A token that is too old is refused, and so is one that comes too soon`() throws {
        let stage = try Stage()
        stage.authorize(issued: 3_700)
        try stage.send(1...1)
        #expect(stage.answers[1]?.verdict == .renewToken)
        stage.authorize(issued: 10)
        try stage.send(2...2)
        stage.authorize(issued: 5)
        try stage.send(3...3)
        #expect(stage.answers[2]?.verdict == .accepted)
        #expect(stage.answers[3]?.reason == .tooManyProviderTokenUpdates)
        stage.pool.authorize(nil)
        try stage.send(4...4)
        #expect(stage.answers[4]?.reason == .missingProviderToken)
        try stage.close()
    }

    @Test func `A server that goes away after each hundredth push loses none`() throws {
        let stage = try Stage {
            $0.requestsPerConnection = 100
            $0.streams = 40
        }
        try stage.send(1...1_000)
        #expect(stage.answers.count == 1_000)
        #expect(stage.endings.isEmpty)
        #expect(stage.mock.rules.accepted == ["00ff00ff": 1_000])
        #expect(stage.mock.acceptedCount >= 5)
        try stage.close()
    }

    @Test func `Connections that are renewed answer what is open, and others take what comes`()
        throws
    {
        var limits = APNsPoolLimits()
        limits.connections = 1
        let stage = try Stage(limits: limits) { $0.delay = .milliseconds(50) }
        for number: UInt64 in 1...6 {
            stage.waiting = [number]
            stage.pool.wantsRoom()
            try stage.run { stage.pool.openCount == 1 }
            stage.pool.renewConnections()
            try stage.run { stage.answers[number] != nil }
            // One without open pushes is closed at once.
            stage.pool.renewConnections()
        }
        #expect(stage.endings.isEmpty)
        #expect(stage.mock.acceptedCount == 6)
        try stage.close()
    }

    @Test func `An idle connection is closed when connections are renewed`() throws {
        var limits = APNsPoolLimits()
        limits.connections = 1
        let stage = try Stage(limits: limits)
        for number: UInt64 in 1...3 {
            try stage.send(number...number)
            stage.pool.renewConnections()
        }
        #expect(stage.mock.acceptedCount == 3)
        #expect(stage.answers.count == 3)
        try stage.close()
    }

    @Test func `A server that goes away says why`() throws {
        let stage = try Stage()
        try stage.send(1...1)
        stage.mock.goAway(because: .shutdown)
        try stage.run { !stage.reasons.isEmpty }
        #expect(stage.reasons[0].contains("Shutdown"))
        try stage.send(2...2)
        #expect(stage.answers[2]?.status == 200)
        #expect(stage.mock.acceptedCount == 2)
        try stage.close()
    }

    @Test func `A connection that is cut ends its pushes, and another one is opened`() throws {
        var limits = APNsPoolLimits()
        limits.firstPause = .milliseconds(10)
        let stage = try Stage(limits: limits) { $0.delay = .milliseconds(300) }
        stage.waiting = [1]
        stage.pool.wantsRoom()
        try stage.run { stage.pool.openCount == 1 }
        stage.mock.cut()
        try stage.run { stage.endings.count == 1 }
        guard case .unknown = stage.endings[1] else {
            Issue.record("\(stage.endings)")
            return
        }
        try stage.send(2...2)
        #expect(stage.answers[2]?.status == 200)
        try stage.close()
    }

    @Test func `Pushes that are not answered in time end, and the others get their answers`() throws
    {
        var limits = APNsPoolLimits()
        limits.answerTime = .milliseconds(1_500)
        limits.firstPause = .milliseconds(10)
        let stage = try Stage(limits: limits) {
            $0.outages = [MockOutage(start: .zero, length: .seconds(3_600), reason: nil)]
        }
        try stage.send(1...1)
        #expect(stage.endings.count == 1)
        // The outage is over, however long it took until the push was there.
        stage.mock.rules = MockRules(MockSettings(), now: Stage.now())
        try stage.send(2...2)
        #expect(stage.answers[2]?.status == 200)
        try stage.close()
    }

    @Test func `A server that falls silent is left, and gets one push for each connection then`()
        throws
    {
        var limits = APNsPoolLimits()
        limits.connections = 1
        limits.answerTime = .milliseconds(300)
        limits.firstPause = .milliseconds(10)
        limits.longestPause = .milliseconds(20)
        let stage = try Stage(limits: limits)
        try stage.send(1...100)
        stage.mock.rules.fail(for: .hours(1), because: nil, from: Stage.now())
        stage.peak = 0
        try stage.send(101...110)
        #expect(stage.peak == 10)
        stage.peak = 0
        try stage.send(111...113)
        #expect(stage.peak == 1 && stage.endings.count == 13)
        #expect(stage.reasons.count >= 3)
        #expect(stage.reasons.allSatisfy { $0.contains("answered no push in time") })
        stage.mock.rules = MockRules(MockSettings(), now: Stage.now())
        stage.peak = 0
        try stage.send(114...213)
        #expect(stage.peak > 1 && stage.answers.count == 200)
        try stage.close()
    }

    @Test func `A push without an answer among others that have theirs costs no connection`() throws
    {
        var limits = APNsPoolLimits()
        limits.connections = 1
        limits.answerTime = .milliseconds(1_000)
        let stage = try Stage(limits: limits)
        try stage.send(1...10)
        stage.mock.rules.fail(for: .hours(1), because: nil, from: Stage.now())
        var requestCount = 0
        stage.mock.onRequest = { _, _ in requestCount += 1 }
        stage.waiting = [11]
        stage.fill()
        try stage.run { requestCount == 1 }
        stage.mock.rules = MockRules(MockSettings(), now: Stage.now())
        var number: UInt64 = 12
        while stage.endings[11] == nil {
            try stage.send(number...number)
            number += 1
        }
        #expect(stage.answers.count == Int(number) - 2 && stage.reasons == [])
        try stage.close()
    }

    /// Answers as an outage gives them, with which a server asks for another connection.
    @Test(arguments: [APNsReason.idleTimeout, .shutdown])
    func `A server that always asks for another connection is asked after longer and longer pauses`(
        reason: APNsReason
    ) throws {
        var limits = APNsPoolLimits()
        limits.firstPause = .milliseconds(50)
        let stage = try Stage(limits: limits)
        stage.mock.rules.fail(for: .hours(1), because: reason, from: Stage.now())
        let start = Stage.now()
        try stage.send(1...5)
        // 50, 100, 200 and 400 ms: `random` takes nothing off.
        #expect(Stage.now() - start >= .milliseconds(750))
        #expect(stage.answers.values.allSatisfy { $0.reason == reason })
        stage.mock.rules = MockRules(MockSettings(), now: Stage.now())
        try stage.send(6...100)
        #expect(stage.answers[100]?.status == 200)
        try stage.close()
    }

    @Test func `A server that is not there is tried again, and its reason is known`() throws {
        var limits = APNsPoolLimits()
        limits.firstPause = .milliseconds(10)
        let stage = try Stage(limits: limits)
        stage.mock.close()
        stage.waiting = [1]
        stage.pool.wantsRoom()
        try stage.run { stage.reasons.count >= 3 }
        #expect(stage.reasons.allSatisfy { $0.contains("refused") })
        try stage.close()
    }
}
