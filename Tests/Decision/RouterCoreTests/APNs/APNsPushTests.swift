import Basics
import FrameCodec
import StoreFormat
import TestSupport
import Testing

@testable import RouterCore

@Suite("Devices without a session are reached by APNs")
struct APNsPushTests {
    @Test func `A match becomes one push for the device, with its token`() throws {
        var game = PushedGame()
        game.registerAndLeave("phone", [.character("w1", "elf"), .character("w2", "orc")])
        game.push("elf")
        let push = try #require(game.take())
        let token = game.harness.router.pushToken(of: push).string
        #expect(token == "c0ffee")
        #expect(!push.isUrgent)
        #expect(push.expiresAt == game.harness.now.wall + .days(1))
        #expect(game.take() == nil)
        try game.end(push, .accepted)
        #expect(game.take() == nil)
        #expect(game.counts.made == 1 && game.counts.accepted == 1)
        game.harness.checkInvariants()
    }

    @Test func `A device with a session gets RELOADs and no push`() throws {
        let game = PushedGame()
        _ = game.register("phone", [.character("w1", "elf")])
        game.harness.push(game.publisher, 1, #"{"character":"elf"}"#)
        #expect(game.harness.reloads().count == 1)
        game.pass(60_000)
        #expect(game.take() == nil)
    }

    @Test func `A device without a token, or of an app without settings, waits`() throws {
        var game = PushedGame()
        game.harness.close(game.register("bare", token: nil, [.character("w1", "elf")]))
        let slot = game.harness.connect(.device, "reader", app: "news")
        game.send(slot, device: "reader", [TestWidget("w1", "detail")])
        game.harness.close(slot)
        game.pass(60_000)
        game.push("elf")
        #expect(game.take() == nil)
        game.harness.checkInvariants()
    }

    @Test func `The sandbox has a lane of its own, to which a new registration moves a device`()
        throws
    {
        var game = PushedGame()
        let sandbox = APNsLaneID(app: AppID(index: 0), environment: .sandbox, channel: .widgets)
        let slot = game.register("phone", environment: "sandbox", [.character("w1", "elf")])
        game.harness.close(slot)
        game.pass(30_000)
        game.push("elf")
        #expect(game.take() == nil)
        try game.end(game.take(sandbox), .accepted)
        game.harness.close(game.register("phone", [.character("w1", "elf")]))
        game.pass(30_000)
        game.push("elf")
        #expect(game.take(sandbox) == nil)
        #expect(game.take() != nil)
    }

    @Test func `An environment that Apple does not have is refused`() throws {
        let game = PushedGame()
        let slot = game.harness.connect(.device, "phone")
        game.harness.device(
            slot,
            .widgets,
            #"{"device":"phone","pushToken":"aa","environment":"test","widgets":[]}"#
        )
        let isRefused = game.harness.step().contains {
            if case .reject(_, _, let code, _) = $0 { code == .bodyInvalid } else { false }
        }
        #expect(isRefused)
    }

    @Test func `An urgent push goes before the others`() throws {
        var game = PushedGame()
        for number in 0..<3 {
            game.registerAndLeave("phone-\(number)", [.character("w", "elf-\(number)")])
        }
        for number in 0..<2 { game.push("elf-\(number)") }
        game.push("elf-2", flags: PushFlags.urgent)
        let first = try #require(game.take())
        #expect(first.isUrgent)
        #expect([game.take()?.isUrgent, game.take()?.isUrgent] == [false, false])
    }

    @Test func `The next date of a widget and the end of the push limit a push's life`() throws {
        var game = PushedGame()
        let slot = game.register("phone", [.character("w1", "elf"), .character("w2", "orc")])
        let date = game.harness.now.wall.rawValue + 3_600_000
        game.harness.timeline(slot, "phone", "w2", policy: #"{"after":\#(date)}"#)
        _ = game.harness.step()
        game.harness.close(slot)
        game.pass(30_000)
        game.push("elf")
        let push = try #require(game.take())
        #expect(push.expiresAt.rawValue >= date && push.expiresAt.rawValue <= date + 600_000)
        try game.end(push, .accepted)
        let end = UInt64(game.harness.now.wall.rawValue + 5_000)
        game.push("elf", expiresAt: end)
        #expect(game.take()?.expiresAt.rawValue == Int64(end))
    }

    @Test func `A push that has expired in its lane is not made`() throws {
        var game = PushedGame()
        game.registerAndLeave("phone", [.character("w1", "elf")])
        game.push("elf", expiresAt: UInt64(game.harness.now.wall.rawValue + 5_000))
        game.pass(6_000)
        #expect(game.take() == nil)
        #expect(game.harness.router.counters.reloadsExpired == 1)
    }

    @Test func `All widgets of the device are charged, and what waits for them joins`() throws {
        var game = PushedGame()
        var catalog = AppCatalog.pushed()
        catalog.apps[0].kinds[0].policy = KindPolicy()
        catalog.apps[0].kinds[0].policy.spread.mode = .none
        game.harness.install(catalog)
        game.registerAndLeave("phone", [.character("w1", "elf"), .character("w2", "orc")])
        game.push("elf")
        try game.end(game.take(), .accepted)
        // w2 was reloaded along: its next reload waits for the spacing of five minutes.
        game.push("orc")
        #expect(game.take() == nil)
        game.pass(300_000)
        #expect(game.take() != nil)
    }

    @Test func `A lane that is not served keeps few entries, however often its devices change`()
        throws
    {
        var game = PushedGame()
        game.registerAndLeave("phone", [.character("w1", "elf")])
        game.push("elf")
        for number in 0..<500 {
            let token = number % 2 == 0 ? "aa" : "bb"
            try game.harness.report(
                .widgets,
                of: "phone",
                #"{"pushToken":"\#(token)","widgets":[\#(TestWidget.character("w1", "elf").json)]}"#
            )
            _ = game.harness.step()
        }
        #expect(game.harness.router.outbox.agenda.lanes.count(in: PushedGame.lane) <= 70)
        #expect(game.take() != nil)
        #expect(game.take() == nil)
    }
}

@Suite("When a device's session ends")
struct APNsGraceTests {
    @Test func `Nothing is pushed within the grace, and what came meanwhile after it`() throws {
        var game = PushedGame { $0.grace = .seconds(10) }
        game.harness.close(game.register("phone", [.character("w1", "elf")]))
        game.push("elf")
        game.pass(9_000)
        #expect(game.take() == nil)
        game.pass(1_000)
        #expect(game.take() != nil)
    }

    @Test func `A session that begins within the grace gets the RELOAD, and no push follows`()
        throws
    {
        var game = PushedGame()
        game.harness.close(game.register("phone", [.character("w1", "elf")]))
        game.push("elf")
        game.pass(5_000)
        _ = game.harness.connect(.device, "phone")
        _ = game.harness.step()
        #expect(game.harness.router.counters.reloadsSent == 1)
        game.pass(60_000)
        #expect(game.take() == nil)
    }

    @Test func `A RELOAD that was not answered goes by APNs after the grace, once`() throws {
        var game = PushedGame()
        let slot = game.register("phone", [.character("w1", "elf")])
        game.push("elf")
        game.harness.close(slot)
        game.pass(30_000)
        try game.end(game.take(), .accepted)
        game.pass(3_600_000)
        #expect(game.take() == nil)
        // A session gets it once more, because accepted is not reloaded; it does not answer either.
        let again = game.harness.connect(.device, "phone")
        _ = game.harness.step()
        #expect(game.harness.router.counters.reloadsSent == 2)
        game.harness.close(again)
        game.pass(30_000)
        try game.end(game.take(), .accepted)
        game.pass(3_600_000)
        #expect(game.take() == nil)
    }

    @Test func `A RELOAD that was answered is not pushed`() throws {
        let game = PushedGame()
        let slot = game.register("phone", [.character("w1", "elf")])
        game.harness.push(game.publisher, 1, #"{"character":"elf"}"#)
        let reload = try #require(game.harness.reloads().first)
        game.harness.timeline(slot, "phone", "w1", reload: reload.seq)
        _ = game.harness.step()
        game.harness.close(slot)
        game.pass(60_000)
        #expect(game.take() == nil)
    }

    @Test func `An app whose session has ended in the foreground is taken to have left it`() throws
    {
        var game = PushedGame()
        var catalog = AppCatalog.pushed()
        catalog.apps[0].kinds[0].policy = KindPolicy()
        game.harness.install(catalog)
        let slot = game.register("phone", [.character("w1", "elf")])
        game.harness.device(slot, .state, #"{"device":"phone","foreground":true}"#)
        _ = game.harness.step()
        game.harness.close(slot)
        game.pass(30_000)
        game.push("elf")
        try game.end(game.take(), .accepted)
        game.push("elf")
        #expect(game.take() == nil, "the spacing holds again")
        game.pass(300_000)
        #expect(game.take() != nil)
    }

    @Test func `A push that is not answered shows that no app is in the foreground`() throws {
        var game = PushedGame()
        var catalog = AppCatalog.pushed()
        catalog.apps[0].kinds[0].policy = KindPolicy()
        game.harness.install(catalog)
        game.registerAndLeave("phone", [.character("w1", "elf")])
        try game.harness.report(.state, of: "phone", #"{"foreground":true}"#)
        for _ in 0..<3 {
            game.push("elf")
            try game.end(game.take(), .accepted)
            let body = #"{"widget":"w1","entries":[\#(game.harness.now.wall)],"policy":"never"}"#
            try game.harness.report(.timeline, of: "phone", body)
        }
        game.push("elf")
        try game.end(game.take(), .accepted)
        game.push("elf")
        #expect(game.take() == nil, "the spacing holds again")
        game.pass(300_000)
        #expect(game.take() != nil)
        game.harness.checkInvariants()
    }

    @Test func `A session that begins while pushes are queued takes the reload with it`() throws {
        var game = PushedGame()
        game.registerAndLeave("phone", [.character("w1", "elf")])
        game.push("elf")
        let isQueued = game.harness.router.hasAPNsPushes(in: PushedGame.lane)
        #expect(isQueued)
        _ = game.harness.connect(.device, "phone")
        _ = game.harness.step()
        #expect(game.harness.router.counters.reloadsSent == 1)
        #expect(game.take() == nil)
    }
}

@Suite("What became of an APNs push")
struct APNsOutcomeTests {
    @Test func `One push at most is under way; what comes meanwhile follows its answer`() throws {
        var game = PushedGame()
        game.registerAndLeave("phone", [.character("w1", "elf")])
        game.push("elf")
        let push = game.take()
        game.push("elf")
        #expect(game.take() == nil)
        try game.end(push, .accepted)
        #expect(game.take() != nil)
    }

    @Test func `A dead token is not used until the device registers it again`() throws {
        var game = PushedGame()
        game.registerAndLeave("phone", [.character("w1", "elf")])
        game.push("elf")
        try game.end(game.take(), .tokenDead(since: game.harness.now.wall, because: .unregistered))
        game.push("elf")
        #expect(game.take() == nil)
        #expect(game.counts.tokensDead == 1)
        // The reload that waits for a session goes to this one.
        let slot = game.register("phone", [.character("w1", "elf")])
        game.harness.close(slot)
        game.pass(30_000)
        game.push("elf")
        #expect(game.take() != nil)
        game.harness.checkInvariants()
    }

    @Test func `A refused token is not used, a refused push leaves the token alone`() throws {
        var game = PushedGame()
        game.registerAndLeave("phone", [.character("w1", "elf")])
        game.push("elf")
        try game.end(game.take(), .refused)
        #expect(game.take() == nil)
        game.push("elf")
        try game.end(game.take(), .tokenRefused(.bad))
        game.push("elf")
        #expect(game.take() == nil)
        #expect(game.counts.refused == 1 && game.counts.tokensRefused == 1)
    }

    @Test func `A postponed push is made again after the pause, without a further charge`() throws {
        var game = PushedGame()
        var catalog = AppCatalog.pushed()
        catalog.apps[0].kinds[0].policy = KindPolicy()
        game.harness.install(catalog)
        game.registerAndLeave("phone", [.character("w1", "elf")])
        game.push("elf")
        try game.end(game.take(), .postponed(.minutes(15)))
        game.pass(899_000)
        #expect(game.take() == nil)
        game.pass(1_000)
        try game.end(game.take(), .accepted)
        #expect(game.take() == nil)
        #expect(game.counts.made == 2 && game.counts.postponed == 1)
    }

    @Test func `A session that begins while a push waits to be repeated gets the reload`() throws {
        var game = PushedGame()
        game.registerAndLeave("phone", [.character("w1", "elf")])
        game.push("elf")
        try game.end(game.take(), .postponed(.minutes(15)))
        _ = game.harness.connect(.device, "phone")
        _ = game.harness.step()
        #expect(game.harness.router.counters.reloadsSent == 1)
        game.pass(3_600_000)
        #expect(game.take() == nil)
    }

    @Test func `A push of which nothing was heard is made again at once, and then after a pause`()
        throws
    {
        var game = PushedGame()
        game.registerAndLeave("phone", [.character("w1", "elf")])
        game.push("elf")
        for _ in 0..<3 {
            try game.end(game.take(), .unknown)
            try game.end(game.take(), .unknown)
            #expect(game.take() == nil)
            game.pass(899_999)
            #expect(game.take() == nil)
            game.pass(300_001)
        }
        try game.end(game.take(), .accepted)
        #expect(game.take() == nil)
        #expect(game.counts.unheard == 6)
        game.harness.checkInvariants()
    }

    @Test func `A timeline after a push answers it, though it cannot name it`() throws {
        var game = PushedGame()
        game.registerAndLeave("phone", [.character("w1", "elf")])
        game.push("elf")
        try game.end(game.take(), .accepted)
        let slot = game.harness.connect(.device, "phone")
        #expect(game.harness.reloads().count == 1, "the push is not known to have been displayed")
        game.harness.close(slot)
        game.pass(30_000)
        game.push("elf")
        try game.end(game.take(), .accepted)
        let body = #"{"widget":"w1","entries":[\#(game.harness.now.wall)],"policy":"never"}"#
        try game.harness.report(.timeline, of: "phone", body)
        _ = game.harness.connect(.device, "phone")
        #expect(game.harness.reloads().isEmpty)
        game.harness.checkInvariants()
    }

    @Test func `What becomes of a push says nothing of a token that came meanwhile`() throws {
        var game = PushedGame()
        game.registerAndLeave("phone", [.character("w1", "elf")])
        game.push("elf")
        let first = try #require(game.take())
        let list = TestWidget.character("w1", "elf").json
        try game.harness.report(.widgets, of: "phone", #"{"pushToken":"bb","widgets":[\#(list)]}"#)
        let second = try #require(game.take())
        let token = game.harness.router.pushToken(of: second).string
        #expect(token == "bb" && second.number > first.number)
        try game.end(first, .tokenRefused(.bad))
        #expect(game.counts.tokensRefused == 0)
        try game.end(second, .accepted)
        game.push("elf")
        #expect(game.take() != nil)
    }

    @Test func `The outcome of another push changes nothing`() throws {
        var game = PushedGame()
        game.registerAndLeave("phone", [.character("w1", "elf")])
        game.push("elf")
        let push = try #require(game.take())
        game.harness.router.apnsPushEnded(
            push.device,
            number: push.number - 1,
            outcome: .tokenRefused(.bad)
        )
        game.harness.router.apnsPushEnded(
            DeviceID(rawValue: 77),
            number: push.number,
            outcome: .tokenRefused(.bad)
        )
        #expect(game.counts.tokensRefused == 0)
        try game.end(push, .accepted)
        game.harness.router.apnsPushEnded(
            push.device,
            number: push.number,
            outcome: .tokenRefused(.bad)
        )
        #expect(game.counts.tokensRefused == 0)
    }

    @Test func `Beyond the daily cap pushes wait until older ones no longer count`() throws {
        var game = PushedGame { $0.pushesPerDay = 2 }
        game.registerAndLeave("phone", [.character("w1", "elf")])
        for _ in 0..<2 {
            game.push("elf")
            try game.end(game.take(), .accepted)
        }
        game.push("elf")
        #expect(game.take() == nil)
        game.pass(23 * 3_600_000)
        #expect(game.take() == nil)
        game.pass(3 * 3_600_000)
        #expect(game.take() != nil)
    }

    @Test func `A paused app's pushes wait in their lane`() throws {
        var game = PushedGame()
        game.registerAndLeave("phone", [.character("w1", "elf")])
        game.push("elf")
        try game.harness.router.setPaused(true, app: "game")
        #expect(game.take() == nil)
        try game.harness.router.setPaused(false, app: "game")
        #expect(game.take() != nil)
    }

    @Test func `Settings that an app gets send what waits, and without them it waits`() throws {
        var game = PushedGame()
        game.install(.game)
        game.registerAndLeave("phone", [.character("w1", "elf")])
        game.push("elf")
        #expect(game.take() == nil)
        game.install(.pushed())
        let push = game.take()
        game.install(.game)
        try game.end(push, .postponed(.zero))
        #expect(game.take() == nil)
        game.harness.checkInvariants()
        game.install(.pushed())
        #expect(game.take() != nil)
    }
}
