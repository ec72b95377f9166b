extension TrackedSlab {
    /// Checks the slab, its marks and its copies, and that a page is either copied or unwritten.
    package func checkInvariants() throws(InvariantViolation) {
        try slab.checkInvariants()
        try marks.checkInvariants()
        try copies.checkInvariants()
        let pageCount = SlabPages.count(UInt32(slab.end))
        try checkInvariant(
            !marks.isTracking || marks.pageCount == pageCount,
            otherwise: "\(marks.pageCount) of \(pageCount) pages have marks"
        )
        for page in copies.pages {
            let isWritten = marks.nextUnwrittenPage(from: page.number) != page.number
            try checkInvariant(
                isWritten && page.number < pageCount,
                otherwise: "page \(page.number) is copied, and would be written once more"
            )
        }
        let first = marks.nextUnwrittenPage(from: 0)
        try checkInvariant(
            first == nil || first! >= nextPage,
            otherwise: "page \(first ?? 0) is unwritten, and the checkpoint is at page \(nextPage)"
        )
    }
}
