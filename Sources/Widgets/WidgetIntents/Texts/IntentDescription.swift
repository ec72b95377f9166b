/// The description of an intent.
public struct IntentDescription: ExpressibleByStringInterpolation, Hashable, Sendable {
    /// The text.
    public let descriptionText: LocalizedStringResource
    /// The category in which the intent is listed; nil if there is none.
    public let categoryName: LocalizedStringResource?
    /// Other words by which people find the intent.
    public let searchKeywords: [LocalizedStringResource]

    /// - Parameters:
    ///   - text: a sentence.
    ///   - categoryName: the category in which the intent is listed.
    ///   - searchKeywords: other words by which people find the intent.
    ///   - resultValueName: the name of the result.
    public init(
        _ text: LocalizedStringResource,
        categoryName: LocalizedStringResource? = nil,
        searchKeywords: [LocalizedStringResource] = [],
        resultValueName: LocalizedStringResource? = nil
    ) {
        descriptionText = text
        self.categoryName = categoryName
        self.searchKeywords = searchKeywords
    }

    /// Makes a description from a sentence.
    public init(stringLiteral text: String) {
        self.init(LocalizedStringResource(stringLiteral: text))
    }

    /// Makes a description from the pieces of a sentence.
    public init(stringInterpolation: String.LocalizationValue.StringInterpolation) {
        self.init(LocalizedStringResource(stringInterpolation: stringInterpolation))
    }
}

/// What the system says to a person about an intent.
///
/// Source: <https://developer.apple.com/documentation/appintents/intentdialog>.
public struct IntentDialog: ExpressibleByStringInterpolation, Hashable, Sendable {
    /// The words.
    public let full: LocalizedStringResource

    /// Makes a dialog from a text.
    public init(_ text: LocalizedStringResource) {
        full = text
    }

    /// Makes a dialog from a long and a short text.
    public init(
        full: LocalizedStringResource,
        supporting: LocalizedStringResource,
        systemImageName: String? = nil
    ) {
        self.full = full
    }

    /// Makes a dialog from a literal.
    public init(stringLiteral text: String) {
        full = LocalizedStringResource(stringLiteral: text)
    }

    /// Makes a dialog from the pieces of a literal.
    public init(stringInterpolation: String.LocalizationValue.StringInterpolation) {
        full = LocalizedStringResource(stringInterpolation: stringInterpolation)
    }
}
