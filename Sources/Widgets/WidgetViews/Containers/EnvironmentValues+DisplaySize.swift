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
