internal import Foundation

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
        RenderableEntry(provider.placeholder(in: context), in: context, content: content)
    }

    func getSnapshot(
        for choice: WidgetChoice,
        in context: TimelineProviderContext,
        completion: @escaping (RenderableEntry) -> Void
    ) throws(WidgetChoiceError) {
        provider.getSnapshot(for: try choice.value(as: Provider.Intent.self), in: context) {
            [content] in
            completion(RenderableEntry($0, in: context, content: content))
        }
    }

    func getTimeline(
        for choice: WidgetChoice,
        in context: TimelineProviderContext,
        completion: @escaping (RenderableTimeline) -> Void
    ) throws(WidgetChoiceError) {
        provider.getTimeline(for: try choice.value(as: Provider.Intent.self), in: context) {
            [content] in
            completion(RenderableTimeline($0, in: context, content: content))
        }
    }
}
