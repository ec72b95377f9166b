extension FreeNumbers {
    /// Checks the levels against each other: a bit above level 0 is 1 exactly if the word below it
    /// is not 0; and that `count` is the number of ones in level 0.
    ///
    /// - Complexity: proportional to the highest number, 64 numbers at a time.
    package func checkInvariants() throws(InvariantViolation) {
        try checkInvariant(
            width & (width - 1) == 0,
            otherwise: "level 0 has \(width) words, which is no power of two"
        )
        var numberCount = 0
        for word in 0..<width { numberCount += self[word: word].nonzeroBitCount }
        try checkInvariant(
            numberCount == count,
            otherwise: "\(count) numbers are counted, and \(numberCount) are in the set"
        )
        var start = 0
        for level in 0..<height {
            let above = start + Self.width(width, at: level)
            for index in 0..<Self.width(width, at: level) {
                let isMarked = unsafe words[above + index >> 6] & 1 &<< UInt64(index & 63) != 0
                let hasNumbers = unsafe words[start + index] != 0
                try checkInvariant(
                    isMarked == hasNumbers,
                    otherwise: "word \(index) of level \(level) has "
                        + "\(hasNumbers ? "numbers" : "none"), and the level above says otherwise"
                )
            }
            start = above
        }
        try checkInvariant(
            width == 0 || start + 1 == wordCount,
            otherwise: "\(height) levels end at word \(start), and there are \(wordCount) words"
        )
    }
}
