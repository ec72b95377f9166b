// swift-format-ignore-file
// The sample of an article on widgets that update themselves: it asks for a
// reload of everything while it makes a timeline.
import WidgetKit

enum CountWidget {
struct SimpleEntry: TimelineEntry {
    let date: Date
    let text: String
}

struct Provider: TimelineProvider {

    func placeholder(in context: Context) -> SimpleEntry {
        SimpleEntry(date: Date(), text: "")
    }

    func getSnapshot(in context: Context, completion: @escaping (SimpleEntry) -> Void) {
        let entry = SimpleEntry(date: Date(), text: "")
        completion(entry)
    }

    func getTimeline(in context: Context, completion: @escaping (Timeline<Entry>) -> Void) {
        var entries: [SimpleEntry] = []
        let currentDate = Date()
        var textArray = [String]()
        WidgetCenter.shared.reloadAllTimelines()
        let array = [0,3,5,7,9]
        for i in 0..<array.count {
            textArray.append("count:\(array[i])")
        }
        for i in 0 ..< array.count {
            let entryDate = Calendar.current.date(byAdding: .minute, value: array[i], to: currentDate)!
            let entryText = textArray[i]
            let entry = SimpleEntry(date: entryDate, text: entryText)
            entries.append(entry)
        }
        let timeline = Timeline(entries: entries, policy: .atEnd)
        completion(timeline)
    }
}
}
