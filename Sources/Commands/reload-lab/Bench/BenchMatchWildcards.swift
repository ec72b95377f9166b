import DataStructures
import ReloadModel
import WidgetMatching

/// Widgets with a wildcard each, in four alternating shapes; an event matches one.
struct BenchMatchWildcards: BenchMatchGenerator {
    let widgets: Int

    private static var eventLength: Int { 140 }
    /// The number of digits of a widget's number in its wildcard. All numbers have as many, so that
    /// no number is a part of another.
    private static var digits: Int { 8 }

    var apps: [WidgetMatcher.App] {
        let test = PatternTest.text(.wildcard, .parameter("glob"))
        return [.benchmark([EventPattern(conditions: [.field("title", [test])])])]
    }

    func kind(of widget: Int) -> KindID { .first }

    func writeConfiguration(
        of widget: Int,
        to text: inout BenchMatchText
    ) -> Range<Int>? {
        text.string("glob") { write(widget, to: &$0) { $0.add("*") } }
    }

    func addEvent(
        _ number: Int,
        using random: inout SplitMix64,
        to events: inout BenchMatchEvents
    ) {
        let widget = random.below(widgets)
        events.add(app: .first, matching: [widget], length: Self.eventLength) { text in
            text.string("character", prefix: "c-", number: random.below(widgets))
            // The stars are replaced by letters, so that no other widget's number can appear.
            let title = text.string("title") { title in
                write(widget, to: &title) { $0.addLetters(random.below(24), using: &random) }
            }
            return [title]
        }
    }

    /// Writes a widget's wildcard; `star` writes each of its stars, or the text in its place.
    private func write(
        _ widget: Int,
        to text: inout BenchMatchText,
        star: (inout BenchMatchText) -> Void
    ) {
        let shape = widget % 4
        if shape == 1 { text.add("quest ") }
        if shape != 0 { star(&text) }
        text.add("-")
        text.add(widget, width: Self.digits)
        text.add("-")
        if shape != 2 { star(&text) }
        if shape == 1 { text.add(" done") }
    }
}
