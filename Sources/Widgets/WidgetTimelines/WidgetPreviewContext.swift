/// The surroundings of a widget's preview.
public struct WidgetPreviewContext: PreviewContext {
    /// Makes the surroundings of a size class.
    public init(family: WidgetFamily) {}
}
