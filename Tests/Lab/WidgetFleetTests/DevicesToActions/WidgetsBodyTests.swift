import Foundation
import TestSupport
import Testing
import WidgetTimelines

@testable import RouterSimulation
@testable import WidgetFleet

@Suite("The body of WIDGETS")
struct WidgetsBodyTests {
    private func widget(_ id: String, _ choice: WidgetChoice = .none) -> SimulatedWidget {
        SimulatedWidget(
            id: id,
            kind: 0,
            family: .systemLarge,
            choice: choice,
            page: 0,
            now: 0,
            phase: 0
        )
    }

    private func text(
        _ token: Data?,
        _ widgets: [(kind: String, widget: SimulatedWidget)]
    ) -> String {
        String(
            decoding: WidgetsBody.write(device: "d\"1", token: token, widgets: widgets),
            as: UTF8.self
        )
    }

    @Test func `It names the device and its widgets, in order`() {
        #expect(text(nil, []) == #"{"device":"d\"1","widgets":[]}"#)
        #expect(
            text(nil, [("a", widget("w0")), ("b", widget("w1"))])
                == #"{"device":"d\"1","widgets":[{"id":"w0","kind":"a","family":"systemLarge"},"#
                + #"{"id":"w1","kind":"b","family":"systemLarge"}]}"#
        )
    }

    @Test func `The token is hexadecimal, two digits a byte`() {
        #expect(
            text(Data([0, 9, 16, 255]), [])
                == #"{"device":"d\"1","pushToken":"000910ff","widgets":[]}"#
        )
    }

    @Test func `What was chosen is the configuration`() throws {
        let provider = GameBundle.declarations[0].provider
        let choice = try provider.choose([("character", .text("elf-1"))])
        #expect(
            text(nil, [("k", widget("w", choice))])
                == #"{"device":"d\"1","widgets":[{"id":"w","kind":"k","family":"systemLarge","#
                + #""configuration":{"character":"elf-1"}}]}"#
        )
    }

    @Test func `Each type of a parameter is written as such`() throws {
        let provider = AllTypesWidget().body.declarations[0].provider
        let choice = try provider.choose([
            ("text", .text("é")), ("count", .integer(-1)), ("isOn", .boolean(true)),
            ("ratio", .number(0.5)), ("names", .list([.text("a"), .text("b")])),
        ])
        let text = text(nil, [("k", widget("w", choice))])
        for member in [
            #""text":"é""#, #""count":-1"#, #""isOn":true"#, #""ratio":0.5"#, #""names":["a","b"]"#,
        ] {
            #expect(text.contains(member), "\(text)")
        }
    }
}

private struct AllTypesIntent: WidgetConfigurationIntent {
    @Parameter(title: "Text", default: "") var text: String
    @Parameter(title: "Count", default: 0) var count: Int
    @Parameter(title: "On", default: false) var isOn: Bool
    @Parameter(title: "Ratio", default: 0) var ratio: Double
    @Parameter(title: "Names", default: []) var names: [String]

    init() {}
}

private struct AllTypesProvider: AppIntentTimelineProvider {
    func placeholder(in context: Context) -> TextEntry { TextEntry(date: Date(), text: "") }
    func snapshot(for configuration: AllTypesIntent, in context: Context) async -> TextEntry {
        placeholder(in: context)
    }
    func timeline(
        for configuration: AllTypesIntent,
        in context: Context
    ) async -> Timeline<TextEntry> {
        Timeline(entries: [], policy: .never)
    }
}

private struct AllTypesWidget: Widget {
    var body: some WidgetConfiguration {
        AppIntentConfiguration(
            kind: "k",
            intent: AllTypesIntent.self,
            provider: AllTypesProvider()
        ) { Text($0.text) }
    }
}
