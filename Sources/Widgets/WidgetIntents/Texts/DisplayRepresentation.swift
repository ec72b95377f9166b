public import Foundation

/// How an entity, or a case of an enum, is displayed where people choose it.
///
/// Source: <https://developer.apple.com/documentation/appintents/displayrepresentation>.
public struct DisplayRepresentation: ExpressibleByStringInterpolation, Hashable, Sendable {
    /// A picture beside the title.
    public struct Image: Hashable, Sendable {
        /// The name or the address of the picture; empty if the picture is data.
        public let name: String

        /// A symbol of the system.
        public init(systemName: String, isTemplate: Bool? = nil) {
            name = systemName
        }

        /// A picture of the app.
        public init(
            named name: String,
            isTemplate: Bool? = nil,
            displayStyle: DisplayStyle = .default
        ) {
            self.name = name
        }

        /// A picture at an address.
        public init(
            url: URL,
            isTemplate: Bool? = nil,
            displayStyle: DisplayStyle = .default
        ) {
            name = url.absoluteString
        }

        /// A picture of bytes.
        public init(
            data: Data,
            isTemplate: Bool? = nil,
            displayStyle: DisplayStyle = .default
        ) {
            name = ""
        }
    }

    /// The first line.
    public var title: LocalizedStringResource
    /// The second line; nil if there is none.
    public var subtitle: LocalizedStringResource?
    /// The picture; nil if there is none.
    public var image: Image?
    /// Other words by which people find the value.
    public var synonyms: [LocalizedStringResource]

    /// Makes a representation.
    public init(
        title: LocalizedStringResource,
        subtitle: LocalizedStringResource? = nil,
        image: Image? = nil,
        synonyms: [LocalizedStringResource] = []
    ) {
        self.title = title
        self.subtitle = subtitle
        self.image = image
        self.synonyms = synonyms
    }

    /// Makes a representation from its title.
    public init(stringLiteral title: String) {
        self.init(title: LocalizedStringResource(stringLiteral: title))
    }

    /// Makes a representation from the pieces of its title.
    public init(stringInterpolation: String.LocalizationValue.StringInterpolation) {
        self.init(title: LocalizedStringResource(stringInterpolation: stringInterpolation))
    }
}

/// How a type is named where people choose a value of it.
///
/// Source: <https://developer.apple.com/documentation/appintents/typedisplayrepresentation>.
public struct TypeDisplayRepresentation: ExpressibleByStringInterpolation, Hashable, Sendable {
    /// The name of the type.
    public var name: LocalizedStringResource
    /// The name of a number of values; nil if there is none.
    public var numericFormat: LocalizedStringResource?
    /// Other names of the type.
    public var synonyms: [LocalizedStringResource]

    /// Makes a representation.
    public init(
        name: LocalizedStringResource,
        numericFormat: LocalizedStringResource? = nil,
        synonyms: [LocalizedStringResource] = []
    ) {
        self.name = name
        self.numericFormat = numericFormat
        self.synonyms = synonyms
    }

    /// Makes a representation from the name.
    public init(stringLiteral name: String) {
        self.init(name: LocalizedStringResource(stringLiteral: name))
    }

    /// Makes a representation from the pieces of the name.
    public init(stringInterpolation: String.LocalizationValue.StringInterpolation) {
        self.init(name: LocalizedStringResource(stringInterpolation: stringInterpolation))
    }
}

/// A type that has a name for people.
public protocol TypeDisplayRepresentable {
    /// The name of the type.
    static var typeDisplayRepresentation: TypeDisplayRepresentation { get }
    /// The name of the type, as a text.
    static var typeDisplayName: LocalizedStringResource { get }
}

extension TypeDisplayRepresentable {
    /// The name of the Swift type.
    public static var typeDisplayRepresentation: TypeDisplayRepresentation {
        TypeDisplayRepresentation(stringLiteral: "\(Self.self)")
    }

    /// The name of `typeDisplayRepresentation`.
    public static var typeDisplayName: LocalizedStringResource { typeDisplayRepresentation.name }
}

/// A value that is displayed where people choose it.
public protocol InstanceDisplayRepresentable: CustomLocalizedStringResourceConvertible {
    /// How the value is displayed.
    var displayRepresentation: DisplayRepresentation { get }
}

extension InstanceDisplayRepresentable {
    /// The title of `displayRepresentation`.
    public var localizedStringResource: LocalizedStringResource { displayRepresentation.title }
}

/// An enum that has a representation for each case.
@available(iOS 16, *)
public protocol CaseDisplayRepresentable: DisplayRepresentable, Hashable {
    /// How the cases are displayed.
    static var caseDisplayRepresentations: [Self: DisplayRepresentation] { get }
}

extension CaseDisplayRepresentable {
    /// The case's entry in `caseDisplayRepresentations`.
    public var displayRepresentation: DisplayRepresentation {
        Self.caseDisplayRepresentations[self] ?? DisplayRepresentation(stringLiteral: "\(self)")
    }
}
