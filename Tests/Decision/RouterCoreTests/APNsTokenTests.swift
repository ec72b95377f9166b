import DataStructures
import FrameCodec
import ReloadModel
import TestSupport
import Testing
import Times

@testable import RouterCore

@Suite("What APNs says of tokens, and which pushes count")
struct APNsTokenTests {
    @Test func `A death before the registration is believed when it is said twice`() throws {
        var game = PushedGame()
        game.registerAndLeave("phone", [.character("w1", "elf")])
        let before = game.harness.now.wall - .hours(1)
        game.push("elf")
        try game.end(game.take(), .tokenDead(since: before, because: .unregistered))
        // The push is made once more: one of the two clocks may be wrong.
        try game.end(game.take(), .tokenDead(since: before, because: .unregistered))
        game.push("elf")
        #expect(game.take() == nil)
        let view = try game.view()
        #expect(view.push?.tokenState == .dead)
        game.harness.checkInvariants()
    }

    @Test func `A token that was registered after its death is used further`() throws {
        var game = PushedGame()
        game.registerAndLeave("phone", [.character("w1", "elf")])
        let before = game.harness.now.wall - .hours(1)
        game.push("elf")
        try game.end(game.take(), .tokenDead(since: before, because: .unregistered))
        try game.end(game.take(), .accepted)
        // The device confirms its token, so that the next doubt is a first one again.
        game.pass(7_200_000)
        game.registerAndLeave("phone", [.character("w1", "elf")])
        game.push("elf")
        try game.end(
            game.take(),
            .tokenDead(since: game.harness.now.wall - .hours(1), because: .unregistered)
        )
        #expect(game.take() != nil)
        game.harness.checkInvariants()
    }

    @Test func `Other settings of the app give tokens that were refused another chance`() throws {
        var game = PushedGame()
        game.harness.close(
            game.register("phone", token: "aa", app: "bb", [.character("w1", "elf")])
        )
        game.registerAndLeave("gone", [.character("w1", "orc")])
        game.push("elf")
        try game.end(game.take(), .tokenRefused(.bad))
        try game.end(game.take(PushedGame.lane(.background)), .tokenRefused(.bad))
        game.push("orc")
        try game.end(game.take(), .tokenDead(since: nil, because: .unregistered))
        // Another cap says nothing of tokens.
        game.harness.install(.pushed { $0.pushesPerDay = 60 })
        #expect(try game.view().push?.tokenState == .refused)
        game.harness.install(.pushed { $0.bundle = "com.mygame.right" })
        let view = try game.view()
        #expect(view.push?.tokenState == .good && view.push?.appTokenState == .good)
        game.push("elf")
        #expect(game.take() != nil)
        // What is dead stays dead.
        game.push("orc")
        #expect(game.take() == nil)
        game.harness.checkInvariants()
    }

    @Test func `Only pushes that APNs has accepted, or perhaps has, count towards the cap`() throws
    {
        var game = PushedGame { $0.pushesPerDay = 2 }
        game.registerAndLeave("phone", [.character("w1", "elf")])
        game.push("elf")
        for _ in 0..<5 {
            try game.end(game.take(), .postponed(.minutes(15)))
            game.pass(900_000)
        }
        try game.end(game.take(), .unknown)
        try game.end(game.take(), .accepted)
        let used = try game.view().push?.used
        #expect(used == 2)
        game.push("elf")
        #expect(game.take() == nil)
        game.harness.checkInvariants()
    }
}
