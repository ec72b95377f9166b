package import Foundation

extension EnvironmentValues {
    private struct DisplaySize: EnvironmentKey {
        static var defaultValue: CGSize { CGSize(width: 158, height: 158) }
    }

    /// The size of the widget, in points.
    package var displaySize: CGSize {
        get { self[DisplaySize.self] }
        set { self[DisplaySize.self] = newValue }
    }
}

private struct ContainerBackgroundKey: EnvironmentKey {
    static var defaultValue: Bool { true }
}

extension EnvironmentValues {
    /// Whether the widget's background is displayed: that of an accessory is not.
    public package(set) var showsWidgetContainerBackground: Bool {
        get { self[ContainerBackgroundKey.self] }
        set { self[ContainerBackgroundKey.self] = newValue }
    }
}
