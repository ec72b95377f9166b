internal import Foundation

/// The interface through which a fleet runs any kind of provider.
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

/// A provider as the functions that it has; `Intent` is `Void` for a widget that people cannot
/// configure.
struct EntryAdapter<Intent, Entry: TimelineEntry, Content: View>: ProviderAdapter {
    /// Makes a configuration with the default values.
    let newChoice: () throws(WidgetChoiceError) -> WidgetChoice
    let placeholder: (TimelineProviderContext) -> Entry
    let snapshot: (Intent, TimelineProviderContext, @escaping @Sendable (Entry) -> Void) -> Void
    let timeline:
        (Intent, TimelineProviderContext, @escaping @Sendable (Timeline<Entry>) -> Void) -> Void
    /// Makes the view of an entry.
    let content: (Entry) -> Content

    func choose(
        _ parameters: [(name: String, value: ParameterValue)]
    ) throws(WidgetChoiceError) -> WidgetChoice {
        try WidgetChoice.choosing(parameters, for: newChoice())
    }

    func placeholder(in context: TimelineProviderContext) -> RenderableEntry {
        RenderableEntry(placeholder(context), in: context, content: content)
    }

    func getSnapshot(
        for choice: WidgetChoice,
        in context: TimelineProviderContext,
        completion: @escaping (RenderableEntry) -> Void
    ) throws(WidgetChoiceError) {
        let pass = { [content] (made: Entry) in
            completion(RenderableEntry(made, in: context, content: content))
        }
        snapshot(try choice.value(as: Intent.self), context, Self.sendable(pass))
    }

    func getTimeline(
        for choice: WidgetChoice,
        in context: TimelineProviderContext,
        completion: @escaping (RenderableTimeline) -> Void
    ) throws(WidgetChoiceError) {
        let pass = { [content] (made: Timeline<Entry>) in
            completion(RenderableTimeline(made, in: context, content: content))
        }
        timeline(try choice.value(as: Intent.self), context, Self.sendable(pass))
    }

    /// A completion as the providers' protocols type it: it may be called on another thread, once,
    /// and the fleet uses what comes of it on that thread alone.
    private static func sendable<Value>(
        _ completion: @escaping (Value) -> Void
    ) -> @Sendable (Value) -> Void {
        nonisolated(unsafe) let completion = completion
        return { unsafe completion($0) }
    }
}

/// The value of a control as an entry of a timeline.
struct ControlEntry<Value: Sendable>: TimelineEntry, Sendable {
    let date = Date.now
    let value: Value
}

extension EntryAdapter where Intent: Sendable {
    /// Runs the value provider of a control, whose timeline is the current value. It has no policy,
    /// because a control is reloaded when its app or a push asks for it.
    init<Value>(
        intent: @escaping () -> Intent,
        choice: @escaping (Intent) -> WidgetChoice,
        preview: @escaping @Sendable (Intent) -> Value,
        current: @escaping @Sendable (Intent) async throws -> Value,
        content: @escaping (Value) -> Content
    ) where Entry == ControlEntry<Value> {
        self.init(
            newChoice: { choice(intent()) },
            placeholder: { _ in ControlEntry(value: preview(intent())) },
            snapshot: { intent, _, completion in completion(ControlEntry(value: preview(intent))) },
            timeline: { intent, _, completion in
                Task(executorPreference: OriginSession.executor) {
                    let value = (try? await current(intent)) ?? preview(intent)
                    completion(Timeline(entries: [ControlEntry(value: value)], policy: .never))
                }
            },
            content: { content($0.value) }
        )
    }
}
