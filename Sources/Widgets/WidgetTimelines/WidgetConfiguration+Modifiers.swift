extension WidgetConfiguration {
    /// Sets the name that the gallery displays.
    @_disfavoredOverload
    public func configurationDisplayName(_ name: some StringProtocol) -> some WidgetConfiguration {
        changed { $0.displayName = String(name) }
    }

    /// Sets the name that the gallery displays.
    public func configurationDisplayName(_ name: LocalizedStringKey) -> some WidgetConfiguration {
        configurationDisplayName(Text(name))
    }

    /// Sets the name that the gallery displays.
    public func configurationDisplayName(_ name: Text) -> some WidgetConfiguration {
        changed { $0.displayName = name.viewContent.lines(at: .now).joined() }
    }

    /// Sets the name that the gallery displays.
    @_disfavoredOverload
    public func configurationDisplayName(
        _ name: LocalizedStringResource
    ) -> some WidgetConfiguration {
        changed { $0.displayName = String(localized: name) }
    }

    /// Sets the description that the gallery displays.
    @_disfavoredOverload
    public func description(_ description: some StringProtocol) -> some WidgetConfiguration {
        changed { $0.summary = String(description) }
    }

    /// Sets the description that the gallery displays.
    public func description(_ description: LocalizedStringKey) -> some WidgetConfiguration {
        self.description(Text(description))
    }

    /// Sets the description that the gallery displays.
    public func description(_ description: Text) -> some WidgetConfiguration {
        changed { $0.summary = description.viewContent.lines(at: .now).joined() }
    }

    /// Sets the description that the gallery displays.
    @_disfavoredOverload
    public func description(_ description: LocalizedStringResource) -> some WidgetConfiguration {
        changed { $0.summary = String(localized: description) }
    }

    /// Accepts that the system keeps no distance from the widget's edges.
    @available(iOS 15, macOS 12, watchOS 9, visionOS 26, *)
    public func contentMarginsDisabled() -> some WidgetConfiguration { changed { _ in } }

    /// Accepts whether the background may be removed.
    public func containerBackgroundRemovable(
        _ isRemovable: Bool = true
    ) -> some WidgetConfiguration { changed { _ in } }

    /// Accepts where the widget is not offered at first.
    public func disfavoredLocations(
        _ locations: [WidgetLocation],
        for families: [WidgetFamily]
    ) -> some WidgetConfiguration { changed { _ in } }

    /// Accepts that a person is asked for a configuration first.
    public func promptsForUserConfiguration() -> some WidgetConfiguration { changed { _ in } }

    /// Accepts how the widget is attached.
    public func supportedMountingStyles(
        _ styles: [WidgetMountingStyle]
    ) -> some WidgetConfiguration { changed { _ in } }

    /// Accepts the texture of the widget.
    public func widgetTexture(_ texture: WidgetTexture) -> some WidgetConfiguration {
        changed { _ in }
    }

    /// Accepts the size classes of a live activity.
    public func supplementalActivityFamilies(
        _ families: [ActivityFamily]
    ) -> some WidgetConfiguration { changed { _ in } }

    /// Accepts an action in the background.
    public func backgroundTask<Input, Output>(
        _ task: BackgroundTask<Input, Output>,
        action: @escaping @Sendable (Input) async -> Output
    ) -> some WidgetConfiguration { changed { _ in } }

    /// Accepts kinds of which the widget takes the place.
    public func associatedKind(_ kind: String) -> some WidgetConfiguration { changed { _ in } }
}
