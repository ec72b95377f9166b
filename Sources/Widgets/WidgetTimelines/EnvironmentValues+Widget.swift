private struct FamilyKey: EnvironmentKey {
    static var defaultValue: WidgetFamily { .systemSmall }
}

private struct RenderingModeKey: EnvironmentKey {
    static var defaultValue: WidgetRenderingMode { .fullColor }
}

private struct ActivityFamilyKey: EnvironmentKey {
    static var defaultValue: ActivityFamily { .medium }
}

extension EnvironmentValues {
    /// The size class of the widget.
    public var widgetFamily: WidgetFamily {
        get { self[FamilyKey.self] }
        set { self[FamilyKey.self] = newValue }
    }

    /// How the widget is coloured.
    public var widgetRenderingMode: WidgetRenderingMode {
        get { self[RenderingModeKey.self] }
        set { self[RenderingModeKey.self] = newValue }
    }

    /// The size class of a live activity.
    public var activityFamily: ActivityFamily {
        get { self[ActivityFamilyKey.self] }
        set { self[ActivityFamilyKey.self] = newValue }
    }

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
