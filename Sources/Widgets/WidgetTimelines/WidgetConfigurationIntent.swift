/// The configuration that a person has chosen for a widget. Its parameters are declared as
/// `@Parameter`s or as plain stored properties.
///
/// Source: <https://developer.apple.com/documentation/appintents/widgetconfigurationintent>.
public protocol WidgetConfigurationIntent: Sendable {
    /// The title that people see above the parameters.
    static var title: LocalizedStringResource { get }
    /// The description that people see.
    static var description: IntentDescription { get }

    /// Makes a configuration with the default values of all parameters.
    init()
}

extension WidgetConfigurationIntent {
    /// The type's name.
    public static var title: LocalizedStringResource { LocalizedStringResource("\(Self.self)") }
    /// An empty description.
    public static var description: IntentDescription { "" }
}

/// Text that people see; it is not translated here.
public struct LocalizedStringResource: ExpressibleByStringLiteral, Hashable, Sendable {
    /// The text.
    public let key: String

    /// Makes a resource from the text itself.
    public init(stringLiteral text: String) {
        key = text
    }

    init(_ text: String) {
        key = text
    }
}

/// The description of an intent.
public struct IntentDescription: ExpressibleByStringLiteral, Hashable, Sendable {
    /// The text.
    public let descriptionText: LocalizedStringResource

    /// - Parameter text: a sentence.
    public init(_ text: LocalizedStringResource) {
        descriptionText = text
    }

    /// Makes a description from a sentence.
    public init(stringLiteral text: String) {
        descriptionText = LocalizedStringResource(text)
    }
}

extension WidgetConfigurationIntent {
    /// The property wrapper `@Parameter`, by which an intent declares a parameter.
    public typealias Parameter = IntentParameter
}
