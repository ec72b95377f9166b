import Basics
import TestSupport
import Testing

@testable import RouterCore

@Suite("A token that is none at the service for which it was registered")
struct APNsEnvironmentTests {
    private static let widgets = [TestWidget.character("w1", "elf")]
    private static let sandbox = APNsLaneID(
        app: AppID(index: 0),
        environment: .sandbox,
        channel: .widgets
    )

    private func game(_ environments: Set<APNsEnvironment> = [.production, .sandbox]) -> PushedGame
    {
        PushedGame { $0.environments = environments }
    }

    private func environment(_ game: PushedGame) throws -> APNsEnvironment? {
        try game.view().push?.environment
    }

    /// The phone opens its app, and leaves it.
    private func register(_ game: PushedGame, token: String = "c0ffee", as environment: String?) {
        let slot = game.register("phone", token: token, environment: environment, Self.widgets)
        game.harness.close(slot)
        game.pass(30_000)
    }

    private func check(_ game: PushedGame) {
        game.harness.checkInvariants()
        let difference = game.harness.replica?.difference(from: game.harness.router)
        #expect(game.harness.replica != nil && difference == nil)
    }

    @Test func `Is tried once at the other, and is used there from then on`() throws {
        var game = game()
        register(game, as: nil)
        game.push("elf")
        try game.end(game.take(), .tokenRefused(.bad))
        #expect(game.take() == nil)
        try game.end(game.take(Self.sandbox), .accepted)
        #expect(try environment(game) == .sandbox)
        // The app reports it as before, with the same token and with another one.
        for token in ["c0ffee", "c0ffef"] {
            register(game, token: token, as: "production")
            game.push("elf")
            #expect(game.take() == nil)
            try game.end(game.take(Self.sandbox), .accepted)
        }
        #expect(game.counts.tokensRefused == 1)
        // It says something else at last.
        register(game, token: "c0ffef", as: "sandbox")
        #expect(try environment(game) == .sandbox)
        register(game, token: "c0ffef", as: "production")
        #expect(try environment(game) == .production)
        check(game)
    }

    @Test func `Is refused if it is none at either, until the device registers again`() throws {
        var game = game()
        register(game, as: "sandbox")
        for _ in 0..<2 {
            game.push("elf")
            try game.end(game.take(Self.sandbox), .tokenRefused(.bad))
            try game.end(game.take(), .tokenRefused(.bad))
            #expect(game.take() == nil && game.take(Self.sandbox) == nil)
            let view = try game.view()
            #expect(view.push?.tokenState == .refused && view.push?.environment == .sandbox)
            register(game, as: "sandbox")
        }
        game.push("elf")
        #expect(game.take(Self.sandbox) != nil)
        check(game)
    }

    /// A game whose device reports the production service, is moved to the sandbox, and brings a
    /// token then that the sandbox does not know.
    private func gameWithNextToken() throws -> PushedGame {
        var game = game()
        register(game, as: "production")
        game.push("elf")
        try game.end(game.take(), .tokenRefused(.bad))
        try game.end(game.take(Self.sandbox), .accepted)
        register(game, token: "beef", as: "production")
        game.push("elf")
        try game.end(game.take(Self.sandbox), .tokenRefused(.bad))
        return game
    }

    @Test func `Moves back if the device's next token is one of the service that it reports`()
        throws
    {
        let game = try gameWithNextToken()
        try game.end(game.take(), .accepted)
        #expect(try environment(game) == .production)
        check(game)
    }

    @Test func `Is tried anew if the service that has accepted it does not know it later`() throws {
        var game = game()
        register(game, as: nil)
        game.push("elf")
        try game.end(game.take(), .tokenRefused(.bad))
        try game.end(game.take(Self.sandbox), .accepted)
        // The device has reported nothing since.
        game.push("elf")
        try game.end(game.take(Self.sandbox), .tokenRefused(.bad))
        try game.end(game.take(), .accepted)
        let view = try game.view()
        #expect(view.push?.environment == .production && view.push?.tokenState == .good)
        check(game)
    }

    @Test func `Stays at the service that was used before if neither knows it`() throws {
        let game = try gameWithNextToken()
        try game.end(game.take(), .tokenRefused(.bad))
        let view = try game.view()
        #expect(view.push?.environment == .sandbox && view.push?.tokenState == .refused)
        check(game)
    }

    @Test func `Is not tried elsewhere without the setting, or for another reason`() throws {
        let cases: [(environments: Set<APNsEnvironment>, fault: TokenFault)] = [
            ([], .bad), ([.production], .bad), ([.production, .sandbox], .foreign),
        ]
        for (environments, fault) in cases {
            var game = game(environments)
            register(game, as: nil)
            game.push("elf")
            try game.end(game.take(), .tokenRefused(fault))
            #expect(game.take(Self.sandbox) == nil)
            #expect(try game.view().push?.tokenState == .refused)
            check(game)
        }
    }

    @Test(arguments: seeds(4))
    func `Is known to be of the other service after a restart`(seed: UInt64) throws {
        let limits = RouterHarness(catalog: .game).router.limits
        var game = try PushedGame(store: StoreRun(limits: limits, seed: seed)) {
            $0.environments = [.sandbox]
        }
        register(game, as: nil)
        game.push("elf")
        try game.end(game.take(), .tokenRefused(.bad))
        try game.end(game.take(Self.sandbox), .accepted)
        for _ in 0..<50 { game.pass(1_000) }
        try game.harness.restart()
        game.connect()
        #expect(try environment(game) == .sandbox)
        register(game, as: nil)
        game.push("elf")
        #expect(game.take() == nil && game.take(Self.sandbox) != nil)
        game.harness.checkInvariants()
    }
}
