// swift-format-ignore-file
// The loop of a translation of Apple's "Keeping a Widget Up To Date", in the provider that it
// leaves to the reader: three entries a minute apart, for ever.
import WidgetKit

enum TodoWidget {
    struct SimpleEntry: TimelineEntry {
        let date: Date
        let todayList: [String]
    }

    struct Provider: TimelineProvider {
        func loadData() -> [String] { ["milk"] }

        func placeholder(in context: Context) -> SimpleEntry {
            SimpleEntry(date: Date(), todayList: [])
        }

        func getSnapshot(in context: Context, completion: @escaping (SimpleEntry) -> Void) {
            completion(SimpleEntry(date: Date(), todayList: loadData()))
        }

        func getTimeline(in context: Context, completion: @escaping (Timeline<SimpleEntry>) -> Void) {
var entries: [SimpleEntry] = []
let currentDate = Date()

for minOffset in 0..<3 {
    let todayList = loadData()
    let entryDate = Calendar.current.date(byAdding: .minute, value: minOffset, to: currentDate)!
    let entry = SimpleEntry(date: entryDate, todayList: todayList)
       entries.append(entry)
}       
      
let timeline = Timeline(entries: entries, policy: .atEnd)
completion(timeline)
        }
    }
}
