internal import Foundation
internal import WidgetTimelines

/// Fetches JSON objects from the app's server for the example widgets. Errors become nil, because a
/// widget must display something in any case.
extension OriginSession {
    /// The object at a path; nil if the server did not return one.
    func object<Object: Decodable>(_ type: Object.Type, at path: String) async -> Object? {
        guard let data = try? await data(from: path) else { return nil }
        return try? JSONDecoder().decode(type, from: data)
    }

    /// Fetches the object at a path, for code that does not use `async`.
    func object<Object: Decodable>(
        _ type: Object.Type,
        at path: String,
        completion: @escaping (Object?) -> Void
    ) {
        dataTask(with: path) { result in
            completion((try? result.get()).flatMap { try? JSONDecoder().decode(type, from: $0) })
        }
    }

    /// The objects at several paths, fetched concurrently, in the order of the paths; nil for a
    /// failed one.
    func objects<Object: Decodable & Sendable>(
        _ type: Object.Type,
        at paths: [String]
    ) async -> [Object?] {
        await withTaskGroup(of: (Int, Object?).self) { group in
            for (index, path) in paths.enumerated() {
                group.addTask { (index, await self.object(type, at: path)) }
            }
            var objects = [Object?](repeating: nil, count: paths.count)
            for await (index, object) in group { objects[index] = object }
            return objects
        }
    }

    /// The values inlined in the reload, decoded; nil if there are none or they do not fit the
    /// type.
    func pushed<Object: Decodable>(_ type: Object.Type) -> Object? {
        pushedValues.flatMap { try? JSONDecoder().decode(type, from: $0) }
    }
}

/// A provider whose snapshot is the first entry of its timeline, but in the gallery an example.
protocol ExampleProvider {
    associatedtype Entry: TimelineEntry, SendableMetatype
    var example: Entry { get }
}

extension ExampleProvider where Self: TimelineProvider {
    func getSnapshot(in context: Context, completion: @escaping @Sendable (Entry) -> Void) {
        if context.isPreview { return completion(example) }
        getTimeline(in: context) { completion($0.entries[0]) }
    }
}

extension ExampleProvider where Self: IntentTimelineProvider {
    func getSnapshot(
        for configuration: Intent,
        in context: Context,
        completion: @escaping @Sendable (Entry) -> Void
    ) {
        if context.isPreview { return completion(example) }
        getTimeline(for: configuration, in: context) { completion($0.entries[0]) }
    }
}

extension ExampleProvider where Self: AppIntentTimelineProvider {
    func snapshot(for configuration: Intent, in context: Context) async -> Entry {
        if context.isPreview { return example }
        return await timeline(for: configuration, in: context).entries[0]
    }
}

extension TimelineReloadPolicy {
    /// The policy after a failed request: to try again in five minutes.
    static func retry(_ now: Date) -> TimelineReloadPolicy { .after(now + 300) }
}

extension Optional {
    /// The value as text, or a dash for nil.
    var orDash: String { map { "\($0)" } ?? "–" }
}

extension Double {
    /// The date for a server's milliseconds since 1970.
    var serverDate: Date { Date(timeIntervalSince1970: self / 1_000) }
}
