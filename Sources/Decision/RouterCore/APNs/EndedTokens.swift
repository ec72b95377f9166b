internal import Basics

/// Whose push tokens have ended, in the order in which that became known.
///
///     number   3          7   12      20
///     owner    d4's app   –   d9      d1's control w5   –: the token is given anew, or removed
///
/// A client that knows all ends up to a number asks for those after it. There are as many entries
/// as such tokens, and at most as many empty ones. It is made of the tokens' records.
struct EndedTokens {
    /// The end of a token.
    struct Entry: BitwiseCopyable {
        /// The end's number; see `TokenEnd`.
        let number: UInt64
        /// Whose the token is; see `isEmpty`.
        var owner: TokenOwner

        /// Whether the token has not ended any more.
        var isEmpty: Bool { owner.device.isNone }
    }

    /// The ends in the order of their numbers.
    private(set) var entries: ContiguousArray<Entry> = []
    /// How many entries are not empty.
    private(set) var count = 0

    /// The memory of the entries in bytes.
    var byteCount: Int { entries.capacity * MemoryLayout<Entry>.stride }

    /// The index of the first entry with a number above this one.
    ///
    /// - Complexity: logarithmic.
    func index(after number: UInt64) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = low + (high - low) / 2
            if entries[middle].number > number { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Adds an end with a number above all others.
    mutating func append(_ owner: TokenOwner, number: UInt64) {
        assert(entries.last?.number ?? 0 < number, "ends of tokens are out of order")
        entries.append(Entry(number: number, owner: owner))
        count += 1
    }

    /// Removes an end; its number must be in the list.
    mutating func remove(number: UInt64) {
        let index = index(after: number) - 1
        assert(index >= 0 && entries[index].number == number && !entries[index].isEmpty)
        entries[index].owner.device = .none
        count -= 1
        if entries.count > 2 * count + Self.emptyCount { entries.removeAll(where: \.isEmpty) }
    }

    /// Replaces the list by ends in any order; returns false if two of them have one number.
    mutating func restore(_ ends: ContiguousArray<Entry>) -> Bool {
        entries = ends
        entries.sort { $0.number < $1.number }
        count = entries.count
        return zip(entries, entries.dropFirst()).allSatisfy { $0.number < $1.number }
    }

    /// Empty entries that a short list may have.
    private static var emptyCount: Int { 64 }
}
