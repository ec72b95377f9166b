import ExampleWidgets
import Foundation
import WidgetTimelines

/// What a widget of a bundle shows, asked as a device asks it.
struct Played: Sendable {
    /// Of each entry what is seen when its date comes.
    let entries: [[String]]
    /// In seconds from the first one.
    let dates: [TimeInterval]
    let policy: TimelineReloadPolicy.Choice
    /// When it was asked.
    let now: Date

    private static var calendar: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }

    init(_ timeline: RenderableTimeline) {
        let first = timeline.entries[0].date
        now = first
        entries = timeline.entries.map { entry in
            entry.render().lines(at: entry.date, calendar: Self.calendar)
        }
        dates = timeline.entries.map { ($0.date.timeIntervalSince(first)).rounded() }
        policy = timeline.policy.choice
    }

    /// In how many seconds it wants to be asked again; nil if not by date.
    var after: TimeInterval? {
        guard case .after(let date) = policy else { return nil }
        return date.timeIntervalSince(now).rounded()
    }

    static func declaration(_ bundle: ExampleBundle, _ kind: String) throws -> WidgetDeclaration {
        let name = "\(bundle.app).\(kind)"
        guard let found = bundle.declarations.first(where: { $0.kind == name }) else {
            throw NoSuchKind(kind: name)
        }
        return found
    }

    struct NoSuchKind: Error { let kind: String }

    static func timeline(
        _ bundle: ExampleBundle,
        _ kind: String,
        _ parameters: [(name: String, value: ParameterValue)] = [],
        _ origin: FakeOrigin = FakeOrigin(),
        pushed: String? = nil,
        family: WidgetFamily = .systemSmall
    ) async throws -> Played {
        let provider = try declaration(bundle, kind).provider
        let choice = try provider.choose(parameters)
        let context = TimelineProviderContext(family: family, isPreview: false)
        return try await withCheckedThrowingContinuation { continuation in
            OriginSession.run(with: origin, pushedValues: pushed.map { Data($0.utf8) }) {
                do {
                    try provider.getTimeline(for: choice, in: context) {
                        continuation.resume(returning: Played($0))
                    }
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }

    /// What the gallery shows.
    static func sample(
        _ declaration: WidgetDeclaration,
        _ origin: FakeOrigin
    ) async throws -> [String] {
        let choice = try declaration.provider.choose([])
        let context = TimelineProviderContext(family: .systemSmall, isPreview: true)
        return try await withCheckedThrowingContinuation { continuation in
            OriginSession.run(with: origin, pushedValues: nil) {
                do {
                    try declaration.provider.getSnapshot(for: choice, in: context) {
                        continuation.resume(returning: $0.render().lines(at: $0.date))
                    }
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }
}
