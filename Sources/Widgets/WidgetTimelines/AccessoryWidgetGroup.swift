/// Several small widgets beside each other.
public struct AccessoryWidgetGroup: View {
    private let content: AnyView

    /// Makes a group with a title.
    public init<Content: View>(
        _ title: LocalizedStringKey,
        systemImage: String,
        @ViewBuilder content: () -> Content
    ) {
        self.content = AnyView(content())
    }

    /// The views.
    public var body: some View { content }
}
