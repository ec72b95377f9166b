/// A configuration that a person has chosen for a widget, with its parameters as `@Parameter`s or
/// plain stored properties.
///
/// Source: <https://developer.apple.com/documentation/appintents/widgetconfigurationintent>.
public protocol WidgetConfigurationIntent: Sendable {
    /// What people are shown above the parameters.
    static var title: LocalizedStringResource { get }
    /// What it is about.
    static var description: IntentDescription { get }

    /// With every parameter as it is when nobody has chosen one.
    init()
}

extension WidgetConfigurationIntent {
    /// The type's name.
    public static var title: LocalizedStringResource { LocalizedStringResource("\(Self.self)") }
    /// Nothing.
    public static var description: IntentDescription { "" }
}

/// Text for people, in the language of the code.
public struct LocalizedStringResource: ExpressibleByStringLiteral, Hashable, Sendable {
    /// The text.
    public let key: String

    /// The text as it is.
    public init(stringLiteral text: String) {
        key = text
    }

    init(_ text: String) {
        key = text
    }
}

/// What an intent is about.
public struct IntentDescription: ExpressibleByStringLiteral, Hashable, Sendable {
    /// The text.
    public let descriptionText: LocalizedStringResource

    /// - Parameter text: a sentence.
    public init(_ text: LocalizedStringResource) {
        descriptionText = text
    }

    /// A sentence.
    public init(stringLiteral text: String) {
        descriptionText = LocalizedStringResource(text)
    }
}

extension WidgetConfigurationIntent {
    /// The attribute of a parameter.
    public typealias Parameter = IntentParameter
}
