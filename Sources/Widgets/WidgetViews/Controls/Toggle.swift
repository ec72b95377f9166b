/// A switch. Here nothing taps it.
public struct Toggle: ContentView {
    private let label: AnyView
    private let isOn: () -> Bool

    /// Makes a switch of a value.
    public init<Content: View>(isOn: Binding<Bool>, @ViewBuilder label: () -> Content) {
        self.label = AnyView(label())
        self.isOn = { isOn.wrappedValue }
    }

    /// Makes a switch of a value.
    public init(_ title: LocalizedStringKey, isOn: Binding<Bool>) {
        self.init(isOn: isOn) { Text(title) }
    }

    /// Makes a switch that performs an intent.
    public init<Content: View>(
        isOn: Bool,
        intent: some AppIntent,
        @ViewBuilder label: () -> Content
    ) {
        self.label = AnyView(label())
        self.isOn = { isOn }
    }

    /// Makes a switch that performs an intent.
    public init(_ title: LocalizedStringKey, isOn: Bool, intent: some AppIntent) {
        self.init(isOn: isOn, intent: intent) { Text(title) }
    }

    /// Makes a switch that performs an intent.
    @_disfavoredOverload
    public init(_ title: some StringProtocol, isOn: Bool, intent: some AppIntent) {
        self.init(isOn: isOn, intent: intent) { Text(title) }
    }

    /// The view, with the value as a note.
    public var viewContent: ViewContent {
        .noted(label.viewContent, ViewNote("toggle", value: isOn() ? "on" : "off"))
    }
}
