import Foundation
import WidgetTimelines

/// A widget that downloads in the background what it shows, as a large map would be.
struct MapWidget: Widget {
    static let kind = "com.mygame.map"

    var body: some WidgetConfiguration {
        StaticConfiguration(kind: Self.kind, provider: MapProvider()) { Text($0.text) }
            .onBackgroundURLSessionEvents(matching: "map") { _, completion in
                WidgetCenter.shared.reloadTimelines(ofKind: Self.kind)
                WidgetCenter.shared.reloadTimelines(ofKind: Self.kind)
                completion()
            }
    }
}

struct MapProvider: TimelineProvider {
    func placeholder(in context: Context) -> TextEntry { TextEntry(date: Date(), text: "…") }

    func getSnapshot(in context: Context, completion: @escaping (TextEntry) -> Void) {
        completion(TextEntry(date: Date(), text: "sample"))
    }

    func getTimeline(in context: Context, completion: @escaping (Timeline<TextEntry>) -> Void) {
        let session = OriginSession.shared
        var text = "waits for the map"
        if let data = session.downloadedData(for: "/region/marsh") {
            text = String(decoding: data, as: UTF8.self)
        } else {
            session.downloadTask(with: "/region/marsh", inBackgroundSession: "map")
        }
        completion(Timeline(entries: [TextEntry(date: Date(), text: text)], policy: .never))
    }
}
