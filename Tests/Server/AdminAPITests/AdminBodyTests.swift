import FrameCodec
import ReloadModel
import StrictJSON
import Testing

@testable import AdminAPI
@testable import RouterCore

@Suite("The bodies of answers")
struct AdminBodyTests {
    private static let appFile = Array(
        #"""
        {"apps":[{"app":"game","publisherTokens":["secret-1","secret-2"],"deviceTokens":[],
          "kinds":[{"kind":"detail","observes":["hp"]}]},
         {"app":"n\u0065ws","gatewayTokens":["secret-3"],"quotas":{"storedBytes":9},"kinds":[]}]}
        """#.utf8
    )

    private func text(_ body: some AdminBody) -> String {
        var json = JSONWriter()
        body.write(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test func theAppFileIsAnsweredWithoutItsTokens() {
        let text = text(AppFileBody(source: Self.appFile))
        #expect(
            text == #"{"apps":[{"app":"game","publisherTokens":["(secret)","(secret)"],"#
                + #""deviceTokens":[],"kinds":[{"kind":"detail","observes":["hp"]}]},"#
                + #"{"app":"n\u0065ws","gatewayTokens":["(secret)"],"quotas":{"storedBytes":9},"#
                + #""kinds":[]}]}"#
        )
    }

    @Test func anAppIsAnsweredWithItsTokensCounted() {
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
            text(AppBody(view, source: Self.appFile))
                == #"{"app":"n\u0065ws","gatewayTokens":1,"kinds":[],"isPaused":true,"devices":1,"#
                + #""widgets":2,"pushes":3,"reloads":4,"used":{"devices":1,"storedBytes":5},"#
                + #""quotas":{"storedBytes":6}}"#
        )
    }

    @Test func whatIsNotThereIsNull() {
        let device = DeviceView(
            app: "game",
            device: "d",
            isPaused: false,
            connection: nil,
            isForeground: false,
            media: nil,
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
                    inlinedValues: nil
                )
            ],
            decisions: []
        )
        #expect(
            text(DeviceBody(device))
                == #"{"app":"game","device":"d","isPaused":false,"isOnline":false,"#
                + #""connection":null,"session":{"foreground":false,"media":null},"#
                + #""widgets":[{"widget":"w","kind":"detail","#
                + #""configuration":{"character":"kit"},"stage":"idle","cause":null,"#
                + #""waitsUntil":null,"lastReload":0,"lastReloadAt":null,"isAnswered":true,"#
                + #""date":null,"budget":null,"shown":null}],"decisions":[]}"#
        )
    }

    @Test func refusedLinesAreNamedByTheirNumbers() {
        let body = PushesBody(
            accepted: 1,
            matched: 7,
            lastSeq: 3,
            rejected: [.init(line: 2, code: "payload-not-object", detail: "it is a list")],
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
        let body = PushesBody(accepted: 5, matched: 6, lastSeq: 5, rejected: [], outcome: outcome)
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
