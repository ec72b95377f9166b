/// A kind of widget as an app has declared it: its name, its entry in the gallery, and its
/// provider.
public struct WidgetDeclaration {
    /// The kind's name, unique in the app.
    public let kind: String
    /// The name in the gallery.
    public internal(set) var displayName: String
    /// The description in the gallery.
    public internal(set) var summary = ""
    /// The sizes in which the widget is offered.
    public internal(set) var families = WidgetFamily.allCases
    /// Whether the system keeps a margin around its content.
    package internal(set) var hasMargins = true
    /// Makes the widget's timelines.
    package let provider: any ProviderAdapter
    /// The actions for background downloads; the first that matches a session is used.
    package internal(set) var backgroundEvents: [BackgroundEvents] = []
    /// The type that is notified of the push token; nil if there is none.
    package internal(set) var pushHandler: (any WidgetPushHandler.Type)?

    /// An action for the events of background downloads, and the sessions for which it is meant.
    package struct BackgroundEvents {
        /// Returns whether the action is meant for the session of an identifier.
        package let matches: (String) -> Bool
        /// The action, called with the session's identifier and a completion.
        package let perform: (String, @escaping () -> Void) -> Void
    }

    /// Whether it is a control, and no widget.
    package let isControl: Bool

    init(kind: String, provider: any ProviderAdapter, isControl: Bool = false) {
        self.kind = kind
        self.provider = provider
        self.isControl = isControl
        displayName = kind
        if isControl { families = [.systemSmall] }
    }

    /// Calls the action that was set for a background session's events.
    ///
    /// - Parameters:
    ///   - identifier: the session's identifier.
    ///   - completion: called when the events have been handled; at once if no action is set for
    ///     the session.
    package func handleBackgroundEvents(of identifier: String, completion: @escaping () -> Void) {
        guard let events = backgroundEvents.first(where: { $0.matches(identifier) }) else {
            return completion()
        }
        events.perform(identifier, completion)
    }
}

extension WidgetConfiguration {
    /// Applies a change to all declarations.
    func changed(_ change: (inout WidgetDeclaration) -> Void) -> WidgetDeclarations {
        var declarations = declarations
        for index in declarations.indices { change(&declarations[index]) }
        return WidgetDeclarations(declarations: declarations)
    }

    /// Sets an action for the events of background downloads.
    ///
    /// - Parameters:
    ///   - matches: whether a background session with this identifier is meant; nil for all
    ///     sessions.
    ///   - perform: called with a session's identifier and a completion. It must keep the
    ///     completion, and call it when all events of the session have been handled.
    /// - Returns: the configuration with the action.
    public func onBackgroundURLSessionEvents(
        matching matches: ((String) -> Bool)? = nil,
        _ perform: @escaping (_ identifier: String, _ completion: @escaping () -> Void) -> Void
    ) -> some WidgetConfiguration {
        let events = WidgetDeclaration.BackgroundEvents(
            matches: matches ?? { _ in true },
            perform: perform
        )
        return changed { $0.backgroundEvents.append(events) }
    }
}

extension ControlWidgetConfiguration {
    /// Applies a change to the declaration.
    func changed(_ change: (inout WidgetDeclaration) -> Void) -> ControlDeclaration {
        var declaration = declaration
        change(&declaration)
        return ControlDeclaration(declaration: declaration)
    }
}

/// Combines the widgets of a block into a group.
@resultBuilder
public struct WidgetBundleBuilder {
    /// The bundle.
    public static func buildBlock<each W: Widget>(_ widgets: repeat each W) -> WidgetGroup {
        var declarations: [WidgetDeclaration] = []
        for widget in repeat each widgets { declarations += widget.body.declarations }
        return WidgetGroup(declarations)
    }
}
