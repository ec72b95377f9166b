/// The values that a provider or a query offers: an array, or sections with titles.
public protocol ResultsCollection {
    associatedtype Item
}

extension Array: ResultsCollection {
    /// A value.
    public typealias Item = Element
}

/// A value and how it is displayed.
public struct IntentItem<Result: Sendable>: Sendable {
    /// The value.
    public let result: Result
    /// How the value is displayed; nil if it says so itself.
    public let displayRepresentation: DisplayRepresentation?

    /// Makes an item that says itself how it is displayed.
    public init(_ result: Result) {
        self.result = result
        displayRepresentation = nil
    }

    /// Makes an item.
    public init(
        _ result: Result,
        title: LocalizedStringResource,
        subtitle: LocalizedStringResource? = nil,
        image: DisplayRepresentation.Image? = nil
    ) {
        self.result = result
        displayRepresentation = DisplayRepresentation(
            title: title,
            subtitle: subtitle,
            image: image
        )
    }
}

/// Some values with a title.
public struct IntentItemSection<Result: Sendable>: Sendable {
    /// The title; nil if there is none.
    public let title: LocalizedStringResource?
    /// The values.
    public let items: [IntentItem<Result>]

    /// Makes a section of values.
    public init(_ title: LocalizedStringResource? = nil, items: [Result]) {
        self.title = title
        self.items = items.map { IntentItem($0) }
    }

    /// Makes a section of values that say how they are displayed.
    public init(_ title: LocalizedStringResource? = nil, items: [IntentItem<Result>]) {
        self.title = title
        self.items = items
    }

    /// Makes a section with a subtitle and a picture.
    public init(
        title: LocalizedStringResource,
        subtitle: LocalizedStringResource? = nil,
        image: DisplayRepresentation.Image? = nil,
        items: [IntentItem<Result>]
    ) {
        self.title = title
        self.items = items
    }

    /// Makes a section of a block's values.
    public init(
        _ title: LocalizedStringResource? = nil,
        @ItemsBuilder items: () -> [IntentItem<Result>]
    ) {
        self.title = title
        self.items = items()
    }
}

/// The values that a query offers, in sections.
///
/// Source: <https://developer.apple.com/documentation/appintents/intentitemcollection>.
public struct IntentItemCollection<Result: Sendable>: ResultsCollection {
    /// A value.
    public typealias Item = Result

    /// The sections.
    public let sections: [IntentItemSection<Result>]

    /// Makes a collection of values.
    public init(promptLabel: LocalizedStringResource? = nil, items: [Result]) {
        sections = [IntentItemSection(items: items)]
    }

    /// Makes a collection of sections.
    public init(
        promptLabel: LocalizedStringResource? = nil,
        usesIndexedCollation: Bool = false,
        sections: [IntentItemSection<Result>]
    ) {
        self.sections = sections
    }

    /// Makes a collection of a block's sections.
    public init(
        promptLabel: LocalizedStringResource? = nil,
        usesIndexedCollation: Bool = false,
        @SectionsBuilder sections: () -> [IntentItemSection<Result>]
    ) {
        self.sections = sections()
    }

    /// No values.
    public static var empty: IntentItemCollection<Result> { IntentItemCollection(sections: []) }

    /// All values, in their order.
    public var items: [Result] { sections.flatMap(\.items).map(\.result) }
}
