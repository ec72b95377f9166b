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
        let pass = { [content] (made: Provider.Entry) in
            completion(RenderableEntry(made, in: context, content: content))
        }
        provider.getSnapshot(in: context, completion: sendable(pass))
    }

    func getTimeline(
        for choice: WidgetChoice,
        in context: TimelineProviderContext,
        completion: @escaping (RenderableTimeline) -> Void
    ) {
        let pass = { [content] (made: Timeline<Provider.Entry>) in
            completion(RenderableTimeline(made, in: context, content: content))
        }
        provider.getTimeline(in: context, completion: sendable(pass))
    }
}
