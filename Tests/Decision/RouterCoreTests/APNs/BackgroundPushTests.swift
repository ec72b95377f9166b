import Basics
import FrameCodec
import StoreFormat
import TestSupport
import Testing

@testable import RouterCore

@Suite("Apps whose widgets have no token are reached by background pushes")
struct BackgroundPushTests {
    private let lane = PushedGame.lane(.background)
    private let widgets: [TestWidget] = [
        .character("w1", "elf"), TestWidget("w2", "log", #"{"character":"orc"}"#),
        .character("w3", "orc"),
    ]

    /// A game with a phone that has gone, whose app alone has a token.
    private func game(_ change: (inout APNsSettings) -> Void = { _ in }) -> PushedGame {
        let game = PushedGame(change)
        game.harness.close(game.register("phone", token: nil, app: "abcd", widgets))
        game.pass(30_000)
        return game
    }

    @Test func `A match becomes a push to the app that names the kinds which match`() throws {
        var game = game()
        game.push("elf")
        #expect(game.take() == nil)
        let push = try #require(game.take(lane))
        let token = game.harness.router.pushToken(of: push).string
        let kinds = game.harness.router.kinds(of: push)
        #expect(token == "abcd" && kinds == ["detail"])
        try game.end(push, .accepted)
        game.push("orc")
        let second = try #require(game.take(lane))
        let both = game.harness.router.kinds(of: second)
        #expect(both == ["log", "detail"])
        game.harness.checkInvariants()
    }

    @Test func `The widgets' own token comes first, and the app's takes over once that is dead`()
        throws
    {
        var game = PushedGame()
        game.harness.close(game.register("phone", app: "abcd", widgets))
        game.pass(30_000)
        game.push("elf")
        #expect(game.take(lane) == nil)
        try game.end(game.take(), .tokenDead(since: nil, because: .unregistered))
        // What the dead token could not bring is brought by the other one.
        let push = try #require(game.take(lane))
        let kinds = game.harness.router.kinds(of: push)
        #expect(kinds == ["detail"])
        try game.end(push, .accepted)
        #expect(game.take() == nil && game.take(lane) == nil)
        let view = try game.view()
        let seen = try #require(view.push)
        #expect(seen.channel == .background && seen.tokenState == .dead)
        #expect(seen.appTokenState == .good)
        game.harness.checkInvariants()
    }

    @Test func `Not more are made in an hour than the app's settings say, two by default`() throws {
        var game = game()
        for _ in 0..<2 {
            game.push("elf")
            try game.end(game.take(lane), .accepted)
            game.pass(60_000)
        }
        game.push("elf")
        #expect(game.take(lane) == nil)
        game.pass(3_600_000 - 120_001)
        #expect(game.take(lane) == nil)
        game.pass(1)
        try game.end(game.take(lane), .accepted)
        game.push("elf")
        #expect(game.take(lane) == nil)
        game.harness.checkInvariants()
    }

    @Test(arguments: [1, 3]) func `The number in an hour is a setting`(limit: Int) throws {
        var game = game { $0.backgroundPushesPerHour = limit }
        for _ in 0..<limit {
            game.push("elf")
            try game.end(game.take(lane), .accepted)
        }
        game.push("elf")
        #expect(game.take(lane) == nil)
        game.pass(3_600_000)
        #expect(game.take(lane) != nil)
    }

    @Test func `An app's token that is dead is not used until it is registered again`() throws {
        var game = game()
        game.push("elf")
        try game.end(game.take(lane), .tokenDead(since: nil, because: .unregistered))
        game.push("orc")
        #expect(game.take(lane) == nil)
        game.harness.close(game.register("phone", token: nil, app: "abcd", widgets))
        game.pass(30_000)
        game.push("elf")
        #expect(game.take(lane) != nil)
        game.harness.checkInvariants()
    }

    @Test func `Tokens, their state and the hour's pushes survive a restart`() throws {
        let limits = RouterHarness(catalog: .game).router.limits
        let store = StoreRun(limits: limits, seed: 1)
        var game = try PushedGame(store: store)
        game.harness.close(game.register("phone", token: nil, app: "abcd", widgets))
        game.harness.close(game.register("dead", token: nil, app: "dead", [.character("w", "orc")]))
        game.pass(30_000)
        for _ in 0..<2 {
            game.push("elf")
            try game.end(game.take(lane), .accepted)
        }
        game.push("orc")
        try game.end(game.take(lane), .tokenRefused(.bad))
        try game.harness.restart()
        game.connect()
        game.push("elf")
        game.push("orc")
        #expect(game.take(lane) == nil)
        game.pass(3_600_000)
        let push = try #require(game.take(lane))
        let token = game.harness.router.pushToken(of: push).string
        #expect(token == "abcd")
        #expect(game.take(lane) == nil)
        game.harness.checkInvariants()
    }
}
