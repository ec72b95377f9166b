internal import DataStructures
internal import EventPatterns
internal import ReloadModel

/// Counting *text tests*: conditions that read a text as a whole, namely wildcards and regular
/// expressions. A long text costs time for each of them (`MatchSearch.checkTexts`).
extension WidgetIndex {
    /// How many wildcards cost as much as a regular expression, if few paths through it are open.
    private static var regexpWeight: Int { 4 }

    /// The number of text tests in the rule of a posting's widget, weighted: a regular expression
    /// counts as `regexpWeight`. It is 0 if the rule is not evaluated.
    func textTests(of posting: Posting) -> Int {
        if !posting.needsCheck { return 0 }
        let record = widgets[posting.widget]
        if shapes[record.shape].use != .rule { return 0 }
        return textTests(of: 0, in: rule(of: record))
    }

    /// A hash of a widget's text tests: equal for widgets of one shape whose text tests have the
    /// same operands.
    ///
    /// It is made of the numbers that values have in the index, and valid as long as these values
    /// are stored.
    func textHash(of posting: Posting) -> UInt64 {
        let rule = rule(of: widgets[posting.widget])
        var hash = UInt64(rule.shape.rawValue)
        for number in 0..<rule.program.end(0) where rule.program[number].readsWholeText {
            let node = rule.program[number]
            for position in 0..<operandCount(of: node, in: rule) {
                let operand = operand(of: node, in: rule, at: position)
                hash = spaces.hash(hash, adding: UInt64(operand.rawValue))
            }
        }
        return hash
    }

    /// The weighted number of text tests of a rule in a node and below it.
    func textTests(of node: Int, in rule: WidgetRule) -> Int {
        var count = 0
        for number in node..<rule.program.end(node) where rule.program[number].readsWholeText {
            let weight = rule.program[number].isRegexp ? Self.regexpWeight : 1
            count += operandCount(of: rule.program[number], in: rule) * weight
        }
        return count
    }

    /// Adds the text tests of a shape to those of its attributes in the vocabulary (`change` 1), or
    /// subtracts them (-1).
    mutating func countTextTests(of shape: ShapeID, by change: Int) {
        let program = shapes.program(shape)
        for number in 0..<program.count where program[number].readsWholeText {
            vocabulary.countTextTests(on: program[number].attribute, by: change)
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
