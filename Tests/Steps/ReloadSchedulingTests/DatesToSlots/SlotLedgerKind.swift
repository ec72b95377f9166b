import Basics

@testable import ReloadScheduling

/// What a ledger's bytes may have to say: a test that never meets one of these proves less than it
/// seems to.
enum SlotLedgerKind: CaseIterable {
    case debt, endedDebt, freedPage, reusedPage, forgottenPages
    case unusedSlot, closedGroup, mixedGroup, emptyGroup, undelayedGroup, linkedGroup
    case hole, voidHole, skippedInRow
    case someColumns, beginWithinRow, behindWindow, someBehindWindow, backInWindow
}

extension SlotLedger {
    /// Those that this one is an example of.
    var kinds: Set<SlotLedgerKind> {
        var kinds: Set<SlotLedgerKind> = []
        if seconds.debt > 0 { kinds.insert(.debt) }
        if seconds.debt == 0 && seconds.debtEnd > 0 { kinds.insert(.endedDebt) }
        if !seconds.unused.isEmpty { kinds.insert(.freedPage) }
        let numbers = seconds.pages.elements.compactMap(\.number)
        if numbers != numbers.sorted() { kinds.insert(.reusedPage) }
        if seconds.firstPage > 0 { kinds.insert(.forgottenPages) }
        if !unused.isEmpty { kinds.insert(.unusedSlot) }
        for slot in groups.ids where groups[slot].isInUse {
            kinds.formUnion(groups[slot].kinds)
            kinds.formUnion(groups[slot].segmentKinds)
        }
        return kinds
    }
}

extension SlotGroup {
    fileprivate var kinds: Set<SlotLedgerKind> {
        var kinds: Set<SlotLedgerKind> = []
        if isClosed { kinds.insert(.closedGroup) }
        if hasMixedOffsets { kinds.insert(.mixedGroup) }
        if live == 0 { kinds.insert(.emptyGroup) }
        if undelayed > 0 { kinds.insert(.undelayedGroup) }
        if !previous.isNone && !isClosed { kinds.insert(.linkedGroup) }
        if skippedInRow > 0 { kinds.insert(.skippedInRow) }
        for index in 0..<holes.count {
            kinds.insert(holes[index] < entries.count ? .hole : .voidHole)
        }
        return kinds
    }

    fileprivate var segmentKinds: Set<SlotLedgerKind> {
        var kinds: Set<SlotLedgerKind> = []
        var (start, isBehind) = (undelayed, false)
        for index in 0..<segments.count {
            let segment = segments[index]
            if segment.base == second {
                kinds.insert(isBehind ? .backInWindow : .someColumns)
            } else {
                kinds.insert(segment.columns.count > 0 ? .someBehindWindow : .behindWindow)
            }
            if segment.start - start < walk.width.value { kinds.insert(.beginWithinRow) }
            (start, isBehind) = (segment.start, segment.base != second)
        }
        return kinds
    }
}
