internal import DataStructures

/// What an origin's seconds are used for: how many reloads have a date in each of them, and how many
/// the ledger has put there.
package struct LedgerUse: Equatable, Sendable {
    /// Dates that were asked for, by second: what the origin would see if nothing were spread.
    package var asked: [UInt32]
    /// Places that were given.
    package var given: [UInt32]

    package init(seconds count: Int) {
        asked = Array(repeating: 0, count: count)
        given = Array(repeating: 0, count: count)
    }

    package var peakAsked: UInt32 { asked.max() ?? 0 }
    package var peakGiven: UInt32 { given.max() ?? 0 }
}

extension SlotLedger {
    /// Most groups of all ledgers whose dates are looked at; what further ones ask for is not told.
    package static var useGroupLimit: Int { 4_096 }

    /// Whether any second is used.
    package var isUsed: Bool { seconds.table.count > 0 }

    /// What is known of the seconds from now on.
    ///
    /// Dates at random times (`takeUniform`), and of groups beyond `groupsLeft`, are among those that
    /// are given only.
    ///
    /// - Parameters:
    ///   - now: schedule time.
    ///   - count: how many seconds.
    ///   - groupsLeft: how many groups may be looked at; less afterwards.
    /// - Returns: the present second first.
    /// - Complexity: in proportion to the seconds, and to the groups with a date in them.
    package func use(
        from now: Int64,
        seconds count: Int,
        _ groupsLeft: inout Int
    ) -> LedgerUse {
        var use = LedgerUse(seconds: count)
        let first = SecondCounts.second(of: now)
        let end = UInt32(min(UInt64(first) + UInt64(count), UInt64(SecondCounts.lastSecond)))
        var second = first
        while second < end {
            let next = (second >> SecondCounts.pageBits + 1) << SecondCounts.pageBits
            if let page = seconds.page(second >> SecondCounts.pageBits) {
                for second in second..<min(next, end) {
                    use.given[Int(second - first)] = seconds.planned(second, in: page)
                }
                addDates(page, from: first, to: end, &groupsLeft, &use)
            }
            second = next
        }
        return use
    }

    private func addDates(
        _ page: UInt32,
        from first: UInt32,
        to end: UInt32,
        _ groupsLeft: inout Int,
        _ use: inout LedgerUse
    ) {
        var slot = seconds.firstGroup(ofPage: page)
        while slot != SecondCounts.none, groupsLeft > 0 {
            groupsLeft -= 1
            let second = groups[slot].second
            if second >= first && second < end {
                use.asked[Int(second - first)] += groups[slot].live + groups[slot].finished
            }
            slot = groups[slot].next
        }
    }
}
