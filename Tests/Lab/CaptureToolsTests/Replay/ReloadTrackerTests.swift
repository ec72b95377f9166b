import Basics
import EventPatterns
import TestSupport
import Testing

@testable import CaptureTools

@Suite("What a replay knows of widgets")
struct ReloadTrackerTests {
    private let tracker = ReloadTracker(
        [
            AppDeclaration(
                app: "game",
                kinds: [
                    KindDeclaration(
                        kind: "detail",
                        rule: EventPattern(conditions: [
                            .field("character", [.equals(.parameter("character"))])
                        ])
                    )
                ]
            )
        ],
        streams: 1
    )

    private func process() {
        var recorder = ReplayRecorder()
        while tracker.step(&recorder) {}
    }

    private func register(_ widgets: String) {
        let body = #"{"device":"d","widgets":[\#(widgets)]}"#
        body.withByteView { tracker.registered($0, app: 0, stream: 0) }
        process()
    }

    private func push(_ character: String) {
        let payload = #"{"character":"\#(character)"}"#
        payload.withByteView { tracker.pushed($0, kinds: nil, app: 0, intended: 5) }
        process()
    }

    private static func widget(
        _ id: String,
        _ configuration: String,
        kind: String = "detail"
    )
        -> String
    {
        #"{"id":"\#(id)","kind":"\#(kind)","configuration":\#(configuration)}"#
    }

    @Test(
        "stays as it is when a device sends widgets of which one is refused",
        arguments: [
            widget("w2", #"{"character":["elf",{}]}"#), widget("w2", "{}", kind: "other"),
            #"{"id":1}"#,
        ]
    )
    func refused(last: String) {
        tracker.reach(stream: 0, at: 1)
        register(Self.widget("w", #"{"character":"elf"}"#))
        register([Self.widget("w", #"{"character":"orc"}"#), last].joined(separator: ","))
        #expect(tracker.widgetCount == 1 && tracker.deviceCount == 1)
        push("orc")
        #expect(tracker.matchCount == 0)
        push("elf")
        #expect(tracker.matchCount == 1 && tracker.waitingCount == 1)
        register("")
        #expect(tracker.widgetCount == 0 && tracker.waitingCount == 0)
        push("elf")
        #expect(tracker.matchCount == 1, "no widget is left in the matcher")
    }
}
