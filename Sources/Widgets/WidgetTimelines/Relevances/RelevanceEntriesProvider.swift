/// Makes the entries of a `RelevanceConfiguration`.
public protocol RelevanceEntriesProvider {
    associatedtype Configuration
    associatedtype Entry: RelevanceEntry
    /// Surroundings of an entry.
    typealias Context = TimelineProviderContext
    /// When which configuration is relevant.
    func relevance() async -> WidgetRelevance<Configuration>
    /// The entry of a configuration.
    func entry(configuration: Configuration, context: Context) async throws -> Entry
    /// The entry to display before there are data.
    func placeholder(context: Context) -> Entry
}
