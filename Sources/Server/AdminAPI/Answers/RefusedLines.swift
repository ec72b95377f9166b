/// The refused lines of a request: which ones, how many, and why the first of them were.
///
/// Ten thousand refusals with their reasons would be fifty times as long as the lines that caused
/// them. So an answer names the first ones, and counts the others.
package struct RefusedLines: Equatable, Sendable {
    /// The most lines of a request that its answer names; the others are counted.
    package static var namedLimit: Int { 64 }
    /// The bytes that a refusal takes at most, as it is kept and as it is answered; for limits.
    package static var namedByteCount: Int { 512 }

    /// The number of refused lines.
    package private(set) var count: Int
    /// The first of them, by line.
    package private(set) var named: [PushesBody.Rejection]
    /// A bit for each line that `add` has refused, from line 1.
    private var bits: ContiguousArray<UInt64> = []

    /// The number of refused lines that are not named.
    package var unnamedCount: Int { count - named.count }
    /// The same; nil if there are none.
    var moreCount: Int? { unnamedCount > 0 ? unnamedCount : nil }

    /// Makes a list of no lines.
    package init() {
        count = 0
        named = []
    }

    /// Makes the list of an earlier request; `named` are those whose reasons are known, by line.
    package init(count: Int, named: [PushesBody.Rejection]) {
        assert(named.count <= min(count, Self.namedLimit), "more lines are named than are refused")
        self.count = count
        self.named = named
    }

    /// Whether `add` has refused a line.
    package func contains(_ line: Int) -> Bool {
        let index = line >> 6
        return index < bits.count && bits[index] & 1 << UInt64(line & 63) != 0
    }

    /// Adds a line that was not refused before; `reason` is called if it is named.
    package mutating func add(_ line: Int, reason: () -> (code: String, detail: String)) {
        assert(line >= 1 && !contains(line), "the line \(line) is refused a second time")
        count += 1
        let word = line >> 6
        while bits.count <= word { bits.append(0) }
        bits[word] |= 1 << UInt64(line & 63)
        // Lines that are refused here overtake those that the router refuses.
        var index = named.count
        while index > 0 && named[index - 1].line > line { index -= 1 }
        if index == Self.namedLimit { return }
        if named.count == Self.namedLimit { named.removeLast() }
        let (code, detail) = reason()
        named.insert(PushesBody.Rejection(line: line, code: code, detail: detail), at: index)
    }
}
