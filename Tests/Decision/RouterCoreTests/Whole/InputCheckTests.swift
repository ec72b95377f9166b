import Basics
import FrameCodec
import ReloadScheduling
import StoreFormat
import TestSupport
import Testing
import WidgetMatching

@testable import RouterCore

@Suite("Of a log that no router has written, a router that follows it says")
struct InputCheckTests {
    /// The log of a router with a publisher, two devices behind a gateway, and four widgets:
    /// numbers 0 to 3 of them all, in this order.
    private static func log() -> [UInt8] {
        let harness = RouterHarness(catalog: AppCatalog(apps: []))
        harness.router.startJournal()
        harness.router.install(.game, source: AppCatalog.game.source)
        _ = harness.connect(.publisher, "p")
        let gateway = harness.connect(.gateway)
        for device in ["a", "b"] {
            let widgets = [TestWidget.character("v", "kit"), TestWidget("w", "static")]
            harness.widgets(gateway, device, widgets)
        }
        return harness.router.journalBytes.array
    }

    /// What a router says of inputs behind that log; nil if it applies them.
    private func problem(_ inputs: (inout StoreWriter) -> Void) -> String? {
        var router = Router(catalog: AppCatalog(apps: []), limits: RouterLimits(), seed: 1)
        router.beginFollowing()
        var writer = StoreWriter()
        inputs(&writer)
        do throws(StoreError) {
            try Self.log().withByteView { (body) throws(StoreError) in try router.follow(body) }
        } catch {
            Issue.record("\(error)")
        }
        do throws(StoreError) {
            try router.follow(writer.bytes)
            return nil
        } catch {
            return error.message
        }
    }

    /// Puts matches of the producer, of one push each.
    private static func put(
        _ widgets: [WidgetID],
        tag: UInt32 = 0,
        number: UInt64? = nil,
        isNew: Bool = true,
        areApplied: Bool,
        to writer: inout StoreWriter
    ) {
        let matches = widgets.map { WidgetMatch(widget: $0, tag: tag) }
        let push = MatchedPush(
            tag: tag,
            fanOut: number ?? UInt64(tag) + 1,
            reloadsSince: 0,
            expiresAt: .max
        )
        let pushes = isNew ? [push] : []
        RouterInput.matched(
            source: .producer(0),
            areApplied: areApplied,
            pushes: pushes.span,
            matches: matches.span
        )
        .write(to: &writer)
    }

    /// Ends a batch of this many pushes, the last of which has the number `lastSeq`, or `count`.
    private static func endBatch(
        _ count: UInt64,
        lastSeq: UInt64? = nil,
        to writer: inout StoreWriter
    ) {
        RouterInput.batchEnded(source: .producer(0), last: lastSeq ?? count, count: count)
            .write(to: &writer)
    }

    /// Puts a WIDGETS that forgets device b.
    private static func forgetDevice(to writer: inout StoreWriter) {
        #"{"device":"b","widgets":[]}"#.withByteView { body in
            RouterInput.deviceFrame(connection: 1, type: .widgets, body: body).write(to: &writer)
        }
    }

    /// Puts the report of a WIDGETS that forgets device b.
    private static func putReport(
        app: AppID,
        type: FrameType = .widgets,
        to writer: inout StoreWriter
    ) {
        #"{"device":"b","widgets":[]}"#.withByteView { body in
            RouterInput.deviceReported(app: app, type: type, body: body).write(to: &writer)
        }
    }

    @Test("nothing, if one could have")
    func legal() {
        let problem = problem { writer in
            Self.put([0, 2], areApplied: true, to: &writer)
            Self.endBatch(1, to: &writer)
            RouterInput.delivered(device: 1).write(to: &writer)
            Self.put([1, 3], tag: 2, areApplied: false, to: &writer)
            Self.put([1], tag: 2, isNew: false, areApplied: false, to: &writer)
            Self.endBatch(3, to: &writer)
            RouterInput.portionApplied(count: 1).write(to: &writer)
            Self.forgetDevice(to: &writer)
            RouterInput.slotsTaken(kind: 0, dates: [.min, 0, .max].span).write(to: &writer)
            // A widget that is gone is passed over.
            RouterInput.portionApplied(count: 2).write(to: &writer)
            RouterInput.sessionEnded(connection: 0).write(to: &writer)
            RouterInput.producersForgotten([0].span).write(to: &writer)
        }
        #expect(problem == nil)
    }

    @Test("nothing of dates in another unit and of strange tokens, which older versions accepted")
    func framesOfAnOlderVersion() {
        let problem = problem { writer in
            let body = #"{"device":"a","widget":"v","entries":[900],"policy":{"after":1700000060}}"#
            let token = #"{"device":"b","pushToken":"<7f>","widgets":[{"id":"w","kind":"static"}]}"#
            token.withByteView { body in
                RouterInput.deviceFrame(connection: 1, type: .widgets, body: body)
                    .write(to: &writer)
            }
            RouterInput.clock(
                Instant(monotonic: 6_000, wall: 1_700_000_000_000),
                ScheduleClock(Instant(monotonic: 6_000, wall: 1_700_000_000_000))
            ).write(to: &writer)
            body.withByteView { body in
                RouterInput.deviceFrame(connection: 1, type: .timeline, body: body)
                    .write(to: &writer)
            }
        }
        #expect(problem == nil)
    }

    @Test("that the push numbers of a producer go back, or come twice", arguments: [UInt64(6), 7])
    func pushNumbers(seq: UInt64) {
        let problem = problem { writer in
            Self.endBatch(1, lastSeq: 7, to: &writer)
            Self.endBatch(1, lastSeq: 8, to: &writer)
            Self.endBatch(1, lastSeq: seq, to: &writer)
        }
        #expect(
            problem?.hasPrefix("the push numbers of producer 0 go back from 8 to \(seq)") == true,
            "\(problem ?? "nothing")"
        )
    }

    @Test("that a match is of a widget or a push that there is not")
    func matches() {
        let widget = problem { Self.put([0, 9], areApplied: true, to: &$0) }
        #expect(widget?.hasPrefix("there is no widget 9") == true, "\(widget ?? "nothing")")
        let push = problem { Self.put([0], isNew: false, areApplied: true, to: &$0) }
        #expect(push?.hasPrefix("a match is of no push") == true, "\(push ?? "nothing")")
    }

    @Test("that a push or a batch has another number: by these it is known what was removed since")
    func numbers() {
        let push = problem { Self.put([0], number: 9, areApplied: false, to: &$0) }
        #expect(
            push?.hasPrefix("push 0 of a batch has the number 9") == true,
            "\(push ?? "nothing")"
        )
        for count in [0, 2, 33] as [UInt64] {
            let batch = problem { writer in
                Self.put([0, 2], tag: 2, areApplied: false, to: &writer)
                Self.endBatch(count, lastSeq: 3, to: &writer)
            }
            let sentence = "a batch of \(count) pushes, of which 3 are known"
            #expect(batch?.hasPrefix(sentence) == true, "\(batch ?? "nothing")")
        }
    }

    @Test("that a frame, which may remove a widget, is within a batch that is searched for")
    func frames() {
        let frame = problem { writer in
            Self.put([0, 2], areApplied: false, to: &writer)
            Self.forgetDevice(to: &writer)
        }
        #expect(frame?.hasPrefix("a frame within a batch") == true, "\(frame ?? "nothing")")
        let report = problem { writer in
            Self.put([0, 2], areApplied: false, to: &writer)
            Self.putReport(app: 0, to: &writer)
        }
        #expect(report?.hasPrefix("a report within a batch") == true, "\(report ?? "nothing")")
    }

    @Test("that a device has reported of which there is no app, or what no device reports")
    func reports() {
        #expect(problem { Self.putReport(app: 1, to: &$0) } == nil)
        let app = problem { Self.putReport(app: 9, to: &$0) }
        #expect(app?.hasPrefix("there is no app 9") == true, "\(app ?? "nothing")")
        let push = problem { Self.putReport(app: 0, type: .push, to: &$0) }
        #expect(push?.hasPrefix("no device sends such a frame") == true, "\(push ?? "nothing")")
        let refused = problem { Self.putReport(app: 0, type: .timeline, to: &$0) }
        #expect(refused?.hasPrefix("reported was refused") == true, "\(refused ?? "nothing")")
    }

    @Test("that an app file is installed while pushes are delivered")
    func catalogs() {
        let source = AppCatalog.game.source
        for areApplied in [true, false] {
            let catalog = problem { writer in
                Self.put([0], areApplied: areApplied, to: &writer)
                source.withByteView {
                    RouterInput.catalogInstalled(.game, source: $0, revision: 0, after: nil)
                        .write(to: &writer)
                }
            }
            #expect(catalog?.hasPrefix("an app file is installed during") == true)
        }
    }

    @Test("that more matches are applied than wait, or a batch begins within another")
    func portions() {
        let portion = problem { RouterInput.portionApplied(count: 1).write(to: &$0) }
        #expect(portion?.hasPrefix("1 matches are more than wait") == true)
        let batch = problem { writer in
            Self.put([0], areApplied: false, to: &writer)
            Self.put([2], tag: 1, areApplied: true, to: &writer)
        }
        #expect(batch?.hasPrefix("a batch begins within another") == true, "\(batch ?? "nothing")")
    }

    @Test("that a producer is forgotten twice, or while it is in use")
    func producers() {
        let used = problem { RouterInput.producersForgotten([0].span).write(to: &$0) }
        #expect(used?.hasPrefix("producer 0 was forgotten while it was in use") == true)
        let twice = problem { writer in
            RouterInput.sessionEnded(connection: 0).write(to: &writer)
            RouterInput.producersForgotten([0, 0].span).write(to: &writer)
        }
        #expect(twice?.hasPrefix("there is no producer 0") == true, "\(twice ?? "nothing")")
    }

    @Test("that requests with keys are none that can be")
    func requests() {
        let key = RequestKey(high: 1, low: 2, content: 3)
        func begin(_ seq: UInt64, content: UInt32 = 3, to writer: inout StoreWriter) {
            let key = RequestKey(high: 1, low: 2, content: content)
            RouterInput.requestBegan(producer: 0, key: key, firstSeq: seq).write(to: &writer)
        }
        func end(_ lines: Int, to writer: inout StoreWriter) {
            RouterInput.requestEnded(producer: 0, lines: lines).write(to: &writer)
        }
        let right = problem { writer in
            begin(5, to: &writer)
            Self.endBatch(2, lastSeq: 6, to: &writer)
            end(0, to: &writer)
            begin(9, to: &writer)
            Self.endBatch(1, lastSeq: 11, to: &writer)
            end(3, to: &writer)
            RouterInput.requestKeysForgotten(app: 0, count: 1).write(to: &writer)
        }
        #expect(right == nil)
        let wrong: [(String, (inout StoreWriter) -> Void)] = [
            (
                "no session speaks for producer 7",
                { writer in
                    RouterInput.requestBegan(producer: 7, key: key, firstSeq: 1).write(to: &writer)
                }
            ),
            ("a request begins with push 0", { begin(0, to: &$0) }),
            (
                "a request of producer 0 begins within another",
                { writer in
                    begin(1, to: &writer)
                    begin(1, to: &writer)
                }
            ),
            (
                "push 10001 of producer 0 is of no line",
                { writer in
                    begin(1, to: &writer)
                    Self.endBatch(1, lastSeq: 10_001, to: &writer)
                }
            ),
            (
                "push 5 of producer 0 is of no line",
                { writer in
                    begin(5, to: &writer)
                    Self.endBatch(2, lastSeq: 5, to: &writer)
                }
            ),
            (
                "a request of 2 lines ends after 1",
                { writer in
                    begin(1, to: &writer)
                    Self.endBatch(2, lastSeq: 2, to: &writer)
                    end(1, to: &writer)
                }
            ),
            (
                "a request that has ended begins",
                { writer in
                    begin(1, to: &writer)
                    Self.endBatch(1, lastSeq: 1, to: &writer)
                    end(1, to: &writer)
                    begin(2, to: &writer)
                }
            ),
            (
                "a request that has ended begins",
                { writer in
                    begin(1, to: &writer)
                    Self.endBatch(1, lastSeq: 1, to: &writer)
                    end(0, to: &writer)
                    begin(2, content: 4, to: &writer)
                }
            ),
            ("no request of producer 0 is under way", { end(1, to: &$0) }),
            (
                "app 0 has fewer than 1 keys",
                { writer in
                    RouterInput.requestKeysForgotten(app: 0, count: 1).write(to: &writer)
                }
            ),
        ]
        for (sentence, inputs) in wrong {
            let found = problem(inputs)
            #expect(found?.hasPrefix(sentence) == true, "\(sentence): \(found ?? "nothing")")
        }
    }

    @Test("that it names sessions, devices, widgets, apps and kinds that there are not")
    func names() {
        let session = problem { RouterInput.sessionEnded(connection: 7).write(to: &$0) }
        #expect(session?.hasPrefix("connection 7 has no session") == true)
        let attached = problem {
            RouterInput.deviceAttached(connection: 1, device: 5).write(to: &$0)
        }
        #expect(attached?.hasPrefix("there is no device 5") == true)
        let confirmed = problem { RouterInput.tokensConfirmed(device: 5).write(to: &$0) }
        #expect(confirmed?.hasPrefix("there is no device 5") == true)
        let none = problem { RouterInput.tokensConfirmed(device: 0).write(to: &$0) }
        #expect(none?.hasPrefix("device 0 has no tokens") == true)
        let timers = problem { RouterInput.timersFired(widgets: [0, 8].span).write(to: &$0) }
        #expect(timers?.hasPrefix("there is no widget 8") == true)
        let app = problem { RouterInput.appPaused(app: 9, isPaused: true).write(to: &$0) }
        #expect(app?.hasPrefix("there is no app 9") == true)
        let kind = problem { RouterInput.slotsTaken(kind: 99, dates: [1].span).write(to: &$0) }
        #expect(kind?.hasPrefix("there is no kind 99") == true)
        let offline = problem { writer in
            RouterInput.sessionEnded(connection: 1).write(to: &writer)
            RouterInput.delivered(device: 0).write(to: &writer)
        }
        #expect(offline?.hasPrefix("no session speaks for device 0") == true)
    }

    @Test("that time goes back")
    func time() {
        let early = Instant(monotonic: 1, wall: 1)
        let clock = problem { RouterInput.clock(early, ScheduleClock(early)).write(to: &$0) }
        #expect(clock?.hasPrefix("time goes back") == true)
    }
}
