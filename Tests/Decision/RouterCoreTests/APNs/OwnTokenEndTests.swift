import Basics
import FrameCodec
import StoreFormat
import TestSupport
import Testing

@testable import RouterCore

@Suite("Ended tokens of apps and controls")
struct OwnTokenEndTests {
    private static func control(_ id: String, token: String?) -> TestWidget {
        var control = TestWidget(id, "log", #"{"character":"elf"}"#)
        control.token = token
        return control
    }

    private static let widgets: [TestWidget] = [
        .character("w1", "elf"), control("c1", token: "c1c1"), control("c2", token: "c2c2"),
    ]

    /// A phone that has gone, with a token of its widgets, one of its app, and two of controls.
    private func register(
        _ game: PushedGame,
        app: String = "bb01",
        _ widgets: [TestWidget] = Self.widgets
    ) {
        game.harness.close(game.register("phone", token: "aa01", app: app, widgets))
        game.pass(30_000)
        game.harness.checkInvariants()
    }

    private func makeGame() -> PushedGame {
        let game = PushedGame()
        game.harness.install(ControlPushTests.catalog)
        register(game)
        return game
    }

    /// Pushes to the phone, and ends each push in the same way, by whatever token it goes.
    private func end(_ game: inout PushedGame, by outcome: APNsPushOutcome) throws {
        game.push("elf")
        var isDone = false
        while !isDone {
            isDone = true
            for channel in APNsChannel.allCases {
                guard let push = game.take(PushedGame.lane(channel)) else { continue }
                try game.end(push, outcome)
                isDone = false
            }
        }
        game.harness.checkInvariants()
    }

    private func texts(_ list: [EndedTokenView]) -> [String] {
        list.map { String(decoding: $0.token, as: UTF8.self) }
    }

    @Test func `Each is listed by itself, with its channel, and a control's with its name`() throws
    {
        var game = makeGame()
        game.pass(1_000)
        let registeredAt = game.harness.now.wall - .seconds(31)
        try end(&game, by: .tokenDead(since: nil, because: .unregistered))
        let list = try game.endedTokens()
        // The widgets' token goes first, and the app's takes over.
        #expect(list.map(\.channel) == [.widgets, .background, .controls, .controls])
        #expect(texts(list).prefix(2) == ["aa01", "bb01"])
        #expect(Set(texts(list).suffix(2)) == ["c1c1", "c2c2"])
        for token in list {
            let isControl = token.channel == .controls
            #expect((token.control?.kind == "log") == isControl)
            let name = token.control?.widget
            #expect(name == (isControl ? String(texts([token])[0].prefix(2)) : nil))
            #expect(token.state == .dead && token.fault == .unregistered)
            #expect(token.since == game.harness.now.wall && token.registeredAt == registeredAt)
            #expect(token.device == "phone" && token.environment == .production)
        }
        let numbers = list.map(\.number)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
        #expect(game.harness.router.totals.deadTokens == 4)
    }

    @Test func `All leave the list once the device registers, with the same tokens, too`() throws {
        var game = makeGame()
        try end(&game, by: .tokenRefused(.foreign))
        let last = try #require(try game.endedTokens().last).number
        register(game)
        #expect(try game.endedTokens().isEmpty && game.harness.router.totals.deadTokens == 0)
        try end(&game, by: .tokenDead(since: nil, because: .expired))
        let list = try game.endedTokens(after: last)
        #expect(list.count == 4 && list.allSatisfy { $0.number > last && $0.fault == .expired })
        register(game, app: "bb02", [.character("w1", "elf"), Self.control("c2", token: "c2c3")])
        #expect(try game.endedTokens().isEmpty)
        try end(&game, by: .tokenRefused(.bad))
        #expect(Set(texts(try game.endedTokens())) == ["aa01", "bb02", "c2c3"])
        game.harness.close(game.register("phone", token: nil, []))
        game.harness.checkInvariants()
        #expect(try game.endedTokens().isEmpty)
    }

    @Test func `A control's token that ended leaves the list with the control`() throws {
        let game = PushedGame()
        game.harness.install(ControlPushTests.catalog)
        var other = game
        let controls = [Self.control("c1", token: "c1c1"), Self.control("c2", token: "c2c2")]
        for device in ["phone", "pad"] {
            game.harness.close(game.register(device, token: nil, controls))
        }
        game.pass(30_000)
        try end(&other, by: .tokenRefused(.bad))
        #expect(try game.endedTokens().count == 4)
        game.harness.close(game.register("pad", token: nil, [.character("c1", "elf")]))
        game.harness.checkInvariants()
        let list = try game.endedTokens()
        #expect(list.map(\.device) == ["phone", "phone"])
        #expect(Set(list.map(\.control?.widget)) == ["c1", "c2"])
        // Another control with the number of the former one begins without an end.
        game.harness.close(game.register("watch", token: nil, controls))
        #expect(try game.endedTokens() == list)
        game.harness.checkInvariants()
    }

    @Test func `Those that were refused leave it with another credential, and the dead stay`()
        throws
    {
        var game = PushedGame()
        game.harness.install(ControlPushTests.catalog)
        register(game)
        game.push("elf")
        try game.end(game.take(), .tokenDead(since: nil, because: .unregistered))
        try end(&game, by: .tokenRefused(.foreign))
        #expect(try game.endedTokens().map(\.state) == [.dead, .refused, .refused, .refused])
        var catalog = ControlPushTests.catalog
        catalog.apps[0].apns?.bundle = "com.other"
        game.install(catalog)
        game.harness.checkInvariants()
        #expect(texts(try game.endedTokens()) == ["aa01"])
    }

    @Test(arguments: seeds(4))
    func `The list outlives a restart, from the journal and from a checkpoint`(seed: UInt64) throws
    {
        let limits = RouterHarness(catalog: .game).router.limits
        var game = try PushedGame(store: StoreRun(limits: limits, seed: seed))
        game.harness.install(ControlPushTests.catalog)
        register(game)
        try end(&game, by: .tokenDead(since: 5_000_000_000_000, because: .expired))
        let before = try game.endedTokens()
        #expect(before.count == 4)
        for _ in 0..<3 {
            game.pass(60_000)
            try game.harness.restart()
            game.connect()
            game.harness.checkInvariants()
            #expect(try game.endedTokens() == before)
        }
        register(game)
        try end(&game, by: .tokenRefused(.bad))
        let list = try game.endedTokens(after: before[3].number)
        #expect(list.map(\.channel) == before.map(\.channel))
        #expect(list.allSatisfy { $0.state == .refused })
    }

    // MARK: - Stored records

    /// The bytes of an end: its number, when, and why.
    private static let endBytes = TokenEnd.storedByteCount

    /// The records of a router whose phone has a dead token of its app and of two controls.
    private func records() throws -> (records: [TableKey: [UInt8]], last: UInt64) {
        var game = makeGame()
        try end(&game, by: .tokenDead(since: nil, because: .unregistered))
        let last = try #require(try game.endedTokens().last).number
        return (StateImage(game.harness.router).records, last)
    }

    private static let registration = TableKey(
        type: StateRecord.registration.rawValue,
        number: 0,
        epoch: 1
    )

    /// Where the state of a token is in a record: its end follows.
    private func position(ofStateOf token: String, in record: [UInt8]) throws -> Int {
        let text = Array(token.utf8)
        let start = record.indices.first { record[$0...].starts(with: text) }
        return try #require(start) + text.count
    }

    private func restore(_ records: [TableKey: [UInt8]]) throws -> Router {
        let store = SimulatedStore()
        try RecoveryFuzzTests.fill(store, records, [])
        var router = Router(catalog: AppCatalog(apps: []), limits: RouterLimits(), seed: 1)
        _ = try router.recover(from: store, checksAll: true)
        return router
    }

    @Test func `Ends that cannot be are refused`() throws {
        let (records, last) = try records()
        _ = try restore(records)
        let record = try #require(records[Self.registration])
        let end = try position(ofStateOf: "bb01", in: record) + 1
        func refusal(_ change: (inout [UInt8]) -> Void) -> StoreError? {
            var (records, record) = (records, record)
            change(&record)
            records[Self.registration] = record
            return #expect(throws: StoreError.self) { _ = try restore(records) }
        }
        let future = refusal { $0[end + 5] = 1 }
        #expect(future?.message.contains("in a way that cannot be") == true)
        // The number of the widgets' end comes before the app's, and those of controls after it.
        let twice = refusal { $0[end] &+= 1 }
        #expect(twice?.message.contains("at the same time") == true)
        let unknown = refusal { $0[end + Self.endBytes - 1] = 99 }
        #expect(unknown?.message.contains("no such reason") == true)
        #expect(last > 2)
    }

    @Test func `Memory is taken by those alone that have ended`() throws {
        #expect(MemoryLayout<StoredToken>.stride == 8)
        #expect(MemoryLayout<EndedTokens.Entry>.stride <= 24)
        var game = makeGame()
        let texts = game.harness.router.state.reloads.apns.texts.usedByteCount
        try end(&game, by: .tokenRefused(.bad))
        #expect(game.harness.router.state.reloads.apns.texts.usedByteCount > texts)
        register(game)
        #expect(game.harness.router.state.reloads.apns.texts.usedByteCount == texts)
    }
}
