import Basics
import FrameCodec
import TestSupport
import Testing

@testable import RouterCore

@Suite("Tokens to which APNs accepts nothing")
struct EndedTokenTests {
    /// Pages of ended tokens, each examined a few entries at a time.
    private func walk(
        _ game: PushedGame,
        app: String = "game",
        after number: UInt64 = 0,
        limit: Int = 100,
        portion: Int = 1
    ) throws -> EndedTokenWalk {
        var walk = try game.harness.router.beginEndedTokens(app: app, after: number, limit: limit)
        while !game.harness.router.resume(&walk, count: portion) {}
        return walk
    }

    /// Devices that show the elf, without sessions.
    private func register(
        _ game: PushedGame,
        _ devices: [String],
        token: String = PushedGame.ownToken
    ) {
        for device in devices {
            game.harness.close(game.register(device, token: token, [.character("w", "elf")]))
        }
        game.pass(30_000)
    }

    /// Pushes to all devices, and ends each push in the same way.
    private func end(_ game: inout PushedGame, by outcome: APNsPushOutcome) throws {
        game.push("elf")
        while let push = game.take() { try game.end(push, outcome) }
        game.harness.checkInvariants()
    }

    @Test func `Each is listed once, with what APNs has said and since when`() throws {
        var game = PushedGame()
        register(game, ["phone"])
        let since = game.harness.now.wall
        let registeredAt = since - .seconds(30)
        try end(&game, by: .tokenDead(since: since, because: .unregistered))
        game.pass(5_000)
        register(game, ["tablet"], token: "decaf0")
        try end(&game, by: .tokenRefused(.foreign))
        let found = try walk(game)
        let refusedAt = game.harness.now.wall
        #expect(found.next == nil)
        #expect(found.tokens.map(\.device) == ["phone", "tablet"])
        #expect(found.tokens.map(\.state) == [.dead, .refused])
        #expect(found.tokens.map(\.fault) == [.unregistered, .foreign])
        #expect(found.tokens.map(\.since) == [since, refusedAt])
        #expect(found.tokens[0].registeredAt == registeredAt)
        #expect(
            found.tokens.map { String(decoding: $0.token, as: UTF8.self) } == ["c0ffee", "decaf0"]
        )
        #expect(found.tokens.allSatisfy { $0.environment == .production })
        #expect(found.tokens.allSatisfy { $0.channel == .widgets && $0.control == nil })
        #expect(found.tokens[0].number < found.tokens[1].number)
        #expect(try walk(game, after: found.tokens[0].number).tokens.map(\.device) == ["tablet"])
        #expect(try walk(game, after: found.tokens[1].number).tokens.isEmpty)
        #expect(try walk(game, after: .max).tokens.isEmpty)
        #expect(try walk(game, app: "news").tokens.isEmpty, "another app's")
        #expect(throws: ProtocolError.self) { try walk(game, app: "none") }
    }

    @Test func `A token that dies without a date is dead since the router heard it`() throws {
        var game = PushedGame()
        register(game, ["phone"])
        try end(&game, by: .tokenDead(since: nil, because: .unknown))
        #expect(try walk(game).tokens.map(\.since) == [game.harness.now.wall])
    }

    @Test func `A token that was registered after its death has not ended`() throws {
        var game = PushedGame()
        register(game, ["phone"])
        let before = game.harness.now.wall - .hours(1)
        game.push("elf")
        try game.end(game.take(), .tokenDead(since: before, because: .unregistered))
        try game.end(game.take(), .accepted)
        #expect(try walk(game).tokens.isEmpty)
    }

    @Test(arguments: [1, 3, 100])
    func `Pages name each token once, in the order of their ends`(portion: Int) throws {
        var game = PushedGame()
        let names = (0..<7).map { "d\($0)" }
        register(game, names)
        try end(&game, by: .tokenRefused(.bad))
        var found: [String] = []
        var after: UInt64? = 0
        while let number = after {
            let page = try walk(game, after: number, limit: 3, portion: portion)
            #expect(
                page.tokens.count <= 3
                    && page.tokens.map(\.number) == page.tokens.map(\.number).sorted()
            )
            found += page.tokens.map(\.device)
            after = page.next
        }
        #expect(found.sorted() == names)
    }

    @Test func `A device that registers again leaves the list, and may return to it`() throws {
        var game = PushedGame()
        register(game, ["phone", "tablet"])
        try end(&game, by: .tokenRefused(.bad))
        let first = try walk(game).tokens
        #expect(Set(first.map(\.device)) == ["phone", "tablet"])
        // The same token counts, too: the app has got it anew.
        register(game, ["phone"])
        #expect(try walk(game).tokens.map(\.device) == ["tablet"])
        game.harness.checkInvariants()
        try end(&game, by: .tokenDead(since: nil, because: .expired))
        let second = try walk(game).tokens
        #expect(second.map(\.device) == ["tablet", "phone"])
        #expect(second[1].number > first.map(\.number).max() ?? .max)
        #expect(second[1].fault == .expired)
    }

    @Test func `A device without a token, or that is removed, leaves the list`() throws {
        var game = PushedGame()
        register(game, ["phone", "tablet", "pad"])
        try end(&game, by: .tokenRefused(.bad))
        let slot = game.register("phone", token: nil, [.character("w", "elf")])
        game.harness.close(slot)
        game.harness.checkInvariants()
        game.harness.close(game.register("tablet", token: nil, []))
        game.harness.checkInvariants()
        #expect(try walk(game).tokens.map(\.device) == ["pad"])
        // Another device with the number of the former one begins without an end.
        register(game, ["watch"])
        #expect(try walk(game).tokens.map(\.device) == ["pad"])
        game.harness.checkInvariants()
    }

    @Test(arguments: seeds(4))
    func `The list outlives a restart, from the journal and from a checkpoint`(seed: UInt64) throws
    {
        let store = StoreRun(limits: RouterHarness(catalog: .game).router.limits, seed: seed)
        var game = try PushedGame(store: store)
        register(game, ["a", "b", "c"])
        try end(&game, by: .tokenRefused(.bad))
        register(game, ["b"])
        try end(&game, by: .tokenDead(since: 5_000_000_000_000, because: .unregistered))
        let before = try walk(game).tokens
        #expect(before.count == 3 && before.last?.device == "b")
        for _ in 0..<3 {
            game.pass(60_000)
            try game.harness.restart()
            game.connect()
            game.harness.checkInvariants()
            #expect(try walk(game).tokens == before)
        }
        register(game, ["c"])
        try end(&game, by: .tokenRefused(.foreign))
        #expect(try walk(game, after: before[2].number).tokens.map(\.device) == ["c"])
    }

    @Test func `The list has no more empty entries than others, but for a few`() {
        var tokens = EndedTokens()
        for number in 1...1_000 {
            tokens.append(.app(of: DeviceID(index: number)), number: UInt64(number))
        }
        for number in 1...990 { tokens.remove(number: UInt64(number)) }
        #expect(tokens.count == 10 && tokens.entries.count <= 2 * 10 + 64)
        #expect(tokens.entries[tokens.index(after: 990)].owner.device == DeviceID(index: 991))
        #expect(tokens.index(after: 1_000) == tokens.entries.count)
        #expect(tokens.index(after: 0) == 0)
    }

    @Test func `Ends that share a number are refused`() {
        var tokens = EndedTokens()
        let ends = [3, 1, 3].map { number in
            EndedTokens.Entry(number: number, owner: .widgets(of: DeviceID(index: Int(number))))
        }
        let isRestored = tokens.restore(ContiguousArray(ends))
        #expect(!isRestored)
        let areOthersRestored = tokens.restore(ContiguousArray(ends.dropFirst()))
        #expect(areOthersRestored)
        #expect(tokens.entries.map(\.number) == [1, 3] && tokens.count == 2)
    }
}
