internal import Foundation

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
        RenderableEntry(provider.placeholder(in: context), in: context, content: content)
    }

    func getSnapshot(
        for choice: WidgetChoice,
        in context: TimelineProviderContext,
        completion: @escaping (RenderableEntry) -> Void
    ) {
        provider.getSnapshot(in: context) { [content] in
            completion(RenderableEntry($0, in: context, content: content))
        }
    }

    func getTimeline(
        for choice: WidgetChoice,
        in context: TimelineProviderContext,
        completion: @escaping (RenderableTimeline) -> Void
    ) {
        provider.getTimeline(in: context) { [content] in
            completion(RenderableTimeline($0, in: context, content: content))
        }
    }
}
