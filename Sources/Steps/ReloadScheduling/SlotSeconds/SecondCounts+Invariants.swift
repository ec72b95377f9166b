internal import Basics

extension SecondCounts {
    /// Checks that the table and the list of unused pages have each page once between them, that a
    /// page's sums are those of its counts, and that the debt is possible.
    func checkInvariants() throws(InvariantViolation) {
        let name: StaticString = "SecondCounts"
        try table.checkInvariants()
        try unwritten.checkInvariants()
        for index in pages.ids where pages[index].number != nil { try check(index) }
        for index in unused {
            try checkInvariant(
                pages.has(index) && pages[index].number == nil,
                of: name,
                otherwise: "page \(index) is in use, and listed as unused"
            )
        }
        try checkInvariant(
            Set(unused).count == unused.count && unused.count + table.count == pages.count,
            of: name,
            otherwise: "\(unused.count) pages are unused and \(table.count) in use, "
                + "of \(pages.count)"
        )
        let isDebtPossible =
            spent >= 0 && debt >= 0
            && debtEnd <= current + 1 + UInt32(SlotLedger.debtLimit.wholeSeconds)
        try checkInvariant(
            isDebtPossible && rate > 0,
            of: name,
            otherwise: "second \(current) has spent \(spent), with a debt of \(debt) "
                + "until \(debtEnd), at a rate of \(rate)"
        )
    }

    /// Checks one page that is in use.
    private func check(_ index: PageID) throws(InvariantViolation) {
        let name: StaticString = "SecondCounts"
        let page = pages[index]
        let number = page.number ?? .max
        try checkInvariant(
            self.page(number) == index,
            of: name,
            otherwise: "page \(index) has the number \(number), which the table does not say"
        )
        try checkInvariant(
            number >= firstPage && !page.isEmpty && page.counts.count == Self.pageSize,
            of: name,
            otherwise: "page \(index), of number \(number), is forgotten or empty"
        )
        var sum = 0
        for second in 0..<Self.pageSize { sum += Int(page.counts[second]) }
        let full = count(page.counts, from: 0, upTo: Self.pageSize)
        try checkInvariant(
            sum == page.planned && full == page.full,
            of: name,
            otherwise: "page \(index) has \(sum) reloads and \(full) full seconds, "
                + "and counts \(page.planned) and \(page.full)"
        )
    }
}
