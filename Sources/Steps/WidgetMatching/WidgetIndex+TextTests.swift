internal import DataStructures
internal import EventPatterns
internal import ReloadModel

/// Conditions that read a text as a whole: wildcards and regular expressions.
extension WidgetIndex {
    /// A regular expression costs as much as so many wildcards, if few ways through it are open.
    private static var regexpWeight: Int { 4 }

    /// How many a widget has, each with its weight.
    func textTests(of posting: Posting) -> Int {
        if !posting.needsCheck { return 0 }
        let record = widgets[posting.widget]
        if shapes[record.shape].use != .rule { return 0 }
        return textTests(of: 0, rule(of: record))
    }

    /// The same for widgets of which these conditions are the same.
    ///
    /// Made of numbers that the index has given to values.
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

    /// Those of a rule, from a node on.
    func textTests(of node: Int, _ rule: WidgetRule) -> Int {
        var count = 0
        for number in node..<rule.program.end(node) where rule.program[number].readsWholeText {
            let weight = rule.program[number].isRegexp ? Self.regexpWeight : 1
            count += operandCount(rule.program[number], rule) * weight
        }
        return count
    }

    /// Lets the vocabulary know of those of a shape.
    mutating func countTextTests(of shape: ShapeID, _ change: Int) {
        let program = shapes.program(shape)
        for number in 0..<program.count where program[number].readsWholeText {
            vocabulary.countTextTests(program[number].attribute, change)
        }
    }
}

extension PatternNode {
    /// Whether it is a condition whose cost grows with the text that it is asked for.
    var readsWholeText: Bool {
        form == .text
            && (detail == TextOperator.wildcard.number || detail == TextOperator.regexp.number)
    }
}
