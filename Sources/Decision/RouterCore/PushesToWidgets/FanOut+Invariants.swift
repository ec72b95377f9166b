internal import Basics

extension FanOut {
    /// Checks that `count` is the number of matches that are left.
    func checkInvariants() throws(InvariantViolation) {
        var left = -next
        for index in piece..<max(piece, pieces.count) { left += pieces[index].count }
        try checkInvariant(
            left == count && next >= 0,
            otherwise: "\(left) matches of \(source) are left, and \(count) are counted"
        )
    }
}

extension FanOutQueue {
    /// Checks that `matchCount` is the sum over all fan-outs, that only the last one's matches may
    /// still be searched for, that changed widgets are remembered only while there is a fan-out,
    /// and that no producer has two fan-outs.
    func checkInvariants() throws(InvariantViolation) {
        let table: StaticString = "FanOutQueue"
        var matches = 0
        for fanOut in fanOuts {
            try fanOut.checkInvariants()
            matches += fanOut.count
        }
        try checkInvariant(
            matches == matchCount,
            of: table,
            otherwise: "\(matchCount) matches are counted, and the fan-outs have \(matches)"
        )
        for fanOut in fanOuts.dropLast(isSearching ? 1 : 0) {
            try checkInvariant(
                fanOut.hasAllMatches,
                of: table,
                otherwise: "the fan-out of \(fanOut.source) is searched for no more, "
                    + "and has not all its matches"
            )
        }
        try checkInvariant(
            !fanOuts.isEmpty || changeCount == 0 && !isSearching,
            of: table,
            otherwise: "\(changeCount) changed widgets are remembered for no fan-out"
        )
        try checkInvariant(
            Set(fanOuts.map(\.source)).count == fanOuts.count,
            of: table,
            otherwise: "a producer has two fan-outs"
        )
    }
}
