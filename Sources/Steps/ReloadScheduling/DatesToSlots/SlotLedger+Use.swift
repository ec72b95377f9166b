package import Basics

/// How an origin's coming seconds are used, for operators: how many reloads were requested for each
/// second, and how many the ledger has assigned to it.
package struct LedgerUse: Equatable, Sendable {
    /// Dates requested, by second: the load that the origin would see without spreading.
    package var requested: [UInt32]
    /// Reloads assigned, by second.
    package var assigned: [UInt32]

    /// Makes counts of 0 for this many seconds.
    package init(seconds count: Int) {
        requested = Array(repeating: 0, count: count)
        assigned = Array(repeating: 0, count: count)
    }

    /// The largest value of `requested`.
    package var peakRequested: UInt32 { requested.max() ?? 0 }
    /// The largest value of `assigned`.
    package var peakAssigned: UInt32 { assigned.max() ?? 0 }
}

extension SlotLedger {
    /// Groups examined by one query over all ledgers; the requested dates of further groups are
    /// left out.
    package static var useGroupLimit: Int { 4_096 }

    /// Whether any page of seconds is in use: a reload is planned in it, or a group's date is in
    /// it.
    package var isUsed: Bool { seconds.table.count > 0 }

    /// Counts the requested and the assigned reloads of the coming seconds.
    ///
    /// Reloads at random times (`assignUniform`) and those of groups beyond `groupsLeft` appear
    /// among the assigned ones only.
    ///
    /// - Parameters:
    ///   - now: schedule time.
    ///   - count: how many seconds.
    ///   - groupsLeft: how many groups may be examined; reduced by those that were.
    /// - Returns: the counts, from the second of `now` on.
    /// - Complexity: O(seconds + groups with a date in them).
    package func use(
        from now: ScheduleTime,
        seconds count: Int,
        groupsLeft: inout Int
    ) -> LedgerUse {
        var use = LedgerUse(seconds: count)
        let first = SecondCounts.second(of: now)
        let end = UInt32(min(UInt64(first) + UInt64(count), UInt64(SecondCounts.lastSecond)))
        var second = first
        while second < end {
            let next = (second >> SecondCounts.pageBits + 1) << SecondCounts.pageBits
            if let page = seconds.page(second >> SecondCounts.pageBits) {
                for second in second..<min(next, end) {
                    use.assigned[Int(second - first)] = seconds.planned(second, in: page)
                }
                addDates(page, from: first, to: end, groupsLeft: &groupsLeft, into: &use)
            }
            second = next
        }
        return use
    }

    /// Adds the requested dates of the groups in one page.
    private func addDates(
        _ page: PageID,
        from first: UInt32,
        to end: UInt32,
        groupsLeft: inout Int,
        into use: inout LedgerUse
    ) {
        var slot = seconds.firstGroup(ofPage: page)
        while !slot.isNone, groupsLeft > 0 {
            groupsLeft -= 1
            let second = groups[slot].second
            if second >= first && second < end {
                use.requested[Int(second - first)] += groups[slot].live + groups[slot].finished
            }
            slot = groups[slot].next
        }
    }
}
