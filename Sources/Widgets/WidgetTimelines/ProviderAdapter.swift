internal import Foundation

/// A timeline entry with its view; both types are erased.
package struct RenderableEntry {
    /// The date from which the entry is displayed.
    package let date: Date
    /// How relevant the provider says the entry is; nil if not specified.
    package let relevance: TimelineEntryRelevance?
    private let content: () -> ViewContent

    init<Entry: TimelineEntry, Content: View>(
        _ entry: Entry,
        content: @escaping (Entry) -> Content
    ) {
        date = entry.date
        relevance = entry.relevance
        self.content = { content(entry).content }
    }

    /// The content of the entry's view, before its dates are formatted.
    package func render() -> ViewContent { content() }
}

/// A timeline with the views of its entries; their types are erased.
package struct RenderableTimeline {
    /// The entries in the order of the provider.
    package let entries: [RenderableEntry]
    /// When to ask the provider for the next timeline.
    package let policy: TimelineReloadPolicy
    /// The estimated memory that the entries take in their extension, in bytes.
    package let byteCount: Int

    init<Entry: TimelineEntry, Content: View>(
        _ timeline: Timeline<Entry>,
        content: @escaping (Entry) -> Content
    ) {
        entries = timeline.entries.map { RenderableEntry($0, content: content) }
        policy = timeline.policy
        byteCount = MemoryEstimate.bytes(of: timeline.entries)
    }
}

/// The interface through which the fleet runs any of the three kinds of timeline provider.
///
/// Completions are called on the thread that the provider chooses.
package protocol ProviderAdapter {
    /// Makes the configuration that a person would choose.
    ///
    /// - Throws: `WidgetChoiceError` if there is no such parameter, or it cannot have the value.
    func choose(
        _ parameters: [(name: String, value: ParameterValue)]
    ) throws(WidgetChoiceError) -> WidgetChoice

    /// The entry to display before there is a timeline; the provider returns it at once.
    func placeholder(in context: TimelineProviderContext) -> RenderableEntry

    /// Passes the provider's snapshot to `completion`.
    ///
    /// - Throws: `WidgetChoiceError` if the configuration does not have the type of the provider's
    ///   intent.
    func getSnapshot(
        for choice: WidgetChoice,
        in context: TimelineProviderContext,
        completion: @escaping (RenderableEntry) -> Void
    ) throws(WidgetChoiceError)

    /// Passes the provider's timeline to `completion`.
    ///
    /// - Throws: `WidgetChoiceError` if the configuration does not have the type of the provider's
    ///   intent.
    func getTimeline(
        for choice: WidgetChoice,
        in context: TimelineProviderContext,
        completion: @escaping (RenderableTimeline) -> Void
    ) throws(WidgetChoiceError)
}

/// An error: a widget's provider cannot have the configuration.
package struct WidgetChoiceError: Error, CustomStringConvertible {
    /// The error as a sentence without a full stop.
    package let description: String

    fileprivate init(expected: String, found: String) {
        description = "the configuration is \(found), and must be \(expected)"
    }

    fileprivate init(unchoosable type: String) {
        description = "\(type) is no ChoosableIntent"
    }

    init(parameter: String, of choice: WidgetChoice) {
        let type =
            switch choice {
            case .none: "a widget without a configuration"
            case .intent(let intent): "\(Swift.type(of: intent))"
            case .appIntent(let intent): "\(Swift.type(of: intent))"
            }
        description = "\(type) has no parameter \(parameter) that can have the value"
    }
}

extension WidgetChoice {
    private var any: Any? {
        switch self {
        case .none: nil
        case .intent(let intent): intent
        case .appIntent(let intent): intent
        }
    }

    /// The configuration as an intent of this type.
    fileprivate func value<Intent>(as type: Intent.Type) throws(WidgetChoiceError) -> Intent {
        if let intent = any as? Intent { return intent }
        let found = any.map { "\(Swift.type(of: $0))" } ?? "none"
        throw WidgetChoiceError(expected: "\(type)", found: found)
    }
}

/// Runs the provider of a `StaticConfiguration`.
struct StaticAdapter<Provider: TimelineProvider, Content: View>: ProviderAdapter {
    let provider: Provider
    let content: (Provider.Entry) -> Content

    func choose(
        _ parameters: [(name: String, value: ParameterValue)]
    ) throws(WidgetChoiceError) -> WidgetChoice {
        try WidgetChoice.choosing(parameters, for: .none)
    }

    func placeholder(in context: TimelineProviderContext) -> RenderableEntry {
        RenderableEntry(provider.placeholder(in: context), content: content)
    }

    func getSnapshot(
        for choice: WidgetChoice,
        in context: TimelineProviderContext,
        completion: @escaping (RenderableEntry) -> Void
    ) {
        provider.getSnapshot(in: context) { [content] in
            completion(RenderableEntry($0, content: content))
        }
    }

    func getTimeline(
        for choice: WidgetChoice,
        in context: TimelineProviderContext,
        completion: @escaping (RenderableTimeline) -> Void
    ) {
        provider.getTimeline(in: context) { [content] in
            completion(RenderableTimeline($0, content: content))
        }
    }
}

/// Runs the provider of an `IntentConfiguration`.
struct IntentAdapter<Provider: IntentTimelineProvider, Content: View>: ProviderAdapter {
    let provider: Provider
    let content: (Provider.Entry) -> Content

    func choose(
        _ parameters: [(name: String, value: ParameterValue)]
    ) throws(WidgetChoiceError) -> WidgetChoice {
        guard let type = Provider.Intent.self as? any ChoosableIntent.Type else {
            throw WidgetChoiceError(unchoosable: "\(Provider.Intent.self)")
        }
        return try WidgetChoice.choosing(parameters, for: .intent(type.init()))
    }

    func placeholder(in context: TimelineProviderContext) -> RenderableEntry {
        RenderableEntry(provider.placeholder(in: context), content: content)
    }

    func getSnapshot(
        for choice: WidgetChoice,
        in context: TimelineProviderContext,
        completion: @escaping (RenderableEntry) -> Void
    ) throws(WidgetChoiceError) {
        provider.getSnapshot(for: try choice.value(as: Provider.Intent.self), in: context) {
            [content] in
            completion(RenderableEntry($0, content: content))
        }
    }

    func getTimeline(
        for choice: WidgetChoice,
        in context: TimelineProviderContext,
        completion: @escaping (RenderableTimeline) -> Void
    ) throws(WidgetChoiceError) {
        provider.getTimeline(for: try choice.value(as: Provider.Intent.self), in: context) {
            [content] in
            completion(RenderableTimeline($0, content: content))
        }
    }
}

/// Runs the provider of an `AppIntentConfiguration`.
struct AppIntentAdapter<Provider: AppIntentTimelineProvider, Content: View>: ProviderAdapter {
    let provider: Provider
    let content: (Provider.Entry) -> Content

    func choose(
        _ parameters: [(name: String, value: ParameterValue)]
    ) throws(WidgetChoiceError) -> WidgetChoice {
        try WidgetChoice.choosing(parameters, for: .appIntent(Provider.Intent()))
    }

    func placeholder(in context: TimelineProviderContext) -> RenderableEntry {
        RenderableEntry(provider.placeholder(in: context), content: content)
    }

    func getSnapshot(
        for choice: WidgetChoice,
        in context: TimelineProviderContext,
        completion: @escaping (RenderableEntry) -> Void
    ) throws(WidgetChoiceError) {
        let intent = try choice.value(as: Provider.Intent.self)
        nonisolated(unsafe) let (completion, content) = (completion, content)
        Task(executorPreference: OriginSession.executor) { [provider] in
            let entry = await provider.snapshot(for: intent, in: context)
            unsafe completion(RenderableEntry(entry, content: content))
        }
    }

    func getTimeline(
        for choice: WidgetChoice,
        in context: TimelineProviderContext,
        completion: @escaping (RenderableTimeline) -> Void
    ) throws(WidgetChoiceError) {
        let intent = try choice.value(as: Provider.Intent.self)
        nonisolated(unsafe) let (completion, content) = (completion, content)
        Task(executorPreference: OriginSession.executor) { [provider] in
            let timeline = await provider.timeline(for: intent, in: context)
            unsafe completion(RenderableTimeline(timeline, content: content))
        }
    }
}
