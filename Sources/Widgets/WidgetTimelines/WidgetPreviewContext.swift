/// The environment of a widget's preview.
@available(iOS 14, *)
public struct WidgetPreviewContext: PreviewContext {
    /// Makes the environment of a size class.
    public init(family: WidgetFamily) {}
}
