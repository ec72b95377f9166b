internal import Basics
internal import EventPatterns

/// The numbers that may pass a `numeric` test, as far as choosing keys requires.
struct NumericRange {
    /// The values of a test with `=`.
    private(set) var equals: [ValueID] = []
    /// The keys (`DecimalOrder.key`) of the lowest and highest number that may pass; nil for `=`,
    /// for `!=`, and if no number may pass.
    private(set) var keys: (low: UInt64, high: UInt64)?
    /// The cost of covering the test.
    private(set) var cover = Cover.never

    /// Reads the bounds of the `numeric` node at an index of a widget's rule.
    init(_ number: Int, of rule: WidgetRule, in index: borrowing WidgetIndex) {
        var low: UInt64 = 0
        var high = UInt64.max
        for bound in number + 1..<rule.program.end(number) {
            let node = rule.program[bound]
            let numbers = Self.numbers(for: node, of: rule, in: index)
            let keys = numbers.map { DecimalOrder.key(index.values.bytes(of: $0)) }
            guard let least = keys.min(), let greatest = keys.max() else { return }
            switch node.comparison {
            case .equal:
                equals = numbers
                cover = Cover(rank: .equality, keyCount: numbers.count)
                return
            case .notEqual:
                cover = Cover(rank: .group, keyCount: 1)
                return
            case .less, .lessOrEqual: high = min(high, greatest)
            case .greater, .greaterOrEqual: low = max(low, least)
            }
        }
        if low > high { return }
        keys = (low, high)
        let isOpen = low == 0 || high == .max
        var count = 0
        NumberCell.cover(from: low, to: high) { _ in count += 1 }
        cover = Cover(rank: isOpen ? .openRange : .range, keyCount: count)
    }

    /// The values of a bound that are numbers.
    private static func numbers(
        for node: PatternNode,
        of rule: WidgetRule,
        in index: borrowing WidgetIndex
    ) -> [ValueID] {
        (0..<index.operandCount(of: node, in: rule)).map {
            index.operand(of: node, in: rule, at: $0)
        }
        .filter { index.values.tag(of: $0) == .number }
    }
}
