import Basics
import FrameCodec
import TestSupport
import Testing

@testable import RouterCore

@Suite("Devices whose app gets other settings for APNs, or none any more")
struct SettingsAdoptionTests {
    /// The game, whose kind `detail` has WidgetKit's policy, so that its reloads are decided.
    private static func catalog(isPushed: Bool) -> AppCatalog {
        var catalog: AppCatalog = isPushed ? .pushed() : .game
        catalog.apps[0].kinds[0].policy = KindPolicy()
        return catalog
    }

    /// Registers devices with a token and a widget each, of which none has a session.
    private func fill(_ game: PushedGame, _ count: Int) {
        let gateway = game.harness.connect(.gateway)
        for number in 0..<count {
            game.send(gateway, device: "d\(number)", [.character("w", "elf")])
        }
        game.harness.close(gateway)
        game.pass(30_000)
    }

    private func fleet(_ count: Int, isPushed: Bool) -> PushedGame {
        let game = PushedGame()
        game.install(Self.catalog(isPushed: isPushed))
        fill(game, count)
        return game
    }

    private func isAdopting(_ game: PushedGame) -> Bool { game.harness.router.isAdoptingRules }

    /// How many devices are taken to be reached by APNs.
    private func reachedCount(_ game: PushedGame) -> Int {
        game.harness.router.state.reloads.delivery.devices.ids.count { device in
            game.harness.router.state.reloads.delivery.devices[device].has(DeviceRecord.pushable)
        }
    }

    private func check(_ game: PushedGame) {
        game.harness.checkInvariants()
        let difference = game.harness.replica?.difference(from: game.harness.router)
        #expect(game.harness.replica != nil && difference == nil)
    }

    @Test func `Adopt them some at a time, as far as a step has work for`() {
        let game = fleet(1_200, isPushed: false)
        var (before, steps) = (reachedCount(game), 0)
        #expect(before == 0)
        game.harness.install(Self.catalog(isPushed: true))
        #expect(reachedCount(game) == 0, "the installation looks at no device")
        while isAdopting(game) {
            _ = game.harness.step()
            let after = reachedCount(game)
            #expect(after - before <= RouterLimits.adoptionsPerStep)
            (before, steps) = (after, steps + 1)
            check(game)
        }
        #expect(before == 1_200 && steps == 3)
    }

    @Test func `Are sent nothing from then on, and everything once there are settings again`()
        throws
    {
        var game = fleet(1_200, isPushed: true)
        game.harness.install(Self.catalog(isPushed: false))
        _ = game.harness.step()
        #expect(reachedCount(game) == 1_200 - RouterLimits.adoptionsPerStep)
        // Some have yet to adopt that there are none.
        game.push("elf")
        #expect(isAdopting(game) && reachedCount(game) > 0)
        #expect(game.take() == nil)
        check(game)
        game.install(Self.catalog(isPushed: true))
        #expect(!isAdopting(game) && reachedCount(game) == 1_200)
        var count = 0
        while let push = game.take() {
            try game.end(push, .accepted)
            count += 1
        }
        #expect(count == 1_200)
        check(game)
    }

    @Test func `Get the last settings also while they adopt other ones`() throws {
        var game = fleet(600, isPushed: true)
        game.push("elf")
        try game.end(game.take(), .tokenRefused(.bad))
        for bundle in ["com.other", "com.mygame.right"] {
            var catalog = Self.catalog(isPushed: true)
            catalog.apps[0].apns?.bundle = bundle
            game.harness.install(catalog)
            _ = game.harness.step()
            #expect(isAdopting(game))
        }
        while isAdopting(game) { _ = game.harness.step() }
        #expect(reachedCount(game) == 600)
        #expect(try game.endedTokens().isEmpty)
        check(game)
    }

    @Test(arguments: seeds(4))
    func `Continue to adopt them after a kill`(seed: UInt64) throws {
        let limits = RouterHarness(catalog: .game).router.limits
        let store = StoreRun(limits: limits, seed: seed)
        var game = try PushedGame(store: store)
        game.install(.game)
        fill(game, 600)
        game.harness.install(.pushed())
        _ = game.harness.step()
        #expect(isAdopting(game))
        try game.harness.restart()
        #expect(isAdopting(game))
        game.connect()
        _ = game.harness.settle()
        #expect(reachedCount(game) == 600)
        try game.harness.restart()
        #expect(reachedCount(game) == 600)
        game.harness.checkInvariants()
    }

    @Test(arguments: seeds(4))
    func `Adopt those of the next start if a kill comes before the end of the app file`(
        seed: UInt64
    ) throws {
        let limits = RouterHarness(catalog: .game).router.limits
        var game = try PushedGame(store: StoreRun(limits: limits, seed: seed))
        fill(game, 3)
        let change = try #require(game.harness.change(to: .game))
        for portion in change.portions { game.harness.router.apply(portion) }
        #expect(!isAdopting(game))
        game.push("elf")
        #expect(game.take() == nil)
        try game.harness.restart()
        game.connect()
        _ = game.harness.settle()
        #expect(reachedCount(game) == 3)
        #expect(game.take() != nil)
        game.harness.checkInvariants()
    }
}
