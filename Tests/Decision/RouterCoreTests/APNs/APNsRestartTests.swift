import Basics
import FrameCodec
import StoreFormat
import TestSupport
import Testing

@testable import RouterCore

@Suite("APNs pushes when the router restarts")
struct APNsRestartTests {
    /// A game with a store, and a phone without a session that shows the elf.
    private func makeGame(seed: UInt64 = 1) throws -> PushedGame {
        let store = StoreRun(limits: RouterHarness(catalog: .game).router.limits, seed: seed)
        let game = try PushedGame(store: store)
        game.registerAndLeave("phone", [.character("w1", "elf")])
        return game
    }

    /// The process ends, and another one begins.
    private func restart(_ game: inout PushedGame) throws {
        try game.harness.restart()
        game.connect()
        game.harness.checkInvariants()
    }

    @Test(arguments: seeds(4))
    func `What waits in a lane is pushed by the next process`(seed: UInt64) throws {
        var game = try makeGame(seed: seed)
        game.push("elf")
        try restart(&game)
        try game.end(game.take(), .accepted)
        #expect(game.take() == nil)
        try restart(&game)
        game.pass(3_600_000)
        #expect(game.take() == nil, "what was accepted is not pushed again")
    }

    @Test(arguments: seeds(4))
    func `When a device last gave its tokens survives`(seed: UInt64) throws {
        var game = try makeGame(seed: seed)
        game.pass(1_200)
        let again = game.harness.now.wall
        game.registerAndLeave("phone", [.character("w1", "elf")])
        game.pass(1_200)
        try restart(&game)
        #expect(try game.view().push?.registeredAt == again)
    }

    @Test(arguments: seeds(4))
    func `A push that is under way at each kill is made again until APNs answers`(
        seed: UInt64
    ) throws {
        var game = try makeGame(seed: seed)
        game.push("elf")
        var last = try #require(game.take())
        for pause in [0, 15_000, 30_000, 60_000, 120_000] as [Int64] {
            game.pass(0)
            try restart(&game)
            if pause > 0 {
                game.pass(pause - 1)
                #expect(game.take() == nil, "before \(pause) ms")
                // A kill during the pause changes nothing.
                try restart(&game)
                #expect(game.take() == nil, "before \(pause) ms")
                game.pass(1)
            }
            let next = try #require(game.take(), "after \(pause) ms")
            #expect(next.number > last.number)
            last = next
        }
        try game.end(last, .accepted)
        try restart(&game)
        game.pass(3_600_000)
        #expect(game.take() == nil, "what was accepted is not pushed again")
    }

    @Test func `A push waits for at most 20 minutes, however many kills there were`()
        throws
    {
        var game = try makeGame()
        game.harness.install(.pushed { $0.pushesPerDay = 1_000 })
        game.push("elf")
        for _ in 0..<20 {
            _ = try #require(game.take())
            game.pass(0)
            try restart(&game)
            game.pass(1_200_000)
        }
        try game.end(game.take(), .accepted)
        try restart(&game)
        game.pass(3_600_000)
        #expect(game.take() == nil)
    }

    @Test(arguments: seeds(4))
    func `A push that a silent APNs has not answered is made again after a kill, too`(
        seed: UInt64
    ) throws {
        var game = try makeGame(seed: seed)
        game.push("elf")
        try game.end(game.take(), .unknown)
        _ = try #require(game.take())
        game.pass(0)
        try restart(&game)
        // It was under way at one kill, so it is sent again at once.
        _ = try #require(game.take())
        game.pass(0)
        try restart(&game)
        #expect(game.take() == nil)
        game.pass(15_000)
        #expect(game.take() != nil)
    }

    @Test func `A postponed push keeps its time, and a spent cap stays spent`() throws {
        var game = try makeGame()
        game.harness.install(.pushed { $0.pushesPerDay = 1 })
        game.push("elf")
        try game.end(game.take(), .accepted)
        game.push("elf")
        try restart(&game)
        game.pass(3_600_000)
        #expect(game.take() == nil)
        game.harness.install(.pushed { $0.pushesPerDay = 2 })
        game.pass(25 * 3_600_000)
        try game.end(game.take(), .postponed(.minutes(15)))
        try restart(&game)
        game.pass(890_000)
        #expect(game.take() == nil)
        game.pass(10_000)
        #expect(game.take() != nil)
    }

    @Test func `A dead token stays dead`() throws {
        var game = try makeGame()
        game.push("elf")
        try game.end(game.take(), .tokenDead(since: nil, because: .unregistered))
        try restart(&game)
        game.push("elf")
        game.pass(3_600_000)
        #expect(game.take() == nil)
    }

    @Test func `Sessions that end with the process have their grace from then on`() throws {
        var game = try makeGame()
        _ = game.register("tablet", [.character("w1", "elf")])
        game.push("elf")
        try restart(&game)
        #expect(game.take() != nil, "the phone")
        #expect(game.take() == nil)
        game.pass(30_000)
        #expect(game.take() != nil, "the tablet")
    }
}
