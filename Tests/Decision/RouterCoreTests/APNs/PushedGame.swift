import Basics
import FrameCodec
import StoreFormat
import TestSupport
import Testing

@testable import RouterCore

extension AppCatalog {
    /// The game with settings for APNs.
    static func pushed(_ change: (inout APNsSettings) -> Void = { _ in }) -> AppCatalog {
        var catalog = AppCatalog.game
        var settings = APNsSettings(team: "ABCDE12345", key: "KEY0000001", bundle: "com.mygame")
        change(&settings)
        catalog.apps[0].apns = settings
        return catalog
    }
}

/// A game whose devices APNs reaches, with a publisher.
struct PushedGame {
    let harness: RouterHarness
    private(set) var publisher: ConnectionSlot
    private var seq: UInt64 = 0
    /// The lane of most devices.
    static let lane = APNsLaneID(app: AppID(index: 0), environment: .production, channel: .widgets)

    /// Stands for the token that only this device has.
    static let ownToken = "own"
    static func token(of device: String) -> String {
        if device == "phone" { return "c0ffee" }
        return device.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// A game whose journal a twin follows.
    init(_ change: (inout APNsSettings) -> Void = { _ in }) {
        harness = RouterHarness(catalog: AppCatalog(apps: []))
        harness.keepJournal(.pushed(change))
        publisher = harness.connect(.publisher, "server")
    }

    init(store: any RouterStore, _ change: (inout APNsSettings) -> Void = { _ in }) throws {
        harness = RouterHarness(catalog: AppCatalog(apps: []))
        try harness.keepStore(.pushed(change), store)
        publisher = harness.connect(.publisher, "server")
    }

    /// Installs another app file, until all devices have adopted it.
    func install(_ catalog: AppCatalog) {
        harness.install(catalog)
        _ = harness.settle()
    }

    /// Connects the publisher again, after a restart.
    mutating func connect() {
        publisher = harness.connect(.publisher, "server", slot: publisher)
    }

    /// Registers a device in a session of its own.
    func register(
        _ device: String,
        token: String? = Self.ownToken,
        app: String? = nil,
        environment: String? = nil,
        _ widgets: [TestWidget]
    ) -> ConnectionSlot {
        let slot = harness.connect(.device, device)
        send(slot, device: device, token: token, app: app, environment: environment, widgets)
        return slot
    }

    func send(
        _ slot: ConnectionSlot,
        device: String,
        token: String? = Self.ownToken,
        app: String? = nil,
        environment: String? = nil,
        _ widgets: [TestWidget]
    ) {
        let token = token == Self.ownToken ? Self.token(of: device) : token
        var members = token.map { #","pushToken":"\#($0)""# } ?? ""
        if let app { members += #","appPushToken":"\#(app)""# }
        if let environment { members += #","environment":"\#(environment)""# }
        let list = widgets.map(\.json).joined(separator: ",")
        harness.device(
            slot,
            .widgets,
            #"{"device":"\#(device)"\#(members),"widgets":[\#(list)]}"#
        )
        _ = harness.step()
    }

    /// Registers a device, and ends its session and its grace.
    func registerAndLeave(_ device: String, _ widgets: [TestWidget]) {
        harness.close(register(device, widgets))
        pass(30_000)
    }

    mutating func push(_ character: String, flags: UInt8 = 0, expiresAt: UInt64? = nil) {
        seq += 1
        let payload = #"{"character":"\#(character)"}"#
        harness.push(publisher, seq, payload, flags: flags, expiresAt: expiresAt)
        _ = harness.step()
    }

    /// Moves the clocks, and ends a turn.
    func pass(_ milliseconds: Int64) {
        harness.advance(milliseconds)
        _ = harness.step()
    }

    /// A lane of the game's.
    static func lane(_ channel: APNsChannel) -> APNsLaneID {
        APNsLaneID(app: AppID(index: 0), environment: .production, channel: channel)
    }

    /// The next push; nil if none is due.
    func take(_ lane: APNsLaneID = Self.lane) -> OutgoingAPNsPush? {
        let push = harness.router.makeAPNsPush(in: lane)
        harness.writeJournal()
        return push
    }

    func end(_ push: OutgoingAPNsPush?, _ outcome: APNsPushOutcome) throws {
        let push = try #require(push)
        harness.router.apnsPushEnded(push.device, number: push.number, outcome: outcome)
        harness.writeJournal()
        _ = harness.step()
    }

    /// What operators see of a device.
    func view(_ device: String = "phone") throws -> DeviceView {
        try harness.router.view(ofDevice: device, app: "game", now: harness.now)
    }

    /// The list of the game's ended tokens.
    func endedTokens(after number: UInt64 = 0) throws -> [EndedTokenView] {
        var walk = try harness.router.beginEndedTokens(app: "game", after: number, limit: 1_000)
        while !harness.router.resume(&walk, count: 2) {}
        return walk.tokens
    }

    var counts: APNsPushCounts { harness.router.counters.pushes }
}
