internal import Foundation

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

/// A completion as the providers' protocols type it: it may be called on another thread, once, and
/// the fleet uses what comes of it on that thread alone.
func sendable<Value>(_ completion: @escaping (Value) -> Void) -> @Sendable (Value) -> Void {
    nonisolated(unsafe) let completion = completion
    return { unsafe completion($0) }
}
