internal import Foundation

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
        RenderableEntry(provider.placeholder(in: context), in: context, content: content)
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
            unsafe completion(RenderableEntry(entry, in: context, content: content))
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
            unsafe completion(RenderableTimeline(timeline, in: context, content: content))
        }
    }
}
