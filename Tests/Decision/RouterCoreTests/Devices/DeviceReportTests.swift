import Basics
import FrameCodec
import RouterCore
import TestSupport
import Testing

extension RouterHarness {
    /// Passes the router a frame of a device that has come without a session.
    @discardableResult
    func report(
        _ type: FrameType,
        of device: String,
        _ body: String,
        app: String = "game",
        isOfGateway: Bool = false
    ) throws(ProtocolError) -> ReportAnswer {
        try body.withByteView { (body) throws(ProtocolError) in
            try router.report(
                type,
                of: device,
                app: app,
                isOfGateway: isOfGateway,
                body: body,
                now: now
            )
        }
    }

    @discardableResult
    func reportWidgets(
        _ device: String,
        _ widgets: [TestWidget],
        isOfGateway: Bool = false
    ) throws(ProtocolError) -> ReportAnswer {
        let list = widgets.map(\.json).joined(separator: ",")
        return try report(
            .widgets,
            of: device,
            #"{"pushToken":"7f3a","widgets":[\#(list)]}"#,
            isOfGateway: isOfGateway
        )
    }
}

/// Frames of devices that hold no session.
@Suite("A device that reports without a session")
struct DeviceReportTests {
    private let kit = [TestWidget.character("w", "kit"), TestWidget("s", "static")]

    private func code(_ body: () throws(ProtocolError) -> Void) -> ErrorCode? {
        do throws(ProtocolError) {
            try body()
            return nil
        } catch {
            return error.code
        }
    }

    private func view(_ harness: RouterHarness, _ device: String = "d") throws -> DeviceView {
        try harness.router.view(ofDevice: device, app: "game", now: harness.now)
    }

    @Test func `leaves the same state as one whose gateway sends the same frames`() throws {
        let (reported, sent) = (RouterHarness(), RouterHarness())
        let gateway = sent.connect(.gateway)
        let list = kit.map(\.json).joined(separator: ",")
        let date = reported.now.wall.rawValue + 3_600_000
        let frames: [(FrameType, String)] = [
            (.widgets, #""pushToken":"7f3a","widgets":[\#(list)]"#),
            (.timeline, #""widget":"w","entries":[\#(date)],"policy":"atEnd""#),
            (.timeline, #""widget":"s","entries":[],"policy":{"after":\#(date)},"ownTimer":true"#),
            (.state, #""foreground":true,"media":"audio","visible":["w"]"#),
            (.request, #""kind":"detail""#),
            (.widgets, #""widgets":[\#(TestWidget.character("w", "nim").json)]"#),
        ]
        for (type, members) in frames {
            try reported.report(type, of: "d", "{\(members)}")
            sent.device(gateway, type, #"{"device":"d",\#(members)}"#)
            for harness in [reported, sent] { harness.advance(10) }
        }
        sent.close(gateway)
        var (one, other) = (try view(reported), try view(sent))
        // A request that finds no session waits for one, which is a decision more.
        let reasons = one.decisions.map(\.reason).filter { $0 != .offline }
        #expect(reasons == other.decisions.map(\.reason))
        (one.decisions, other.decisions) = ([], [])
        #expect(one == other, "\(one) is not \(other)")
        let counts = (reported.router.storedCounts, sent.router.storedCounts)
        #expect(counts.0 == counts.1)
        for harness in [reported, sent] { harness.checkInvariants() }
    }

    @Test func `gets nothing until a session begins, and then what waits`() throws {
        let harness = RouterHarness()
        let publisher = harness.connect(.publisher, "p")
        #expect(try harness.reportWidgets("d", kit) == .registered(widgets: 2))
        harness.push(publisher, 1, #"{"character":"kit"}"#)
        #expect(harness.settle().isEmpty)
        #expect(try view(harness).connection == nil)
        let session = harness.open()
        harness.hello(session, .device, "d")
        let reloads = harness.settle()
        #expect(reloads.map(\.widgets) == [["w"]] && reloads.allSatisfy { $0.slot == session })
    }

    @Test func `keeps its session, which gets its reloads, and may begin before its first report`()
        throws
    {
        let harness = RouterHarness()
        let publisher = harness.connect(.publisher, "p")
        let session = harness.connect(.device, "d")
        try harness.reportWidgets("d", kit)
        #expect(try view(harness).connection == session)
        for seq in 1...3 as ClosedRange<UInt64> {
            harness.push(publisher, seq, #"{"character":"kit"}"#)
            let reload = try #require(harness.settle().first)
            #expect(reload.slot == session)
            let timeline = #"{"widget":"w","reload":\#(reload.seq),"entries":[],"policy":"never"}"#
            #expect(try harness.report(.timeline, of: "d", timeline) == .none)
            #expect(try view(harness).widgets.first?.isAnswered == true)
            #expect(try view(harness).connection == session)
        }
        // Removed and reported again, the device still has its session.
        #expect(try harness.reportWidgets("d", []) == .registered(widgets: 0))
        try harness.reportWidgets("d", kit)
        #expect(try view(harness).connection == session)
        harness.checkInvariants()
    }

    @Test func `stays with the gateway that speaks for it, which learns of its removal`() throws {
        let harness = RouterHarness()
        let publisher = harness.connect(.publisher, "p")
        let gateway = harness.connect(.gateway)
        harness.widgets(gateway, "d", [.character("w", "kit")])
        _ = harness.step()
        try harness.reportWidgets("d", kit, isOfGateway: true)
        harness.push(publisher, 1, #"{"character":"kit"}"#)
        #expect(harness.settle().map(\.slot) == [gateway])
        try harness.reportWidgets("d", [])
        let text = #"{"device":"d","reason":"removed"}"#
        #expect(harness.step() == [.detached(gateway, text)])
        harness.checkInvariants()
    }

    @Test func `is not spoken for by a gateway while it has a session of its own`() throws {
        let harness = RouterHarness()
        let session = harness.connect(.device, "d")
        let refused = code { () throws(ProtocolError) in
            try harness.reportWidgets("d", kit, isOfGateway: true)
        }
        #expect(refused == .deviceAttached)
        var count = harness.router.storedCounts.devices
        #expect(count == 0)
        harness.close(session)
        try harness.reportWidgets("d", kit, isOfGateway: true)
        count = harness.router.storedCounts.devices
        #expect(count == 1)
    }

    @Test func `is answered with what SCHEDULED says, if its timeline has a date`() throws {
        let harness = RouterHarness()
        try harness.reportWidgets("d", kit)
        let date = harness.now.wall.rawValue + 3_600_000
        let answer = try harness.report(
            .timeline,
            of: "d",
            #"{"widget":"w","entries":[],"policy":{"after":\#(date)}}"#
        )
        guard case .scheduled(let body) = answer else {
            Issue.record("\(answer)")
            return
        }
        let text = String(decoding: body, as: UTF8.self)
        #expect(text.hasPrefix(#"{"device":"d","widget":"w","reloadAt":"#), "\(text)")
        #expect(harness.step().isEmpty, "no session is answered")
        let never = #"{"widget":"w","entries":[],"policy":"never"}"#
        #expect(try harness.report(.timeline, of: "d", never) == .none)
        #expect(try view(harness).widgets.first?.date == nil)
    }

    @Test(
        arguments: [
            (.widgets, #"{"device":"e","widgets":[]}"#, .bodyInvalid),
            (.widgets, #"{"device":7,"widgets":[]}"#, .bodyInvalid),
            (.widgets, #"{"device":"d","device":"d","widgets":[]}"#, .payloadDuplicateKey),
            (.widgets, "{}", .bodyInvalid),
            (.widgets, "", .payloadNotJSON),
            (.widgets, "[]", .payloadNotObject),
            (.widgets, #"{"widgets":[{"id":"w","kind":"none"}]}"#, .kindUnknown),
            (.timeline, #"{"widget":"none","entries":[],"policy":"never"}"#, .widgetUnknown),
            (.timeline, #"{"widget":"w","entries":[2,1],"policy":"never"}"#, .timelineInvalid),
            (.timeline, #"{"widget":"w","entries":[],"policy":{"after":900}}"#, .timelineInvalid),
            (.state, #"{"visible":["none"]}"#, .widgetUnknown),
            (.request, #"{"because":"none"}"#, .bodyInvalid),
        ] as [(FrameType, String, ErrorCode)]
    )
    func `is refused as a session is, and then nothing has changed`(
        type: FrameType,
        body: String,
        wanted: ErrorCode
    ) throws {
        let harness = RouterHarness()
        try harness.reportWidgets("d", kit)
        let before = try view(harness)
        let refused = code { () throws(ProtocolError) in
            try harness.report(type, of: "d", body)
        }
        #expect(refused == wanted)
        #expect(try view(harness) == before)
        let rejections = harness.router.counters.rejections
        #expect(rejections == [wanted: 1])
    }

    @Test func `may name itself in the body, with escapes and white space, or leave that out`()
        throws
    {
        let harness = RouterHarness()
        for body in [
            #"{"widgets":[\#(kit[0].json)]}"#, "\n {  \"widgets\" : [\(kit[0].json)] } ",
            #"{"device":"d","widgets":[\#(kit[0].json)]}"#,
            #"{"widgets":[\#(kit[0].json)],"device":"\u0064"}"#,
        ] {
            #expect(try harness.report(.widgets, of: "d", body) == .registered(widgets: 1))
            #expect(try harness.report(.state, of: "d", "{}") == .none)
            let removed = try harness.report(.widgets, of: "d", #"{"widgets":[]}"#)
            #expect(removed == .registered(widgets: 0))
        }
    }

    @Test func `must be known, and its app declared`() {
        let harness = RouterHarness()
        let unknown = code { () throws(ProtocolError) in
            try harness.report(.request, of: "d", "{}")
        }
        #expect(unknown == .deviceUnknown)
        let app = code { () throws(ProtocolError) in
            try harness.report(.request, of: "d", "{}", app: "none")
        }
        #expect(app == .appUnknown)
    }

    @Test func `writes nothing when it says nothing new and has no tokens`() throws {
        let harness = RouterHarness()
        harness.keepJournal(.game)
        let body = #"{"widgets":[\#(kit[0].json)]}"#
        try harness.report(.widgets, of: "d", body)
        _ = harness.step()
        let replica = try #require(harness.replica)
        let count = replica.recordCount
        for _ in 0..<3 {
            try harness.report(.widgets, of: "d", body)
            try harness.reportWidgets("unknown", [])
            harness.advance(1_000)
            _ = harness.step()
        }
        #expect(replica.recordCount == count)
    }

    @Test func `writes only when it has given its tokens, if nothing else is new`() throws {
        let harness = RouterHarness()
        harness.keepJournal(.game)
        try harness.reportWidgets("d", kit)
        _ = harness.step()
        let replica = try #require(harness.replica)
        let written = (records: replica.recordCount, bytes: replica.byteCount)
        for _ in 0..<3 {
            harness.advance(1_000)
            try harness.reportWidgets("d", kit)
            _ = harness.step()
            let registeredAt = try view(harness).push?.registeredAt
            #expect(registeredAt == harness.now.wall)
        }
        #expect(replica.recordCount == written.records + 3)
        #expect(replica.byteCount - written.bytes < 3 * 60, "the list is not written again")
        let difference = replica.difference(from: harness.router)
        #expect(difference == nil)
    }

    @Test func `is in the foreground for minutes after its last STATE, and no longer`() throws {
        let harness = RouterHarness()
        harness.keepJournal(.game)
        try harness.reportWidgets("d", kit)
        let body = #"{"foreground":true,"media":"audio"}"#
        for _ in 0..<5 {
            try harness.report(.state, of: "d", body)
            harness.advance(4 * 60_000)
            _ = harness.step()
            #expect(try view(harness).isForeground, "it was renewed")
        }
        harness.advance(10 * 60_000)
        _ = harness.step()
        let view = try view(harness)
        #expect(!view.isForeground)
        let difference = try #require(harness.replica).difference(from: harness.router)
        #expect(difference == nil)
    }

    @Test func `wakes the router for the end of its foreground`() throws {
        let harness = RouterHarness()
        try harness.reportWidgets("d", kit)
        _ = harness.step()
        #expect(harness.router.nextWakeUp(after: harness.now) == nil)
        try harness.report(.state, of: "d", #"{"foreground":true}"#)
        _ = harness.step()
        let end = harness.router.nextWakeUp(after: harness.now)
        #expect(end == harness.now.monotonic + .minutes(5))
    }

    @Test func `stays in the foreground while it has a session`() throws {
        let harness = RouterHarness()
        try harness.reportWidgets("d", kit)
        try harness.report(.state, of: "d", #"{"foreground":true}"#)
        _ = harness.connect(.device, "d")
        harness.advance(60 * 60_000)
        _ = harness.step()
        #expect(try view(harness).isForeground)
    }

    @Test func `is in a recording as a gateway that comes and goes`() throws {
        let harness = RouterHarness()
        harness.record(#"{"apps":[1]}"#)
        try harness.report(.widgets, of: "d", #"{"widgets":[\#(kit[0].json)]}"#)
        _ = code { () throws(ProtocolError) in try harness.report(.request, of: "e", "{}") }
        #expect(
            try harness.captured().map(\.summary) == [
                #"0 apps 0 {"apps":[1]}"#,
                #"4294967295 hello 0 {"v":1,"role":"gateway","app":"game"}"#,
                #"4294967295 widgets 1 {"device":"d","widgets":[\#(kit[0].json)]}"#,
                "4294967295 ended 0 ",
            ]
        )
    }

    @Test func `shares the work of a connection with the other devices of its app`() throws {
        let harness = RouterHarness { limits in
            limits.workPerConnection = 100_000
            limits.workPerTick = 1_000_000
        }
        let widgets = (0..<200).map { TestWidget.character("w\($0)", "kit") }
        var isOverdrawn = harness.router.isOverdrawn(reportsOf: "game")
        #expect(!isOverdrawn)
        for device in 0..<5 { try harness.reportWidgets("d\(device)", widgets) }
        isOverdrawn = harness.router.isOverdrawn(reportsOf: "game")
        #expect(isOverdrawn)
        let isOther = harness.router.isOverdrawn(reportsOf: "news")
        #expect(!isOther, "another app has a share of its own")
        let known = harness.router.restEnd(ofReports: "game")
        let end = try #require(known)
        harness.advance((end - harness.now.monotonic).rawValue + 1)
        while harness.router.isOverdrawn(reportsOf: "game") { _ = harness.step() }
        let later = harness.router.restEnd(ofReports: "game")
        #expect(later == nil)
    }

    @Test(arguments: seeds(12))
    func `leaves a journal that leads to the same state, whatever else happens`(
        seed: UInt64
    )
        throws
    {
        let harness = RouterHarness()
        harness.keepJournal(.game, seed: 1)
        var random = SeededGenerator(seed: seed)
        let publisher = harness.connect(.publisher, "p")
        let gateway = harness.connect(.gateway)
        var sessions: [String: ConnectionSlot] = [:]
        var seq: UInt64 = 0
        for _ in 0..<300 {
            let device = "d\(random.below(4))"
            let widgets = (0..<random.below(4)).map {
                TestWidget.character("w\($0)", random.pick(["kit", "nim"]))
            }
            switch random.below(9) {
            case 0...1: _ = try? harness.reportWidgets(device, widgets, isOfGateway: seed % 2 == 0)
            case 2: _ = try? harness.report(.request, of: device, "{}")
            case 3:
                let date = harness.now.wall.rawValue + Int64(random.below(60_000))
                let body = #"{"widget":"w0","entries":[],"policy":{"after":\#(date)}}"#
                _ = try? harness.report(.timeline, of: device, body)
            case 4:
                let isForeground = random.below(2) == 0
                let body = #"{"foreground":\#(isForeground),"visible":["w0"]}"#
                _ = try? harness.report(.state, of: device, body)
            case 5:
                if let slot = sessions.removeValue(forKey: device) {
                    harness.close(slot)
                } else {
                    sessions[device] = harness.connect(.device, device)
                }
            case 6:
                if sessions[device] == nil { harness.widgets(gateway, device, widgets) }
            case 7:
                seq += 1
                harness.push(publisher, seq, #"{"character":"\#(random.pick(["kit", "nim"]))"}"#)
            default:
                harness.advance(Int64(random.below(20_000)))
                _ = harness.settle()
            }
            _ = harness.step()
        }
        harness.checkInvariants()
        let replica = try #require(harness.replica)
        let difference = replica.difference(from: harness.router)
        #expect(difference == nil, "seed \(seed)")
        #expect(replica.recordCount > 20, "seed \(seed) says little")
    }
}
