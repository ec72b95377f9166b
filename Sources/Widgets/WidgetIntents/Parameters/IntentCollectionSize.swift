/// How many values a parameter that is a list may have, for each size of the widget.
public struct IntentCollectionSize: ExpressibleByIntegerLiteral, ExpressibleByDictionaryLiteral,
    Sendable
{
    /// The number for each size; empty if it is the same for all.
    public let counts: [Family: Int]
    /// The number for other sizes; nil if it has no limit.
    public let count: Int?

    /// The same number for all sizes.
    public init(integerLiteral count: Int) {
        self.count = count
        counts = [:]
    }

    /// A number for each size.
    public init(dictionaryLiteral elements: (Family, Int)...) {
        count = nil
        counts = Dictionary(elements, uniquingKeysWith: { first, _ in first })
    }

    /// The same number for all sizes.
    public static func exact(_ count: Int) -> IntentCollectionSize {
        IntentCollectionSize(integerLiteral: count)
    }
}
