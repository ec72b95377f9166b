extension PageMarks {
    /// Checks that the counts are those of the sets, and that each unwritten page is one that the
    /// checkpoint has to write and that has not changed since it began.
    package func checkInvariants() throws(InvariantViolation) {
        try checkInvariant(
            changed.count == changedCount,
            otherwise: "\(changedCount) changed pages are counted of \(changed.count)"
        )
        try checkInvariant(
            unwritten.count == unwrittenCount,
            otherwise: "\(unwrittenCount) unwritten pages are counted of \(unwritten.count)"
        )
        try checkInvariant(
            isTracking || pageCount == 0,
            otherwise: "\(pageCount) pages have marks, and changes are not tracked"
        )
        let beyond = changed.first(from: pageCount) ?? begun.first(from: pageCount)
        try checkInvariant(
            beyond == nil,
            otherwise: "page \(beyond ?? 0) has a mark, and there are \(pageCount) pages"
        )
        var next = unwritten.first(from: 0)
        while let page = next {
            try checkInvariant(
                begun.contains(page),
                otherwise: "page \(page) is unwritten, and the checkpoint does not have it"
            )
            try checkInvariant(
                !changed.contains(page),
                otherwise: "page \(page) has changed while it was unwritten"
            )
            next = unwritten.first(from: page + 1)
        }
    }
}

extension PageCopies {
    /// Checks that each page is copied once, and that each copy has its buffer.
    func checkInvariants() throws(InvariantViolation) {
        let bufferCount = unsafe buffers.count
        try checkInvariant(
            count <= bufferCount,
            of: "PageCopies",
            otherwise: "\(count) copies lie in \(bufferCount) buffers"
        )
        var numbers: Set<UInt32> = []
        for page in pages {
            try checkInvariant(
                numbers.insert(page.number).inserted,
                of: "PageCopies",
                otherwise: "page \(page.number) is copied twice"
            )
            try checkInvariant(
                page.count > 0 && page.count <= SlabPages.length,
                of: "PageCopies",
                otherwise: "page \(page.number) has \(page.count) elements"
            )
        }
    }
}
