// swift-format-ignore-file
// The sample of a tutorial on `TimelineProvider`, as it is printed: it asks for entries ten seconds
// apart, and for all of them again when they are over.
import WidgetKit
import SwiftUI

struct WeatherWidgetEntry: TimelineEntry {
    let date: Date
    let temperature: String
    let condition: String
}

// ※本ページの開設対象TimelineProvider
struct WeatherWidgetProvider: TimelineProvider {
    func placeholder(in context: Context) -> WeatherWidgetEntry {
        WeatherWidgetEntry(date: Date(), temperature: "20°", condition: "☀️")
    }

    func getSnapshot(in context: Context, completion: @escaping (WeatherWidgetEntry) -> ()) {
        let entry = WeatherWidgetEntry(date: Date(), temperature: "25°", condition: "☁️")
        completion(entry)
    }

    func getTimeline(in context: Context, completion: @escaping (Timeline<WeatherWidgetEntry>) -> ()) {
        var entries: [WeatherWidgetEntry] = [WeatherWidgetEntry(date: Date(), temperature: "30°", condition: "☔️")]

        // 5つのエントリーを10秒ごとに作成
        for offset in 0 ..< 5 {
            let entryDate = Calendar.current.date(byAdding: .second, value: offset * 10, to: Date())!
            let entry = WeatherWidgetEntry(date: entryDate, temperature: "\(30 + offset)°", condition: "⚡️")
            entries.append(entry)
        }
        
        let timeline = Timeline(entries: entries, policy: .atEnd)
        
        completion(timeline)
    }
}

struct WeatherWidgetEntryView: View {
    var entry: WeatherWidgetProvider.Entry

    var body: some View {
        Text(entry.temperature)
        Text(entry.condition)
    }
}

struct WeatherWidgetSmp: Widget {
    let kind: String = "WeatherWidget"

    var body: some WidgetConfiguration {
        StaticConfiguration(
            kind: kind,
            provider: WeatherWidgetProvider()
        ) { entry in
            WeatherWidgetEntryView(entry: entry)
                .containerBackground(.fill.tertiary, for: .widget)
        }
    }
}

#Preview(as: .systemSmall) {
    WeatherWidgetSmp()
} timeline: {
    WeatherWidgetEntry(date: .now, temperature: "22°", condition: "☀️")
    WeatherWidgetEntry(date: .now, temperature: "36°", condition: "☔️")
}
