package import Foundation

extension EnvironmentValues {
    /// The size of the widget, in points.
    package var displaySize: CGSize {
        get { value(\.displaySize, or: CGSize(width: 158, height: 158)) }
        set { set(\.displaySize, to: newValue) }
    }

    /// Whether the widget's background is displayed: that of an accessory is not.
    public package(set) var showsWidgetContainerBackground: Bool {
        get { value(\.showsWidgetContainerBackground, or: true) }
        set { set(\.showsWidgetContainerBackground, to: newValue) }
    }
}
