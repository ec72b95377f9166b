internal import Basics
internal import StoreFormat

/// Which pushes of one home a partition has evaluated, as far as that is recorded: what it skips
/// when the home forwards them again.
///
///     evaluated   1 ………………… floor │ · 8 · · 11 · │
///                 all of them      │ recorded ones  │
///
/// The second part is there because a producer whose pushes are being delivered waits, and lets
/// others pass. A push that has matched nothing is not recorded: to evaluate it again is harmless.
/// The least number of all partitions alone would not do, nor would the highest one (see
/// `HomeRuleTests`).
struct EvaluatedPushes: Equatable {
    /// All pushes up to this number are evaluated.
    private(set) var floor: UInt64 = 0
    /// The recorded pushes above `floor`, in ascending order.
    private(set) var above: ContiguousArray<UInt64> = []

    /// The most recorded pushes above `floor`.
    ///
    /// Beyond: the partition evaluates no further push of the home until one that waits is
    /// evaluated.
    static var aboveLimit: Int { 1_024 }

    /// Whether a push is known to be evaluated.
    func has(_ number: UInt64) -> Bool {
        if number <= floor { return true }
        return above.contains(number)
    }

    /// Records pushes, in ascending order, and that all up to `floor` are evaluated.
    mutating func record(_ numbers: ContiguousArray<UInt64>, upTo floor: UInt64) {
        assert(floor >= self.floor, "what was evaluated is no more")
        self.floor = floor
        above.append(contentsOf: numbers)
        above.removeAll { $0 <= floor }
        above.sort()
    }

    /// Why pushes cannot be recorded, as the beginning of a sentence; nil if they can.
    func problem(
        withRecording numbers: ContiguousArray<UInt64>,
        upTo floor: UInt64
    ) -> String? {
        if floor < self.floor || floor > 1 << 62 {
            return "the pushes up to \(floor) are evaluated, and were up to \(self.floor)"
        }
        // A damaged log may end the batch of another home.
        if let number = numbers.first(where: has) { return "push \(number) was evaluated before" }
        let count = above.count { $0 > floor } + numbers.count { $0 > floor }
        return count <= Self.aboveLimit ? nil : "\(count) pushes are evaluated before others"
    }

    // MARK: - The table

    func write(to writer: inout StoreWriter) {
        writer.put(floor)
        writer.put(varint: UInt64(above.count))
        for number in above { writer.put(varint: number - floor) }
    }

    init() {}

    init(reading reader: inout StoreReader) throws(StoreError) {
        floor = try reader.read(UInt64.self)
        if floor > 1 << 62 { throw reader.corrupt("an impossible number") }
        for _ in 0..<(try reader.readCount(atMost: Self.aboveLimit)) {
            let distance = try reader.readCount(atMost: 1 << 62)
            let number = floor + UInt64(distance)
            if number <= above.last ?? floor {
                throw reader.corrupt("evaluated pushes out of order")
            }
            above.append(number)
        }
    }

    /// Checks that the recorded pushes are above `floor`, and in order.
    func checkInvariants() throws(InvariantViolation) {
        let isInOrder = zip(above, above.dropFirst()).allSatisfy { $0 < $1 }
        try checkInvariant(
            isInOrder && above.first ?? .max > floor && above.count <= Self.aboveLimit,
            of: "EvaluatedPushes",
            otherwise: "\(above.count) pushes are evaluated above \(floor), from "
                + "\(above.first ?? 0) on, or not in order"
        )
    }
}
