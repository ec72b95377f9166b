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

    /// Combines the values of a block.
    @resultBuilder
    public enum ItemsBuilder {
        /// A value of the block.
        public static func buildExpression(_ result: Result) -> [IntentItem<Result>] {
            [IntentItem(result)]
        }
        /// Values of the block.
        public static func buildExpression(_ results: [Result]) -> [IntentItem<Result>] {
            results.map { IntentItem($0) }
        }
        /// A value of the block that says how it is displayed.
        public static func buildExpression(_ item: IntentItem<Result>) -> [IntentItem<Result>] {
            [item]
        }
        /// The block.
        public static func buildBlock(_ items: [IntentItem<Result>]...) -> [IntentItem<Result>] {
            items.flatMap { $0 }
        }
        /// A `for` loop.
        public static func buildArray(_ items: [[IntentItem<Result>]]) -> [IntentItem<Result>] {
            items.flatMap { $0 }
        }
        /// An `if` without an `else`.
        public static func buildOptional(_ items: [IntentItem<Result>]?) -> [IntentItem<Result>] {
            items ?? []
        }
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

    /// Combines the sections of a block.
    @resultBuilder
    public enum SectionsBuilder {
        /// A section of the block.
        public static func buildExpression(
            _ section: IntentItemSection<Result>
        ) -> [IntentItemSection<Result>] {
            [section]
        }
        /// The block.
        public static func buildBlock(
            _ sections: [IntentItemSection<Result>]...
        ) -> [IntentItemSection<Result>] {
            sections.flatMap { $0 }
        }
        /// A `for` loop.
        public static func buildArray(
            _ sections: [[IntentItemSection<Result>]]
        ) -> [IntentItemSection<Result>] {
            sections.flatMap { $0 }
        }
        /// An `if` without an `else`.
        public static func buildOptional(
            _ sections: [IntentItemSection<Result>]?
        ) -> [IntentItemSection<Result>] {
            sections ?? []
        }
        /// An `if` that holds.
        public static func buildEither(
            first sections: [IntentItemSection<Result>]
        ) -> [IntentItemSection<Result>] { sections }
        /// An `else`.
        public static func buildEither(
            second sections: [IntentItemSection<Result>]
        ) -> [IntentItemSection<Result>] { sections }
    }
}

/// The former name of `IntentItemCollection`.
public typealias ItemCollection = IntentItemCollection
/// The former name of `IntentItemSection`.
public typealias ItemSection = IntentItemSection
