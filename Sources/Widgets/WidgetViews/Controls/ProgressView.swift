public import Foundation

/// How far something has progressed.
///
/// Source: <https://developer.apple.com/documentation/swiftui/progressview>.
public struct ProgressView: ContentView {
    private let fraction: Double?
    private let parts: [AnyView]

    private init(fraction: Double?, parts: [AnyView] = []) {
        self.fraction = fraction
        self.parts = parts
    }

    /// A progress that is not known.
    public init() {
        self.init(fraction: nil)
    }

    /// A progress that is not known, with a text.
    public init(_ title: LocalizedStringKey) {
        self.init(fraction: nil, parts: [AnyView(Text(title))])
    }

    /// A value of a total.
    public init<Value: BinaryFloatingPoint>(value: Value?, total: Value = 1) {
        self.init(fraction: value.map { Double($0 / total) })
    }

    /// A value of a total, with a view.
    public init<Value: BinaryFloatingPoint, Content: View>(
        value: Value?,
        total: Value = 1,
        @ViewBuilder label: () -> Content
    ) {
        self.init(fraction: value.map { Double($0 / total) }, parts: [AnyView(label())])
    }

    /// A value of a total, with two views.
    public init<Value: BinaryFloatingPoint, Content: View, Current: View>(
        value: Value?,
        total: Value = 1,
        @ViewBuilder label: () -> Content,
        @ViewBuilder currentValueLabel: () -> Current
    ) {
        self.init(
            fraction: value.map { Double($0 / total) },
            parts: [AnyView(label()), AnyView(currentValueLabel())]
        )
    }

    /// A value of a total, with a text.
    public init<Value: BinaryFloatingPoint>(
        _ title: LocalizedStringKey,
        value: Value?,
        total: Value = 1
    ) {
        self.init(value: value, total: total) { Text(title) }
    }

    /// The part of an interval that has passed.
    public init(timerInterval dates: ClosedRange<Date>, countsDown: Bool = true) {
        let length = dates.upperBound.timeIntervalSince(dates.lowerBound)
        let passed = Date().timeIntervalSince(dates.lowerBound)
        let fraction = length > 0 ? min(1, max(0, passed / length)) : 1
        self.init(fraction: countsDown ? 1 - fraction : fraction)
    }

    /// The part of an interval that has passed, with views.
    public init<Content: View, Current: View>(
        timerInterval dates: ClosedRange<Date>,
        countsDown: Bool = true,
        @ViewBuilder label: () -> Content,
        @ViewBuilder currentValueLabel: () -> Current
    ) {
        self.init(
            fraction: ProgressView(timerInterval: dates, countsDown: countsDown).fraction,
            parts: [AnyView(label()), AnyView(currentValueLabel())]
        )
    }

    /// The views and the progress.
    public var viewContent: ViewContent {
        .column(parts.flatMap { $0.viewContent.members } + [.progress(fraction)])
    }
}

/// A value between two others.
///
/// Source: <https://developer.apple.com/documentation/swiftui/gauge>.
public struct Gauge: ContentView {
    private let fraction: Double
    private let parts: [AnyView]

    private init(fraction: Double, parts: [AnyView]) {
        self.fraction = fraction
        self.parts = parts
    }

    /// A value with a view.
    public init<Value: BinaryFloatingPoint, Content: View>(
        value: Value,
        in bounds: ClosedRange<Value> = 0...1,
        @ViewBuilder label: () -> Content
    ) {
        self.init(value: value, in: bounds, label: label, currentValueLabel: { EmptyView() })
    }

    /// A value with views for itself and the value.
    public init<Value: BinaryFloatingPoint, Content: View, Current: View>(
        value: Value,
        in bounds: ClosedRange<Value> = 0...1,
        @ViewBuilder label: () -> Content,
        @ViewBuilder currentValueLabel: () -> Current
    ) {
        self.init(
            value: value,
            in: bounds,
            label: label,
            currentValueLabel: currentValueLabel,
            minimumValueLabel: { EmptyView() },
            maximumValueLabel: { EmptyView() }
        )
    }

    /// A value with views for itself, the value and the bounds.
    public init<Value: BinaryFloatingPoint, Content: View, Current: View, Least: View, Most: View>(
        value: Value,
        in bounds: ClosedRange<Value> = 0...1,
        @ViewBuilder label: () -> Content,
        @ViewBuilder currentValueLabel: () -> Current,
        @ViewBuilder minimumValueLabel: () -> Least,
        @ViewBuilder maximumValueLabel: () -> Most
    ) {
        let length = bounds.upperBound - bounds.lowerBound
        self.init(
            fraction: length > 0 ? Double((value - bounds.lowerBound) / length) : 0,
            parts: [
                AnyView(label()), AnyView(currentValueLabel()), AnyView(minimumValueLabel()),
                AnyView(maximumValueLabel()),
            ]
        )
    }

    /// The views and the place of the value.
    public var viewContent: ViewContent {
        .column(parts.flatMap { $0.viewContent.members } + [.progress(fraction)])
    }
}
