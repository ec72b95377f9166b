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
        let intent = try choice.value(as: Provider.Intent.self)
        let pass = { [content] (made: Provider.Entry) in
            completion(RenderableEntry(made, in: context, content: content))
        }
        provider.getSnapshot(for: intent, in: context, completion: sendable(pass))
    }

    func getTimeline(
        for choice: WidgetChoice,
        in context: TimelineProviderContext,
        completion: @escaping (RenderableTimeline) -> Void
    ) throws(WidgetChoiceError) {
        let intent = try choice.value(as: Provider.Intent.self)
        let pass = { [content] (made: Timeline<Provider.Entry>) in
            completion(RenderableTimeline(made, in: context, content: content))
        }
        provider.getTimeline(for: intent, in: context, completion: sendable(pass))
    }
}
