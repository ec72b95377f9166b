/// A kind of widget as it was declared: its name, how it is offered, and who makes its timelines.
public struct WidgetDeclaration {
    /// Its name, unique in the app.
    public let kind: String
    /// The name in the gallery.
    public internal(set) var displayName: String
    /// What the gallery says of it.
    public internal(set) var summary = ""
    /// In which sizes it comes.
    public internal(set) var families = WidgetFamily.allCases
    package let provider: any ProviderAdapter
    package internal(set) var backgroundEvents: [BackgroundEvents] = []
    package internal(set) var pushHandler: (any WidgetPushHandler.Type)?

    /// What to do when downloads in the background have something to say.
    package struct BackgroundEvents {
        package let matches: (String) -> Bool
        package let perform: (String, @escaping () -> Void) -> Void
    }

    init(kind: String, provider: any ProviderAdapter) {
        self.kind = kind
        self.provider = provider
        displayName = kind
    }

    /// Hands a background session's events to whoever has asked for them.
    ///
    /// - Parameters:
    ///   - identifier: the session's.
    ///   - completion: is called when they have been dealt with; at once if nobody has asked.
    package func handleBackgroundEvents(
        of identifier: String,
        completion: @escaping () -> Void
    ) {
        guard let events = backgroundEvents.first(where: { $0.matches(identifier) }) else {
            return completion()
        }
        events.perform(identifier, completion)
    }
}
