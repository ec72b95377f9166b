import Foundation
import Synchronization
import WidgetTimelines

/// Widgets whose code does what it should not.
struct OddBundle: WidgetBundle {
    var body: some Widget {
        OddWidget<Forgetful>()
        OddWidget<Undecided>()
        OddWidget<Hungry>()
        OddWidget<Restless>()
        OddWidget<Hasty>()
        OddWidget<Eager>()
    }
}

/// Code that a widget of the bundle has.
protocol OddCode {
    static func answer(_ completion: @escaping (Timeline<OddEntry>) -> Void)
}

struct OddEntry: TimelineEntry {
    let date: Date
    var text = ""
    var picture = Data()

    init(_ date: Date = Date(), text: String = "", picture: Data = Data()) {
        (self.date, self.text, self.picture) = (date, text, picture)
    }
}

struct OddProvider<Code: OddCode>: TimelineProvider {
    func placeholder(in context: Context) -> OddEntry { OddEntry() }
    func getSnapshot(in context: Context, completion: @escaping (OddEntry) -> Void) {
        completion(OddEntry())
    }
    func getTimeline(in context: Context, completion: @escaping (Timeline<OddEntry>) -> Void) {
        Code.answer(completion)
    }
}

struct OddWidget<Code: OddCode>: Widget {
    var body: some WidgetConfiguration {
        StaticConfiguration(kind: "\(Code.self)", provider: OddProvider<Code>()) { Text($0.text) }
    }
}

/// Drops what it was to call.
enum Forgetful: OddCode {
    static func answer(_ completion: @escaping (Timeline<OddEntry>) -> Void) {}
}

/// Keeps what it is to call for ever.
enum Undecided: OddCode {
    private struct Completions: @unchecked Sendable {
        var all: [(Timeline<OddEntry>) -> Void] = []
    }
    private static let kept = Mutex(Completions())

    static func answer(_ completion: @escaping (Timeline<OddEntry>) -> Void) {
        nonisolated(unsafe) let completion = completion
        kept.withLock { $0.all.append(completion) }
    }
}

/// Has a picture of two megabytes.
enum Hungry: OddCode {
    static func answer(_ completion: @escaping (Timeline<OddEntry>) -> Void) {
        let entry = OddEntry(picture: Data(count: 2 << 20))
        completion(Timeline(entries: [entry], policy: .never))
    }
}

/// Asks for a reload whenever it is reloaded.
enum Restless: OddCode {
    static func answer(_ completion: @escaping (Timeline<OddEntry>) -> Void) {
        WidgetCenter.shared.reloadAllTimelines()
        completion(Timeline(entries: [OddEntry()], policy: .never))
    }
}

/// Has entries that are too close to each other, in no order.
enum Hasty: OddCode {
    static func answer(_ completion: @escaping (Timeline<OddEntry>) -> Void) {
        let now = Date()
        let entries = [20.0, 0, 10].map { OddEntry(now + $0, text: "\($0)") }
        completion(Timeline(entries: entries, policy: .atEnd))
    }
}

/// Asks for two things at once, and shows both.
enum Eager: OddCode {
    static func answer(_ completion: @escaping (Timeline<OddEntry>) -> Void) {
        // The fleet's thread answers both: it is their only one.
        var texts: [String] = []
        for path in ["/a/1", "/a/2"] {
            OriginSession.shared.dataTask(with: path) { result in
                texts.append((try? result.get()).map { String(decoding: $0, as: UTF8.self) } ?? "–")
                if texts.count < 2 { return }
                let entry = OddEntry(text: texts.sorted().joined(separator: " "))
                completion(Timeline(entries: [entry], policy: .never))
            }
        }
    }
}
