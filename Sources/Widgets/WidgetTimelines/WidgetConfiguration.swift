/// The declaration of one or several kinds of widget, to which modifiers can be applied.
///
/// Source: <https://developer.apple.com/documentation/swiftui/widgetconfiguration>.
@available(iOS 14, macOS 11, watchOS 9, visionOS 26, *)
public protocol WidgetConfiguration {
    /// The declarations: one, or those of all widgets of a group.
    var declarations: [WidgetDeclaration] { get }
}

/// Declarations to which modifiers were applied.
public struct WidgetDeclarations: WidgetConfiguration {
    /// The declarations, in their order.
    public let declarations: [WidgetDeclaration]
}

extension WidgetConfiguration {
    /// Applies a change to all declarations.
    func changed(_ change: (inout WidgetDeclaration) -> Void) -> WidgetDeclarations {
        var declarations = declarations
        for index in declarations.indices { change(&declarations[index]) }
        return WidgetDeclarations(declarations: declarations)
    }
}

extension WidgetConfiguration {
    /// Sets the sizes in which the widget is offered; without this modifier it is all of them.
    @available(iOS 14, macOS 11, watchOS 9, visionOS 26, *)
    public func supportedFamilies(_ families: [WidgetFamily]) -> some WidgetConfiguration {
        changed { $0.families = families }
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
        changed { declaration in
            declaration.backgroundEvents.append(
                WidgetDeclaration.BackgroundEvents(
                    matches: matches ?? { _ in true },
                    perform: perform
                )
            )
        }
    }

    /// Sets an action for the events of one background session.
    public func onBackgroundURLSessionEvents(
        matching identifier: String,
        _ perform: @escaping (_ identifier: String, _ completion: @escaping () -> Void) -> Void
    ) -> some WidgetConfiguration {
        onBackgroundURLSessionEvents(matching: { $0 == identifier }, perform)
    }

    /// Sets the type whose instances are notified of the widgets' push token.
    @available(iOS 26, macOS 26, watchOS 26, visionOS 26, *)
    public func pushHandler(_ handler: any WidgetPushHandler.Type) -> some WidgetConfiguration {
        changed { $0.pushHandler = handler }
    }
}
