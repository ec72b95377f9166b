internal import ReloadModel

/// The cost of finding widgets by a condition.
///
/// A *cover* of a condition is a set of keys such that every push for which the condition holds has
/// at least one of them. Of conditions that must all hold, one needs to be covered; of
/// alternatives, each.
struct Cover: BitwiseCopyable {
    /// How many pushes will meet the widget in vain, roughly; lower is better.
    enum Rank: UInt8, Comparable, BitwiseCopyable {
        case equality
        case foldedEquality
        case block
        case longText
        case range
        case shortText
        case openRange
        /// The condition is evaluated whenever the push has the field.
        case group
        /// The condition is evaluated on every push of the app, because it may hold for a missing
        /// field.
        case always

        static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
    }

    var rank: Rank
    /// The number of keys; 0 if the condition holds for no push.
    var keyCount: Int

    /// What is known when a push meets a widget under one of the keys.
    struct Traits: BitwiseCopyable {
        /// Whether the covered condition is then sure to hold.
        var decides: Bool
        /// Whether a push may meet the widget under several of the keys.
        var repeats: Posting.Repeats

        static let none = Traits(decides: true, repeats: .never)
    }

    /// The cover of a condition that never holds.
    static let never = Cover(rank: .equality, keyCount: 0)

    var isNever: Bool { keyCount == 0 }

    /// The cover of two alternatives: the keys of both.
    func joined(with other: Cover) -> Cover {
        Cover(rank: max(rank, other.rank), keyCount: keyCount + other.keyCount)
    }

    /// Whether finding widgets by this cover is cheaper.
    func isBetter(than other: Cover) -> Bool {
        if isNever != other.isNever { return isNever }
        return rank == other.rank ? keyCount < other.keyCount : rank < other.rank
    }
}
