internal import Foundation

/// The value of a control as an entry of a timeline.
struct ControlEntry<Value: Sendable>: TimelineEntry, Sendable {
    let date: Date
    let value: Value
}

/// The only entry of a control's timeline: it has no policy, because a control is reloaded when its
/// app or a push asks for it.
struct ControlTimeline<Value: Sendable>: TimelineProvider {
    private let preview: Value
    private let current: @Sendable () async throws -> Value

    init(preview: Value, current: @escaping @Sendable () async throws -> Value) {
        self.preview = preview
        self.current = current
    }

    func placeholder(in context: Context) -> ControlEntry<Value> {
        ControlEntry(date: .now, value: preview)
    }

    func getSnapshot(
        in context: Context,
        completion: @escaping (ControlEntry<Value>) -> Void
    ) {
        completion(placeholder(in: context))
    }

    func getTimeline(
        in context: Context,
        completion: @escaping @Sendable (Timeline<ControlEntry<Value>>) -> Void
    ) {
        Task(executorPreference: OriginSession.executor) { [preview, current] in
            let value = (try? await current()) ?? preview
            let entry = ControlEntry(date: .now, value: value)
            completion(Timeline(entries: [entry], policy: .never))
        }
    }
}

/// Runs the value provider of an `AppIntentControlConfiguration`.
struct ControlAdapter<
    Intent: ControlConfigurationIntent,
    Value: Sendable,
    Content: ControlWidgetTemplate
>: ProviderAdapter {
    let preview: @Sendable (Intent) -> Value
    let current: @Sendable (Intent) async throws -> Value
    let content: (Value) -> Content

    func choose(
        _ parameters: [(name: String, value: ParameterValue)]
    ) throws(WidgetChoiceError) -> WidgetChoice {
        try WidgetChoice.choosing(parameters, for: .control(Intent()))
    }

    private func adapter(_ intent: Intent) -> StaticAdapter<ControlTimeline<Value>, Content> {
        StaticAdapter(
            provider: ControlTimeline(preview: preview(intent)) { [current] in
                try await current(intent)
            },
            content: { [content] in content($0.value) }
        )
    }

    func placeholder(in context: TimelineProviderContext) -> RenderableEntry {
        adapter(Intent()).placeholder(in: context)
    }

    func getSnapshot(
        for choice: WidgetChoice,
        in context: TimelineProviderContext,
        completion: @escaping (RenderableEntry) -> Void
    ) throws(WidgetChoiceError) {
        adapter(try choice.value(as: Intent.self)).getSnapshot(
            for: choice,
            in: context,
            completion: completion
        )
    }

    func getTimeline(
        for choice: WidgetChoice,
        in context: TimelineProviderContext,
        completion: @escaping (RenderableTimeline) -> Void
    ) throws(WidgetChoiceError) {
        adapter(try choice.value(as: Intent.self)).getTimeline(
            for: choice,
            in: context,
            completion: completion
        )
    }
}
