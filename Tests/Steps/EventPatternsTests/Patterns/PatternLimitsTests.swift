import EventPatterns
import Testing

@Suite struct PatternLimitsTests {
    @Test("a regular expression of the longest length can be compiled")
    func lengths() {
        #expect(PatternLimits.expressionBytes < PatternLimits.regexpInstructions)
    }

    @Test("what a pattern may have at most, compiled, is less than a block of a mebibyte")
    func compiledSize() {
        // An element is at most a test and two bounds; a condition a node; sixteen bytes each.
        let nodes = PatternLimits.elements * 3 + PatternLimits.conditions * 2 + 1
        #expect(nodes * 16 + PatternLimits.conditions * 4 < 1 << 20)
    }
}
