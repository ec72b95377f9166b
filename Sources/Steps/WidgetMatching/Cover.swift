internal import ReloadModel

/// What finding a widget by a condition would cost.
///
/// A *cover* of a condition is a set of keys, one of which every push has for which the condition
/// holds. Of conditions that must all hold one is covered; of those of which one must hold, each.
struct Cover: BitwiseCopyable {
    /// How many pushes will meet the widget for nothing, roughly: the lower, the better.
    enum Rank: UInt8, Comparable, BitwiseCopyable {
        case equality
        case foldedEquality
        case block
        case longText
        case range
        case shortText
        case openRange
        /// The condition is evaluated whenever the field is there.
        case group
        /// The condition is evaluated on every push of the app: it may hold of a missing field.
        case always

        static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
    }

    var rank: Rank
    /// None: the condition holds for no push.
    var keyCount: Int

    /// What is known of a push that meets a widget under the keys.
    struct Traits: BitwiseCopyable {
        /// Whether the covered condition then holds.
        var decides: Bool
        var repeats: Posting.Repeats

        static let none = Traits(decides: true, repeats: .never)
    }

    static let never = Cover(rank: .equality, keyCount: 0)

    var isNever: Bool { keyCount == 0 }

    /// Both are needed.
    func joined(with other: Cover) -> Cover {
        Cover(rank: max(rank, other.rank), keyCount: keyCount + other.keyCount)
    }

    func isBetter(than other: Cover) -> Bool {
        if isNever != other.isNever { return isNever }
        return rank == other.rank ? keyCount < other.keyCount : rank < other.rank
    }
}
