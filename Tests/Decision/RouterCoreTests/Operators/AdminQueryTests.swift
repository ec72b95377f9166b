import Basics
import FrameCodec
import TestSupport
import Testing

@testable import RouterCore

@Suite("Operators see")
struct AdminQueryTests {
    private let harness = RouterHarness()

    private func view(_ device: String, app: String = "game") throws -> DeviceView {
        try harness.router.view(ofDevice: device, app: app, now: harness.now)
    }

    private func devices(after: String? = nil, limit: Int, portion: Int = 1) throws -> DeviceWalk {
        var walk = try harness.router.beginDevices(app: "game", after: after, limit: limit)
        while !harness.router.resume(&walk, count: portion) {}
        return walk
    }

    @Test("of each connection who speaks, for how many devices, and whether it is held")
    func connections() {
        let silent = harness.open()
        let publisher = harness.connect(.publisher, "p")
        let gateway = harness.connect(.gateway, nil)
        let device = harness.connect(.device, "d")
        for name in ["a", "b"] { harness.widgets(gateway, name, [.character("w", "kit")]) }
        harness.push(publisher, 1, #"{"character":"kit"}"#)
        let all = harness.router.connections(from: 0, limit: 10)
        #expect(all.next == nil)
        #expect(all.found.map(\.slot) == [silent, publisher, gateway, device])
        #expect(all.found.map(\.role) == ["awaitingHello", "publisher", "gateway", "device"])
        #expect(all.found.map(\.app) == [nil, "game", "game", "game"])
        #expect(all.found.map(\.name) == [nil, "p", nil, "d"])
        #expect(all.found.map(\.frames) == [0, 2, 3, 1])
        #expect(all.found.map(\.devices) == [0, 0, 2, 0])
        #expect(all.found.map(\.unacknowledged) == [0, 1, 2, 0])
        let page = harness.router.connections(from: 0, limit: 2)
        #expect(page.found.map(\.slot) == [silent, publisher] && page.next == gateway)
        let last = harness.router.connections(from: 3, limit: 2)
        #expect(last.found.map(\.slot) == [device])
    }

    @Test("for how many devices a session speaks, also when these come and go")
    func attached() {
        let gateway = harness.connect(.gateway, nil)
        func count(_ slot: ConnectionSlot) -> Int? {
            harness.router.connections(from: slot, limit: 1).found.first?.devices
        }
        harness.widgets(gateway, "a", [.character("w", "kit")])
        harness.widgets(gateway, "b", [.character("w", "kit")])
        #expect(count(gateway) == 2)
        let device = harness.connect(.device, "a")
        #expect(count(gateway) == 1 && count(device) == 1)
        harness.widgets(device, "a", [])
        #expect(count(device) == 0)
        harness.widgets(gateway, "b", [])
        #expect(count(gateway) == 0)
    }

    @Test("of each app how much is stored and has happened")
    func apps() throws {
        let gateway = harness.connect(.gateway, nil)
        let publisher = harness.connect(.publisher, "p")
        harness.widgets(gateway, "a", [.character("w", "kit"), .character("v", "fox")])
        harness.widgets(gateway, "b", [.character("w", "kit")])
        harness.push(publisher, 1, #"{"character":"kit"}"#)
        _ = harness.settle()
        var app = try harness.router.view(ofApp: "game")
        #expect(app.kinds == 4 && app.devices == 2 && app.widgets == 3)
        #expect(app.pushes == 1 && app.reloads == 2)
        harness.widgets(gateway, "a", [])
        app = try harness.router.view(ofApp: "game")
        #expect(app.devices == 1 && app.widgets == 1)
        #expect(harness.router.appViews.map(\.app) == ["game", "news"])
        #expect(harness.router.appViews.last?.devices == 0)
        #expect(throws: ProtocolError.self) { try harness.router.view(ofApp: "other") }
    }

    @Test("devices page by page, each once, whatever goes in between")
    func pages() throws {
        let gateway = harness.connect(.gateway, nil)
        for index in 0..<10 { harness.widgets(gateway, "d\(index)", [.character("w", "kit")]) }
        let first = try devices(limit: 4, portion: 3)
        #expect(first.devices.map(\.device) == ["d0", "d1", "d2", "d3"])
        #expect(first.last == "d3")
        harness.widgets(gateway, "d5", [])
        let second = try devices(after: "d3", limit: 4)
        #expect(second.devices.map(\.device) == ["d4", "d6", "d7", "d8"])
        let third = try devices(after: second.last, limit: 4, portion: 100)
        #expect(third.devices.map(\.device) == ["d9"] && third.last == nil)
        #expect(try devices(limit: 9).last == nil)
        #expect(first.devices.allSatisfy { $0.isOnline && $0.widgets == 1 })
        harness.close(gateway)
        #expect(try devices(limit: 1).devices.map(\.isOnline) == [false])
        #expect(throws: ProtocolError.self) { try devices(after: "d5", limit: 4) }
        #expect(throws: ProtocolError.self) {
            try harness.router.beginDevices(app: "other", after: nil, limit: 1)
        }
    }

    @Test("that an unknown device is unknown")
    func unknown() {
        #expect(throws: ProtocolError.self) { try view("d") }
        #expect(throws: ProtocolError.self) { try view("d", app: "other") }
    }

    @Test("what a widget shows, waits for and has left, and why")
    func widget() throws {
        let kind = KindDeclaration.character {
            $0.budget = .fixed(10, spacing: 60_000)
            $0.inlines = ["hp"]
        }
        let scheduling = SchedulingHarness([kind])
        let slot = scheduling.device("d", [.character("w", "kit")])
        func look() throws -> (device: DeviceView, widget: WidgetView) {
            let device = try scheduling.router.router.view(
                ofDevice: "d",
                app: "game",
                now: scheduling.router.now
            )
            return (device, try #require(device.widgets.first))
        }
        var (device, widget) = try look()
        #expect(device.connection == slot && !device.isForeground && device.media == nil)
        #expect(widget.widget == "w" && widget.kind == "detail" && widget.stage == "idle")
        #expect(widget.configuration == #"{"character":"kit"}"#)
        #expect(widget.cause == nil && widget.lastReload == 0 && widget.lastReloadAt == nil)
        #expect(widget.isAnswered && widget.date == nil && widget.inlinedValues == "{}")
        #expect(widget.budget?.used == 0 && widget.budget?.nextAt == nil)

        scheduling.push(#"{"character":"kit","hp":7}"#)
        _ = scheduling.settle()
        scheduling.push(#"{"character":"kit","hp":8}"#)
        _ = scheduling.settle()
        scheduling.state(slot, "d", #""foreground":false,"media":"audio""#)
        scheduling.state(slot, "d", #""media":null"#)
        (device, widget) = try look()
        #expect(widget.stage == "idle" || widget.stage == "deferred")
        #expect(widget.inlinedValues == #"{"hp":8}"#)
        #expect(widget.lastReload > 0 && !widget.isAnswered)
        #expect(device.decisions.last?.text.isEmpty == false)
        #expect(device.decisions.contains { $0.reason == .sent && $0.text == "reloads" })
        #expect(device.decisions.contains { $0.reason == .spacing && $0.until != nil })
    }

    /// They stand in protocol/admin.openapi.json, and readers depend on them.
    @Test("the stages have the names that the admin API's document lists")
    func stageNames() {
        #expect(
            ReloadStage.allCases.map(\.name)
                == ["idle", "debounced", "deferred", "queued", "held", "ready"]
        )
    }

    @Test(
        "a reload whose device has no session is held, whether there is something to decide or not",
        arguments: [BudgetPolicy.fixed(10, spacing: 60_000), .unlimited]
    )
    func absentDevice(budget: BudgetPolicy) throws {
        let scheduling = SchedulingHarness([.character { $0.budget = budget }])
        let slot = scheduling.device("d", [.character("w", "kit")])
        scheduling.router.close(slot)
        scheduling.push(#"{"character":"kit","hp":7}"#)
        _ = scheduling.settle()
        let device = try scheduling.router.router.view(
            ofDevice: "d",
            app: "game",
            now: scheduling.router.now
        )
        #expect(device.connection == nil && device.widgets.first?.stage == "held")
    }

    @Test("whether a device has a widget's values, or a pending reload will bring them")
    func values() throws {
        let kind = KindDeclaration.character {
            $0.budget = .fixed(10, spacing: 60_000)
            $0.observes = ["hp"]
            $0.inlines = ["hp"]
        }
        let scheduling = SchedulingHarness([kind])
        _ = scheduling.device("d", [.character("w", "kit")])
        func state() throws -> WidgetView.ValueState? {
            let router = scheduling.router
            return try router.router.view(ofDevice: "d", app: "game", now: router.now)
                .widgets[0].valueState
        }
        #expect(try state() == nil, "no value is known")
        scheduling.push(#"{"character":"kit","hp":7}"#)
        _ = scheduling.settle()
        #expect(try state() == .sent)
        scheduling.push(#"{"character":"kit","hp":7}"#)
        _ = scheduling.settle()
        #expect(try state() == .sent, "nothing has changed")
        scheduling.push(#"{"character":"kit","hp":8}"#)
        _ = scheduling.settle()
        #expect(try state() == .waiting, "the spacing delays its reload")
    }

    @Test("that a value may have come without a reload if its field is not observed")
    func valuesThatAreNotObserved() throws {
        let kind = KindDeclaration.character {
            $0.observes = ["hp"]
            $0.inlines = ["hp", "mana"]
        }
        let scheduling = SchedulingHarness([kind])
        _ = scheduling.device("d", [.character("w", "kit")])
        scheduling.push(#"{"character":"kit","hp":7,"mana":1}"#)
        _ = scheduling.settle()
        scheduling.push(#"{"character":"kit","mana":2}"#)
        _ = scheduling.settle()
        let router = scheduling.router
        let widget = try router.router.view(ofDevice: "d", app: "game", now: router.now).widgets[0]
        #expect(widget.inlinedValues == #"{"hp":7,"mana":2}"#)
        #expect(widget.stage == "idle" && widget.valueState == .known)
    }

    @Test("when a date has its place, and how long a reload waits at most")
    func dates() throws {
        let origins = [OriginDeclaration(origin: "api", perSecond: 1, undelayed: 0)]
        let kind = KindDeclaration.unlimited { $0.origin = "api" }
        let scheduling = SchedulingHarness([kind], origins: origins)
        let slots = (0..<3).map { scheduling.device("d\($0)", [.character("w", "kit")]) }
        scheduling.router.timeline(slots[0], "d0", "w", policy: scheduling.after(60_000))
        _ = scheduling.settle()
        let now = scheduling.router.now
        let requestScheduled = try scheduling.router.router.view(
            ofDevice: "d0",
            app: "game",
            now: now
        )
        let date = try #require(requestScheduled.widgets.first?.date)
        #expect(date.at.rawValue >= scheduling.date(60_000))
        #expect(date.slot == date.at - date.at.offsetInSecond)
        scheduling.push(#"{"character":"kit"}"#)
        _ = scheduling.settle()
        let waits = try (0..<3).map { index in
            try scheduling.router.router.view(ofDevice: "d\(index)", app: "game", now: now)
                .widgets[0].waitsUntil
        }
        #expect(waits.compactMap { $0 }.allSatisfy { $0 > now.wall && $0 <= now.wall + 4_000 })
        #expect(waits.contains { $0 != nil })
        let view = scheduling.router.router.originViews(after: nil, limit: 9, now: now).found
        #expect(view.first { $0.origin == "api" }?.waiting ?? 0 > 0)
    }

    @Test("the origins of apps, page by page, and no more of them at once than take half a ms")
    func originPages() {
        let count = 600
        let apps = (0..<3).map { app in
            AppDeclaration(
                app: "game-\(app)",
                origins: (0..<(count / 3 - 1)).map {
                    OriginDeclaration(origin: "o\($0)", perSecond: 1)
                },
                kinds: []
            )
        }
        let harness = RouterHarness(catalog: AppCatalog(apps: apps))
        func names(limit: Int) -> (names: [String], pages: Int) {
            var (names, pages) = ([] as [String], 0)
            var after: OriginID?
            repeat {
                let page = harness.router.originViews(after: after, limit: limit, now: harness.now)
                #expect(page.found.count <= min(limit, Router.originsPerPage))
                names += page.found.map { "\($0.app) \($0.origin)" }
                pages += 1
                after = page.next
            } while after != nil && pages < 1_000
            return (names, pages)
        }
        let whole = names(limit: 1_000)
        #expect(whole.names.count == count && Set(whole.names).count == count && whole.pages == 3)
        #expect(names(limit: 7).names == whole.names)
        let end = OriginID(index: 5_000)
        let beyond = harness.router.originViews(after: end, limit: 1, now: harness.now)
        #expect(beyond.found.isEmpty && beyond.next == nil)
    }
}
