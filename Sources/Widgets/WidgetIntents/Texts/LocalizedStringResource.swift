public import Foundation

/// Text that people see; it is not translated here.
///
/// Source: <https://developer.apple.com/documentation/foundation/localizedstringresource>.
public struct LocalizedStringResource: Equatable, Sendable {
    /// Where a translation would be looked up.
    public enum BundleDescription: Equatable, Sendable {
        /// The bundle of the program.
        case main
        /// The bundle that contains a class.
        case forClass(AnyClass)
        /// The bundle at an address.
        case atURL(URL)

        /// Whether both are the same bundle.
        public static func == (left: BundleDescription, right: BundleDescription) -> Bool {
            switch (left, right) {
            case (.main, .main): true
            case (.forClass(let left), .forClass(let right)): left == right
            case (.atURL(let left), .atURL(let right)): left == right
            default: false
            }
        }
    }

    /// The key of the translation; the text itself, if nothing else is specified.
    public let key: String
    /// The text without a translation.
    public let defaultValue: String.LocalizationValue
    /// The table of translations; nil for the usual one.
    public let table: String?
    /// The language in which the text is displayed.
    public var locale: Locale
    /// Where the translation would be looked up.
    public let bundle: BundleDescription

    /// Makes a resource from its key and the text that is displayed without a translation.
    public init(
        _ key: StaticString,
        defaultValue: String.LocalizationValue,
        table: String? = nil,
        locale: Locale = .current,
        bundle: BundleDescription = .main,
        comment: StaticString? = nil
    ) {
        self.key = "\(key)"
        self.defaultValue = defaultValue
        self.table = table
        self.locale = locale
        self.bundle = bundle
    }

    /// Makes a resource whose key is its text.
    public init(
        _ keyAndValue: String.LocalizationValue,
        table: String? = nil,
        locale: Locale = .current,
        bundle: BundleDescription = .main,
        comment: StaticString? = nil
    ) {
        key = keyAndValue.text
        defaultValue = keyAndValue
        self.table = table
        self.locale = locale
        self.bundle = bundle
    }

    /// The text that is displayed.
    package var text: String { defaultValue.text }
}

extension LocalizedStringResource: ExpressibleByStringInterpolation {
    /// Makes a resource from the text itself.
    public init(stringLiteral text: String) {
        self.init(String.LocalizationValue(text))
    }

    /// Makes a resource from the pieces of a literal.
    public init(stringInterpolation: String.LocalizationValue.StringInterpolation) {
        self.init(String.LocalizationValue(stringInterpolation: stringInterpolation))
    }
}

extension LocalizedStringResource: Hashable {
    /// Hashes the key.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(key)
    }
}

extension LocalizedStringResource: CustomLocalizedStringResourceConvertible {
    /// The resource itself.
    public var localizedStringResource: LocalizedStringResource { self }
}

/// A value that has a text for people.
public protocol CustomLocalizedStringResourceConvertible {
    /// The text.
    var localizedStringResource: LocalizedStringResource { get }
}

extension String {
    /// The text of a resource.
    public init(localized resource: LocalizedStringResource) {
        self = resource.text
    }

    /// A text, which is not translated.
    public init(
        localized keyAndValue: String.LocalizationValue,
        table: String? = nil,
        bundle: Bundle? = nil,
        locale: Locale = .current,
        comment: StaticString? = nil
    ) {
        self = keyAndValue.text
    }

    /// A text by its key, which is not translated.
    public init(
        localized key: StaticString,
        defaultValue: String.LocalizationValue,
        table: String? = nil,
        bundle: Bundle? = nil,
        locale: Locale = .current,
        comment: StaticString? = nil
    ) {
        self = defaultValue.text
    }
}
