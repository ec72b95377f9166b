import Basics
import FrameCodec
import StoreFormat
import TestSupport
import Testing

@testable import RouterCore

@Suite("Controls are reached by tokens of their own")
struct ControlPushTests {
    private let lane = PushedGame.lane(.controls)
    private let sandbox = APNsLaneID(
        app: AppID(index: 0),
        environment: .sandbox,
        channel: .controls
    )

    /// The game with APNs, whose kind `log` is a control's.
    static var catalog: AppCatalog {
        var catalog = AppCatalog.pushed()
        let index = catalog.apps[0].kinds.firstIndex { $0.kind == "log" } ?? 0
        catalog.apps[0].kinds[index].policy.isControl = true
        return catalog
    }

    private static func control(_ id: String, _ character: String, token: String?) -> TestWidget {
        var control = TestWidget(id, "log", #"{"character":"\#(character)"}"#)
        control.token = token
        return control
    }

    private static let widgets: [TestWidget] = [
        .character("w1", "elf"), control("c1", "elf", token: "c1c1"),
        control("c2", "elf", token: "c2c2"), .character("w2", "orc"),
    ]

    /// A game whose kind `log` is a control's, with a phone that has gone.
    private func game(
        token: String? = "c0ffee",
        environments: Set<APNsEnvironment> = [],
        _ widgets: [TestWidget]
    ) -> PushedGame {
        let game = PushedGame()
        var catalog = Self.catalog
        catalog.apps[0].apns?.environments = environments
        game.harness.install(catalog)
        game.harness.close(game.register("phone", token: token, widgets))
        game.pass(30_000)
        return game
    }

    @Test func `A match becomes a push for the widgets and one for each control, one at a time`()
        throws
    {
        var game = game(Self.widgets)
        game.push("elf")
        #expect(game.take(lane) == nil)
        let first = try #require(game.take())
        let reloaded = game.harness.router.kinds(of: first)
        #expect(reloaded == ["detail"])
        #expect(game.take(lane) == nil)
        try game.end(first, .accepted)
        var tokens: [String] = []
        for _ in 0..<2 {
            let push = try #require(game.take(lane))
            let token = game.harness.router.pushToken(of: push).string
            tokens.append(token)
            #expect(game.take() == nil)
            try game.end(push, .accepted)
        }
        #expect(tokens.sorted() == ["c1c1", "c2c2"])
        #expect(game.take() == nil && game.take(lane) == nil)
        game.harness.checkInvariants()
    }

    @Test func `A push for the widgets neither reloads nor charges a control`() throws {
        var game = game(Self.widgets)
        var catalog = Self.catalog
        for index in catalog.apps[0].kinds.indices {
            let isControl = catalog.apps[0].kinds[index].policy.isControl
            catalog.apps[0].kinds[index].policy = KindPolicy()
            catalog.apps[0].kinds[index].policy.isControl = isControl
        }
        game.harness.install(catalog)
        game.push("orc")
        try game.end(game.take(), .accepted)
        let view = try game.view()
        let numbers = view.widgets.map(\.lastReload)
        let used = view.widgets.map(\.budget?.used)
        #expect(numbers[3] > 0 && numbers[1] == 0 && numbers[2] == 0)
        // The first widget is reloaded too, though nothing has matched it.
        #expect(used == [1, 0, 0, 1])
        #expect(view.widgets.map(\.controlTokenState) == [nil, .good, .good, nil])
    }

    @Test func `Controls are reached on a device whose widgets are not`() throws {
        var game = game(token: nil, Self.widgets)
        game.push("elf")
        #expect(game.take() == nil)
        for _ in 0..<2 { try game.end(game.take(lane), .accepted) }
        #expect(game.take(lane) == nil)
        // The widget's reload awaits a session.
        _ = game.harness.connect(.device, "phone")
        let reloads = game.harness.reloads()
        #expect(reloads.map(\.widgets).contains { $0.contains("w1") })
        game.harness.checkInvariants()
    }

    @Test func `A control's token does not try out the service of the widgets' one`() throws {
        var game = game(environments: [.production, .sandbox], Self.widgets)
        game.push("elf")
        try game.end(game.take(), .accepted)
        try game.end(game.take(lane), .tokenRefused(.bad))
        try game.end(game.take(lane), .accepted)
        #expect(game.take(sandbox) == nil)
        let view = try game.view()
        #expect(Set(view.widgets.map(\.controlTokenState)) == [nil, .good, .refused])
        #expect(view.push?.environment == .production)
        game.push("orc")
        try game.end(game.take(), .accepted)
        game.harness.checkInvariants()
    }

    @Test func `A control's token is good again where the widgets' one is accepted on trial`()
        throws
    {
        let widgets = [TestWidget.character("w1", "orc"), Self.control("c1", "elf", token: "c1c1")]
        var game = game(environments: [.production, .sandbox], widgets)
        game.push("elf")
        try game.end(game.take(lane), .tokenRefused(.bad))
        #expect(game.take(sandbox) == nil)
        #expect(try game.view().widgets.map(\.controlTokenState) == [nil, .refused])
        game.push("orc")
        try game.end(game.take(), .tokenRefused(.bad))
        let other = APNsLaneID(app: AppID(index: 0), environment: .sandbox, channel: .widgets)
        try game.end(game.take(other), .accepted)
        #expect(try game.view().widgets.map(\.controlTokenState) == [nil, .good])
        #expect(try game.endedTokens().isEmpty)
        game.push("elf")
        #expect(game.take(lane) == nil)
        // One that is none there either is given up.
        try game.end(game.take(sandbox), .tokenRefused(.bad))
        game.push("orc")
        try game.end(game.take(other), .accepted)
        #expect(try game.view().widgets.map(\.controlTokenState) == [nil, .refused])
        let difference = game.harness.replica?.difference(from: game.harness.router)
        #expect(game.harness.replica != nil && difference == nil)
        game.harness.checkInvariants()
    }

    @Test func `A control's token is good again where another control's push ends the trial`()
        throws
    {
        let widgets = [
            TestWidget.character("w1", "orc"), Self.control("c1", "elf", token: "c1c1"),
            Self.control("c2", "kit", token: "c2c2"),
        ]
        var game = game(environments: [.production, .sandbox], widgets)
        game.push("elf")
        try game.end(game.take(lane), .tokenRefused(.bad))
        game.push("orc")
        try game.end(game.take(), .tokenRefused(.bad))
        let other = APNsLaneID(app: AppID(index: 0), environment: .sandbox, channel: .widgets)
        try game.end(game.take(other), .refused)
        #expect(try game.view().widgets.map(\.controlTokenState) == [nil, .refused, .good])
        game.push("kit")
        try game.end(game.take(sandbox), .accepted)
        #expect(try game.view().widgets.map(\.controlTokenState) == [nil, .good, .good])
        game.harness.checkInvariants()
    }

    @Test func `The token of each control is tried at both services where only controls have one`()
        throws
    {
        var game = game(token: nil, environments: [.production, .sandbox], Self.widgets)
        game.push("elf")
        for lane in [lane, sandbox] { try game.end(game.take(lane), .tokenRefused(.bad)) }
        try game.end(game.take(lane), .tokenRefused(.bad))
        try game.end(game.take(sandbox), .accepted)
        #expect(game.take(lane) == nil && game.take(sandbox) == nil)
        let view = try game.view()
        #expect(Set(view.widgets.map(\.controlTokenState)) == [nil, .good, .refused])
        game.push("elf")
        #expect(game.take(lane) == nil && game.take(sandbox) != nil)
        game.harness.checkInvariants()
    }

    @Test func `A control without a token, or with a dead one, waits for a session`() throws {
        let bare = [Self.control("c1", "elf", token: nil), Self.control("c2", "orc", token: "dd")]
        var game = game(bare)
        game.push("elf")
        #expect(game.take() == nil && game.take(lane) == nil)
        game.push("orc")
        try game.end(game.take(lane), .tokenDead(since: nil, because: .unregistered))
        game.push("orc")
        #expect(game.take(lane) == nil)
        game.harness.checkInvariants()
    }

    @Test func `A token for a widget that is no control is refused, and says why`() throws {
        let game = PushedGame()
        let slot = game.harness.connect(.device, "phone")
        var widget = TestWidget.character("w1", "elf")
        widget.token = "aa"
        game.harness.device(
            slot,
            .widgets,
            #"{"device":"phone","widgets":[\#(widget.json)]}"#
        )
        let message = game.harness.step().compactMap { sent -> String? in
            if case .reject(_, _, .bodyInvalid, let message) = sent { message } else { nil }
        }.first
        #expect(message?.contains("widgets[0].pushToken is a control's") == true)
    }

    @Test func `A control that is removed while its push is under way changes nothing`() throws {
        var game = game(Self.widgets)
        game.push("elf")
        try game.end(game.take(), .accepted)
        let push = try #require(game.take(lane))
        let slot = game.harness.connect(.device, "phone")
        game.send(slot, device: "phone", [.character("w1", "elf")])
        game.harness.close(slot)
        try game.end(push, .tokenDead(since: nil, because: .unregistered))
        game.pass(30_000)
        game.push("elf")
        #expect(game.take() != nil)
        game.harness.checkInvariants()
    }

    @Test func `Tokens of controls and what APNs has said of them survive a restart`() throws {
        let limits = RouterHarness(catalog: .game).router.limits
        let store = StoreRun(limits: limits, seed: 1)
        var game = try PushedGame(store: store)
        game.harness.install(Self.catalog)
        game.harness.close(game.register("phone", token: nil, Self.widgets))
        game.pass(30_000)
        game.push("elf")
        try game.end(game.take(lane), .tokenRefused(.bad))
        try game.end(game.take(lane), .accepted)
        let before = try game.view()
        try game.harness.restart()
        let after = try game.view()
        let states = after.widgets.map(\.controlTokenState)
        #expect(states == before.widgets.map(\.controlTokenState))
        #expect(Set(states) == [nil, .good, .refused])
        game.connect()
        game.push("elf")
        let push = try #require(game.take(lane))
        try game.end(push, .accepted)
        #expect(game.take(lane) == nil)
        game.harness.checkInvariants()
    }
}
