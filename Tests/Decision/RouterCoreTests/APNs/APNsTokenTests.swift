import Basics
import FrameCodec
import TestSupport
import Testing

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

    @Test func `A token belongs to the device that has registered it last`() throws {
        var game = PushedGame()
        let widgets = [TestWidget.character("w1", "elf")]
        for device in ["before", "after"] {
            let slot = game.register(device, token: "C0FFEE", app: "ba51c0", widgets)
            game.harness.close(slot)
            game.pass(30_000)
        }
        game.push("elf")
        try game.end(game.take(), .accepted)
        #expect(game.take() == nil && game.take(PushedGame.lane(.background)) == nil)
        #expect(try game.view("before").push == nil)
        // Its owner is gone: the older device may have it again.
        let slot = game.register("before", token: "C0FFEE", widgets)
        game.harness.close(slot)
        game.pass(30_000)
        game.push("elf")
        #expect(game.take() != nil && game.take() == nil)
        game.harness.checkInvariants()
        let difference = game.harness.replica?.difference(from: game.harness.router)
        #expect(game.harness.replica != nil && difference == nil)
    }

    /// How a token is registered again.
    enum Way: CaseIterable {
        case ownSession, gateway, report
    }

    @Test(arguments: Way.allCases)
    func `A token that is registered again is as new as another one`(way: Way) throws {
        var game = PushedGame()
        game.registerAndLeave("phone", [.character("w1", "elf")])
        game.pass(1_200)
        let death = game.harness.now.wall
        game.pass(1_200)
        let again = game.harness.now.wall
        switch way {
        case .ownSession: game.registerAndLeave("phone", [.character("w1", "elf")])
        case .gateway:
            let gateway = game.harness.connect(.gateway)
            game.send(gateway, device: "phone", [.character("w1", "elf")])
            game.harness.close(gateway)
            game.pass(30_000)
        case .report:
            let body =
                #"{"pushToken":"c0ffee","widgets":[\#(TestWidget.character("w1", "elf").json)]}"#
            try game.harness.report(.widgets, of: "phone", body)
        }
        #expect(try game.view().push?.registeredAt == again)
        game.push("elf")
        try game.end(game.take(), .tokenDead(since: death, because: .unregistered))
        try game.end(game.take(), .accepted)
        #expect(try game.view().push?.tokenState == .good)
        let difference = game.harness.replica?.difference(from: game.harness.router)
        #expect(game.harness.replica != nil && difference == nil)
        game.harness.checkInvariants()
    }

    @Test(arguments: [#""appPushToken":"a991""#, #""pushToken":"a991""#])
    func `A token of an app or a control that is registered again is as new, too`(
        token: String
    ) throws {
        var game = PushedGame()
        game.harness.install(ControlPushTests.catalog)
        let isApp = token.hasPrefix(#""app"#)
        let widget =
            isApp
            ? #"{"id":"w1","kind":"detail","configuration":{"character":"elf"}}"#
            : #"{"id":"w1","kind":"log","configuration":{"character":"elf"},\#(token)}"#
        let body = #"{"widgets":[\#(widget)]\#(isApp ? "," + token : "")}"#
        try game.harness.report(.widgets, of: "phone", body)
        game.pass(1_200)
        let death = game.harness.now.wall
        game.pass(1_200)
        try game.harness.report(.widgets, of: "phone", body)
        game.push("elf")
        let lane = PushedGame.lane(isApp ? .background : .controls)
        try game.end(game.take(lane), .tokenDead(since: death, because: .unregistered))
        try game.end(game.take(lane), .accepted)
        #expect(try game.endedTokens().isEmpty)
        game.harness.checkInvariants()
    }

    @Test func `A gateway that attaches a device gives no tokens`() throws {
        let game = PushedGame()
        game.registerAndLeave("phone", [.character("w1", "elf")])
        let registeredAt = try game.view().push?.registeredAt
        game.pass(7_200_000)
        let gateway = game.harness.connect(.gateway)
        game.harness.device(gateway, .attach, #"{"devices":["phone"]}"#)
        _ = game.harness.step()
        #expect(try game.view().push?.registeredAt == registeredAt)
        let difference = game.harness.replica?.difference(from: game.harness.router)
        #expect(game.harness.replica != nil && difference == nil)
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
        game.install(.pushed { $0.pushesPerDay = 60 })
        #expect(try game.view().push?.tokenState == .refused)
        game.install(.pushed { $0.bundle = "com.mygame.right" })
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
