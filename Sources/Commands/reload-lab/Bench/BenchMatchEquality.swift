import DataStructures
import ReloadModel
import WidgetMatching

/// Widgets that each wait for a value of their own in one field; an event matches one, or none.
///
/// With several apps, every app has the same values: their widgets differ only in the app.
struct BenchMatchEquality: BenchMatchGenerator {
    let widgets: Int
    var appCount = 1
    /// True if each event has a value that a widget waits for.
    var isMatched = true

    private static var eventLength: Int { 96 }

    var apps: [WidgetMatcher.App] {
        (0..<appCount).map { app in
            .benchmark(
                [EventPattern(conditions: [.own("character")])],
                app: AppID(index: app),
                firstKind: KindID(index: app)
            )
        }
    }

    func kind(of widget: Int) -> KindID { KindID(index: widget % appCount) }

    func app(of widget: Int) -> AppID { AppID(index: widget % appCount) }

    func writeConfiguration(
        of widget: Int,
        to text: inout BenchMatchText
    ) -> Range<Int>? {
        text.string("character", prefix: "c-", number: widget / appCount)
    }

    func addEvent(
        _ number: Int,
        using random: inout SplitMix64,
        to events: inout BenchMatchEvents
    ) {
        add(random.below(widgets), to: &events)
    }

    /// Adds an event with the value that a widget waits for, or, unless `isMatched`, with one that
    /// no widget waits for.
    func add(_ widget: Int, to events: inout BenchMatchEvents) {
        events.add(
            app: app(of: widget),
            matching: isMatched ? [widget] : [],
            length: Self.eventLength
        ) { text in
            text.string("app", value: "com.mygame")
            let value = text.string(
                "character",
                prefix: isMatched ? "c-" : "n-",
                number: widget / appCount
            )
            text.string("event", value: "level-up")
            text.number("level", value: 30)
            return [value]
        }
    }
}
