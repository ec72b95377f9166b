internal import Basics

/// The cost of finding a widget by one condition of its rule.
///
/// A *cover* of a condition is a set of keys such that every push for which the condition holds has
/// at least one of them. If conditions must all hold, it is enough to cover one of them; of
/// alternatives, each must be covered.
struct Cover: BitwiseCopyable {
    /// What a key says about a push. The ranks are ordered by how many pushes will find the widget
    /// although its rule does not hold for them; those with the fewest come first.
    enum Rank: Comparable, BitwiseCopyable {
        /// The value equals an operand.
        case equality
        /// The text equals an operand, ignoring case.
        case foldedEquality
        /// The address is in a block.
        case block
        /// The text has a prefix, a suffix or a literal part of three bytes or more.
        case longText
        /// The number is in a range with two ends.
        case range
        /// The text has a prefix, a suffix or a literal part of fewer than three bytes.
        case shortText
        /// The number is in a range that is open at one end or both.
        case openRange
        /// The condition is evaluated whenever the push has the field.
        case group
        /// The condition is evaluated on every push of the app, because it may hold for a missing
        /// field.
        case always
    }

    /// The worst rank among the keys.
    var rank: Rank
    /// The number of keys; 0 if the condition holds for no push.
    var keyCount: Int

    /// What is known when a push finds a widget under one of the keys.
    struct Traits: BitwiseCopyable {
        /// Whether the covered condition then holds in any case, and need not be evaluated.
        var decides: Bool
        /// Whether a push may find the widget under several of the keys.
        var repeats: Posting.Repeat

        /// The traits of a cover without keys.
        static let none = Traits(decides: true, repeats: .never)
    }

    /// The cover of a condition that never holds.
    static let never = Cover(rank: .equality, keyCount: 0)

    /// Whether the condition never holds.
    var isNever: Bool { keyCount == 0 }

    /// The cover of two alternatives: the keys of both.
    func joined(with other: Cover) -> Cover {
        Cover(rank: max(rank, other.rank), keyCount: keyCount + other.keyCount)
    }

    /// Whether finding widgets by this cover is cheaper than by another one.
    func isBetter(than other: Cover) -> Bool {
        if isNever != other.isNever { return isNever }
        return rank == other.rank ? keyCount < other.keyCount : rank < other.rank
    }
}
