/// The declaration of a kind of widget, with what was said of it.
///
/// Source: <https://developer.apple.com/documentation/swiftui/widgetconfiguration>.
public protocol WidgetConfiguration {
    /// All that was said: of one kind, or of each one of a group.
    var declarations: [WidgetDeclaration] { get }
}

/// Declarations with what was said of all of them.
public struct WidgetDeclarations: WidgetConfiguration {
    /// In their order.
    public let declarations: [WidgetDeclaration]
}

extension WidgetConfiguration {
    private func changed(_ change: (inout WidgetDeclaration) -> Void) -> WidgetDeclarations {
        var declarations = declarations
        for index in declarations.indices { change(&declarations[index]) }
        return WidgetDeclarations(declarations: declarations)
    }
}

extension WidgetConfiguration {
    /// The name in the gallery.
    public func configurationDisplayName(_ name: String) -> some WidgetConfiguration {
        changed { $0.displayName = name }
    }

    /// What the gallery says of it.
    public func description(_ description: String) -> some WidgetConfiguration {
        changed { $0.summary = description }
    }

    /// In which sizes it comes; all, if that is not said.
    public func supportedFamilies(_ families: [WidgetFamily]) -> some WidgetConfiguration {
        changed { $0.families = families }
    }

    /// What to do when a download in the background has something to say.
    ///
    /// - Parameters:
    ///   - matches: which sessions are meant, by their identifiers; all, if it is nil.
    ///   - perform: is given a session's identifier and what to call when everything that it has to
    ///     say was heard. To be kept until then.
    /// - Returns: the configuration with that.
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

    /// The same for one session.
    public func onBackgroundURLSessionEvents(
        matching identifier: String,
        _ perform: @escaping (_ identifier: String, _ completion: @escaping () -> Void) -> Void
    ) -> some WidgetConfiguration {
        onBackgroundURLSessionEvents(matching: { $0 == identifier }, perform)
    }

    /// Who is told with what the widgets can be pushed to.
    public func pushHandler(_ handler: any WidgetPushHandler.Type) -> some WidgetConfiguration {
        changed { $0.pushHandler = handler }
    }
}
