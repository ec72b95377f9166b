/// A view that does something when it is tapped. Here nothing taps it.
public struct Button<Label: View>: ContentView {
    private let label: () -> ViewContent

    private init(label: Label) {
        self.label = { label.viewContent }
    }

    /// Makes a button that calls a closure.
    public init(
        role: ButtonRole? = nil,
        action: @escaping () -> Void,
        @ViewBuilder label: () -> Label
    ) {
        self.init(label: label())
    }

    /// Makes a button that performs an intent.
    public init(
        role: ButtonRole? = nil,
        intent: some AppIntent,
        @ViewBuilder label: () -> Label
    ) {
        self.init(label: label())
    }

    /// The view.
    public var viewContent: ViewContent { .noted(label(), ViewNote("button")) }
}

extension Button where Label == Text {
    /// Makes a button that calls a closure.
    public init(
        _ title: LocalizedStringKey,
        role: ButtonRole? = nil,
        action: @escaping () -> Void
    ) {
        self.init(label: Text(title))
    }

    /// Makes a button that calls a closure.
    @_disfavoredOverload
    public init(
        _ title: some StringProtocol,
        role: ButtonRole? = nil,
        action: @escaping () -> Void
    ) {
        self.init(label: Text(title))
    }

    /// Makes a button that performs an intent.
    public init(
        _ title: LocalizedStringKey,
        role: ButtonRole? = nil,
        intent: some AppIntent
    ) {
        self.init(label: Text(title))
    }

    /// Makes a button that performs an intent.
    @_disfavoredOverload
    public init(
        _ title: some StringProtocol,
        role: ButtonRole? = nil,
        intent: some AppIntent
    ) {
        self.init(label: Text(title))
    }
}

extension Button where Label == WidgetViews.Label<Text, Image> {
    /// Makes a button with a symbol that performs an intent.
    public init(
        _ title: LocalizedStringKey,
        systemImage: String,
        role: ButtonRole? = nil,
        intent: some AppIntent
    ) {
        self.init(label: WidgetViews.Label(title, systemImage: systemImage))
    }

    /// Makes a button with a symbol that calls a closure.
    public init(
        _ title: LocalizedStringKey,
        systemImage: String,
        role: ButtonRole? = nil,
        action: @escaping () -> Void
    ) {
        self.init(label: WidgetViews.Label(title, systemImage: systemImage))
    }
}
