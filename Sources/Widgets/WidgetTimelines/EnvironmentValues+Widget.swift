extension EnvironmentValues {
    /// Whether the widget has a label beside it.
    public var showsWidgetLabel: Bool { false }

    /// The distances that the system keeps from the widget's edges.
    public var widgetContentMargins: EdgeInsets {
        EdgeInsets(top: 16, leading: 16, bottom: 16, trailing: 16)
    }

    /// Whether a live activity covers the whole screen.
    public var isActivityFullscreen: Bool { false }

    /// How the widget is displayed from afar.
    public var levelOfDetail: LevelOfDetail { .default }

    /// Sets the environment of a widget.
    mutating func set(_ context: TimelineProviderContext) {
        widgetFamily = context.family
        displaySize = context.displaySize
        showsWidgetContainerBackground =
            switch context.family {
            case .accessoryCircular, .accessoryRectangular, .accessoryInline, .accessoryCorner:
                false
            default: true
            }
    }
}
