internal import DataStructures
internal import EventPatterns
internal import ReloadModel

/// Counting *text tests*: conditions that read a text as a whole, namely wildcards and regular
/// expressions. A long text costs time for each of them (`MatchSearch.checkTexts`).
extension WidgetIndex {
    /// How many wildcards cost as much as a regular expression, if few paths through it are open.
    private static var regexpWeight: Int { 4 }

    /// The text tests that a posting leads to, weighted: a regular expression counts as
    /// `regexpWeight`.
    func textTests(of posting: Posting) -> Int {
        if !posting.needsCheck { return 0 }
        let record = widgets[posting.widget]
        if shapes[record.shape].use != .rule { return 0 }
        return textTests(of: 0, rule(of: record))
    }

    /// A hash of a widget's text tests: equal for widgets of one shape whose text tests have the
    /// same operands.
    ///
    /// It is made of the index's numbers for values, and valid as long as they are.
    func textHash(of posting: Posting) -> UInt64 {
        let rule = rule(of: widgets[posting.widget])
        var hash = UInt64(rule.shape)
        for number in 0..<rule.program.end(0) where rule.program[number].readsWholeText {
            let node = rule.program[number]
            for position in 0..<operandCount(node, rule) {
                hash = spaces.hash(hash, UInt64(operand(node, rule, position)))
            }
        }
        return hash
    }

    /// The text tests of a rule in the node and below it, weighted.
    func textTests(of node: Int, _ rule: WidgetRule) -> Int {
        var count = 0
        for number in node..<rule.program.end(node) where rule.program[number].readsWholeText {
            let weight = rule.program[number].isRegexp ? Self.regexpWeight : 1
            count += operandCount(rule.program[number], rule) * weight
        }
        return count
    }

    /// Adds (`change` 1) or removes (-1) the text tests of a shape in the vocabulary.
    mutating func countTextTests(of shape: ShapeID, _ change: Int) {
        let program = shapes.program(shape)
        for number in 0..<program.count where program[number].readsWholeText {
            vocabulary.countTextTests(program[number].attribute, change)
        }
    }
}

extension PatternNode {
    /// Whether this is a text test: a condition whose cost grows with the length of the field's
    /// text.
    var readsWholeText: Bool {
        form == .text
            && (detail == TextOperator.wildcard.number || detail == TextOperator.regexp.number)
    }
}
