public import Foundation

// The values of the environment that SwiftUI names. A path such as `\.colorScheme` is the key.

/// A value by the path of its property.
private struct PathKey: EnvironmentKey {
    static var defaultValue: [AnyKeyPath: Any] { [:] }
}

extension EnvironmentValues {
    private func value<Value>(_ path: KeyPath<EnvironmentValues, Value>, or other: Value) -> Value {
        self[PathKey.self][path] as? Value ?? other
    }

    private mutating func set<Value>(
        _ path: KeyPath<EnvironmentValues, Value>,
        to value: Value
    ) {
        self[PathKey.self][path] = value
    }

    /// Whether colours are light or dark.
    public var colorScheme: ColorScheme {
        get { value(\.colorScheme, or: .light) }
        set { set(\.colorScheme, to: newValue) }
    }

    /// How much colours differ.
    public var colorSchemeContrast: ColorSchemeContrast {
        get { value(\.colorSchemeContrast, or: .standard) }
        set { set(\.colorSchemeContrast, to: newValue) }
    }

    /// The size of text, by its former name.
    public var sizeCategory: ContentSizeCategory {
        get { value(\.sizeCategory, or: .large) }
        set { set(\.sizeCategory, to: newValue) }
    }

    /// The size of text.
    public var dynamicTypeSize: DynamicTypeSize {
        get { value(\.dynamicTypeSize, or: .large) }
        set { set(\.dynamicTypeSize, to: newValue) }
    }

    /// The direction of reading.
    public var layoutDirection: LayoutDirection {
        get { value(\.layoutDirection, or: .leftToRight) }
        set { set(\.layoutDirection, to: newValue) }
    }

    /// Why and how views hide what they display.
    public var redactionReasons: RedactionReasons {
        get { value(\.redactionReasons, or: []) }
        set { set(\.redactionReasons, to: newValue) }
    }

    /// The language.
    public var locale: Locale {
        get { value(\.locale, or: .current) }
        set { set(\.locale, to: newValue) }
    }

    /// The calendar.
    public var calendar: Calendar {
        get { value(\.calendar, or: .current) }
        set { set(\.calendar, to: newValue) }
    }

    /// The time zone.
    public var timeZone: TimeZone {
        get { value(\.timeZone, or: .current) }
        set { set(\.timeZone, to: newValue) }
    }

    /// Pixels for each point.
    public var displayScale: CGFloat {
        get { value(\.displayScale, or: 3) }
        set { set(\.displayScale, to: newValue) }
    }

    /// The size of a pixel, in points.
    public var pixelLength: CGFloat {
        get { value(\.pixelLength, or: 1 / 3) }
        set { set(\.pixelLength, to: newValue) }
    }

    /// The font; nil for the usual one.
    public var font: Font? {
        get { value(\.font, or: nil) }
        set { set(\.font, to: newValue) }
    }

    /// How many lines a text may have; nil for any number.
    public var lineLimit: Int? {
        get { value(\.lineLimit, or: nil) }
        set { set(\.lineLimit, to: newValue) }
    }

    /// Whether controls can be used.
    public var isEnabled: Bool {
        get { value(\.isEnabled, or: true) }
        set { set(\.isEnabled, to: newValue) }
    }

    /// Whether the app is in sight.
    public var scenePhase: ScenePhase {
        get { value(\.scenePhase, or: .active) }
        set { set(\.scenePhase, to: newValue) }
    }

    /// How wide the environment is.
    public var horizontalSizeClass: UserInterfaceSizeClass? {
        get { value(\.horizontalSizeClass, or: .compact) }
        set { set(\.horizontalSizeClass, to: newValue) }
    }

    /// How high the environment is.
    public var verticalSizeClass: UserInterfaceSizeClass? {
        get { value(\.verticalSizeClass, or: .regular) }
        set { set(\.verticalSizeClass, to: newValue) }
    }

    /// Whether nothing should move.
    public var accessibilityReduceMotion: Bool {
        get { value(\.accessibilityReduceMotion, or: false) }
        set { set(\.accessibilityReduceMotion, to: newValue) }
    }

    /// Whether nothing should be transparent.
    public var accessibilityReduceTransparency: Bool {
        get { value(\.accessibilityReduceTransparency, or: false) }
        set { set(\.accessibilityReduceTransparency, to: newValue) }
    }

    /// Whether colours alone should mean nothing.
    public var accessibilityDifferentiateWithoutColor: Bool {
        get { value(\.accessibilityDifferentiateWithoutColor, or: false) }
        set { set(\.accessibilityDifferentiateWithoutColor, to: newValue) }
    }

    /// Whether letters are bold.
    public var legibilityWeight: LegibilityWeight? {
        get { value(\.legibilityWeight, or: nil) }
        set { set(\.legibilityWeight, to: newValue) }
    }

    /// Whether the screen is dimmed.
    public var isLuminanceReduced: Bool {
        get { value(\.isLuminanceReduced, or: false) }
        set { set(\.isLuminanceReduced, to: newValue) }
    }

    /// Where the lines of a text begin or end.
    public var multilineTextAlignment: TextAlignment {
        get { value(\.multilineTextAlignment, or: .leading) }
        set { set(\.multilineTextAlignment, to: newValue) }
    }

    /// How small a text may become.
    public var minimumScaleFactor: CGFloat {
        get { value(\.minimumScaleFactor, or: 1) }
        set { set(\.minimumScaleFactor, to: newValue) }
    }

    /// The size of symbols.
    public var imageScale: Image.Scale {
        get { value(\.imageScale, or: .medium) }
        set { set(\.imageScale, to: newValue) }
    }

    /// The size of controls.
    public var controlSize: ControlSize {
        get { value(\.controlSize, or: .regular) }
        set { set(\.controlSize, to: newValue) }
    }

    /// The style of backgrounds.
    public var backgroundStyle: AnyShapeStyle? {
        get { value(\.backgroundStyle, or: nil) }
        set { set(\.backgroundStyle, to: newValue) }
    }

    /// What opens an address; nothing is opened here.
    public var openURL: OpenURLAction {
        get { value(\.openURL, or: OpenURLAction()) }
        set { set(\.openURL, to: newValue) }
    }
}

/// Whether letters are bold.
public enum LegibilityWeight: Hashable, Sendable {
    case regular
    case bold
}

/// Opens an address; nothing is opened here.
public struct OpenURLAction: Sendable {
    /// Opens an address.
    public func callAsFunction(_ url: URL) {}
}
