internal import Foundation
internal import WidgetTimelines

/// Objects of the app's server, as far as there are any: a widget has to show something in any case.
extension OriginSession {
    /// The object at a path; nil if the server gave none.
    func object<Object: Decodable>(_ type: Object.Type, at path: String) async -> Object? {
        guard let data = try? await data(from: path) else { return nil }
        return try? JSONDecoder().decode(type, from: data)
    }

    /// The same for code that does not wait.
    func object<Object: Decodable>(
        _ type: Object.Type,
        at path: String,
        completion: @escaping (Object?) -> Void
    ) {
        dataTask(with: path) { result in
            completion(
                (try? result.get()).flatMap { try? JSONDecoder().decode(type, from: $0) }
            )
        }
    }

    /// The objects at several paths, asked for at once, in the order of the paths.
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

    /// What the reload has brought along, if it can be read as such an object.
    func pushed<Object: Decodable>(_ type: Object.Type) -> Object? {
        pushedValues.flatMap { try? JSONDecoder().decode(type, from: $0) }
    }
}

extension TimelineReloadPolicy {
    /// For when the server gave nothing: in five minutes it may.
    static func retry(_ now: Date) -> TimelineReloadPolicy { .after(now + 300) }
}

extension Optional {
    /// The value as text, or a dash where there is none.
    var orDash: String { map { "\($0)" } ?? "–" }
}

extension Double {
    /// A date that the server tells in milliseconds since 1970.
    var serverDate: Date { Date(timeIntervalSince1970: self / 1_000) }
}
