import Basics
import FrameCodec
import TestSupport
import Testing

@testable import AdminAPI
@testable import RouterCore

@Suite("The bodies of answers")
struct AdminBodyTests {
    private static let appFile = Array(
        #"""
        {"apps":[{"app":"game","publishers":[{"id":"a"},{"id":"b"}],"devices":"open",
          "kinds":[{"kind":"detail","observes":["hp"]}]},
         {"app":"n\u0065ws","gateways":[{"id":"c"}],"quotas":{"storedBytes":9},"kinds":[]}]}
        """#.utf8
    )

    private func text(_ body: some AdminBody) -> String {
        var json = JSONWriter()
        body.write(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test func theAppFileIsAnsweredAsItIsStored() {
        let text = text(ObjectBody.appFile(source: Self.appFile))
        #expect(
            text == #"{"apps":[{"app":"game","publishers":[{"id":"a"},{"id":"b"}],"#
                + #""devices":"open","kinds":[{"kind":"detail","observes":["hp"]}]},"#
                + #"{"app":"n\u0065ws","gateways":[{"id":"c"}],"quotas":{"storedBytes":9},"#
                + #""kinds":[]}]}"#
        )
    }

    @Test func anAppIsAnsweredWithItsCredentialsCounted() {
        var view = AppView(
            app: "news",
            isPaused: true,
            kinds: 0,
            devices: 1,
            widgets: 2,
            pushes: 3,
            reloads: 4
        )
        view.used.storedBytes = 5
        view.used.devices = 1
        view.quotas.storedBytes = 6
        #expect(
            text(ObjectBody.app(view, source: Self.appFile))
                == #"{"app":"n\u0065ws","gateways":1,"kinds":[],"isPaused":true,"devices":1,"#
                + #""widgets":2,"pushes":3,"reloads":4,"used":{"devices":1,"storedBytes":5},"#
                + #""quotas":{"storedBytes":6}}"#
        )
    }

    @Test func aMemberOfTheFileThatIsAFigureHereStandsOnce() {
        let view = AppView(
            app: "game",
            isPaused: false,
            kinds: 1,
            devices: 2,
            widgets: 0,
            pushes: 0,
            reloads: 0
        )
        let app = text(ObjectBody.app(view, source: Self.appFile))
        let parts = app.split(separator: #""devices":"#)
        #expect(parts.count == 2 && parts[1].hasPrefix("2,"))
    }

    @Test func whatIsNotThereIsNull() {
        let device = DeviceView(
            app: "game",
            device: "d",
            isPaused: false,
            connection: nil,
            isForeground: false,
            media: nil,
            heardAt: 5_000,
            push: nil,
            widgets: [
                WidgetView(
                    widget: "w",
                    kind: "detail",
                    configuration: #"{"character":"kit"}"#,
                    stage: "idle",
                    cause: nil,
                    waitsUntil: nil,
                    lastReload: 0,
                    lastReloadAt: nil,
                    isAnswered: true,
                    date: nil,
                    budget: nil,
                    inlinedValues: nil,
                    valueState: nil
                )
            ],
            decisions: []
        )
        #expect(
            text(device)
                == #"{"app":"game","device":"d","isPaused":false,"isOnline":false,"#
                + #""connection":null,"session":{"foreground":false,"media":null},"#
                + #""heardAt":5000,"push":null,"#
                + #""widgets":[{"widget":"w","kind":"detail","#
                + #""configuration":{"character":"kit"},"stage":"idle","cause":null,"#
                + #""waitsUntil":null,"lastReload":0,"lastReloadAt":null,"isAnswered":true,"#
                + #""date":null,"budget":null,"shown":null,"token":null,"#
                + #""shownState":null}],"decisions":[]}"#
        )
    }

    @Test func aHistoryIsItsPointsAndItsMarks() {
        var history = MetricHistory()
        var reading = HistoryReading(time: 5_000, date: 100_000)
        history.record(reading)
        reading.time = 6_001
        reading.date = 101_001
        reading.counts.pushes = 1
        reading.counts.matched = 2
        reading.counts.reloads = 3
        reading.counts.putOff = 4
        reading.counts.rejected = 5
        reading.counts.ticks = 6
        reading.counts.receivedBytes = 7
        reading.counts.sentBytes = 8
        reading.levels.publishers = 9
        reading.levels.devices = 10
        reading.levels.gateways = 11
        reading.levels.pending = 12
        reading.latencies.pushToAck.p50 = 13_140
        reading.latencies.pushToAck.p99 = 240_000
        reading.latencies.pushToAck.longest = 1_000_000
        history.record(reading)
        let now = Instant(monotonic: reading.time, wall: reading.date)
        history.mark(.appFile, at: 100_500, now: now)
        let body = ObjectBody.history(
            at: 101_200,
            startedAt: 99_000,
            points: history.points(over: 1_000_000),
            marks: history.marks(over: 1_000_000, at: now)
        )
        #expect(
            text(body)
                == #"{"at":101200,"startedAt":99000,"points":[{"at":101001,"length":1001,"#
                + #""pushes":1,"matched":2,"reloads":3,"putOff":4,"rejected":5,"ticks":6,"#
                + #""bytesIn":7,"bytesOut":8,"publishers":9,"devices":10,"gateways":11,"#
                + #""pending":12,"pushToAck":{"p50":13.1,"p99":240,"max":1000},"#
                + #""pushToReload":null,"tick":null}],"marks":[{"at":100500,"event":"appFile"}]}"#
        )
    }

    @Test func refusedLinesAreNamedByTheirNumbers() {
        let body = PushesBody(
            accepted: 1,
            matched: 7,
            lastSeq: 3,
            refused: RefusedLines(
                count: 1,
                named: [.init(line: 2, code: "payload-not-object", detail: "it is a list")]
            ),
            outcome: PushesOutcome()
        )
        #expect(
            text(body)
                == #"{"accepted":1,"matched":7,"lastSeq":3,"rejected":[{"line":2,"#
                + #""code":"payload-not-object","detail":"it is a list"}],"outcome":{"missed":0,"#
                + #""duplicates":0,"counts":{},"widgets":[]}}"#
        )
    }

    @Test func whatBecameOfTheLinesOfARequestIsSummedUp() {
        var outcome = PushesOutcome()
        var message = OutcomeMessage()
        message.counts = [
            .init(outcome: "sent", widgets: 2), .init(outcome: "spacing", widgets: 1),
        ]
        message.widgets = (0..<3).map {
            .init(device: "d", widget: "w\($0)", kind: "k", outcome: "sent")
        }
        outcome.add(message)
        outcome.add(message)
        message = OutcomeMessage()
        message.isDuplicate = true
        outcome.add(message)
        message = OutcomeMessage()
        message.registered = 9
        outcome.add(message)
        message.nearest = .init(device: "d", widget: "w", kind: "k", field: "a", text: "t")
        outcome.add(message)
        let body = PushesBody(accepted: 5, matched: 6, lastSeq: 5, outcome: outcome)
        let widgets = ["w0", "w1", "w2", "w0"].map {
            #"{"device":"d","widget":"\#($0)","kind":"k","outcome":"sent"}"#
        }
        #expect(
            text(body)
                == #"{"accepted":5,"matched":6,"lastSeq":5,"rejected":[],"outcome":{"missed":2,"#
                + #""duplicates":1,"counts":{"sent":4,"spacing":2},"widgets":["#
                + widgets.joined(separator: ",") + #"],"registered":9,"nearest":{"device":"d","#
                + #""widget":"w","kind":"k","field":"a","text":"t"}}}"#
        )
    }
}
