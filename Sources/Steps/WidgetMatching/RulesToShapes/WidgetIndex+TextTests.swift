package import Basics
internal import EventPatterns

/// The *text tests* of a rule: conditions that read a text as a whole, namely wildcards and regular
/// expressions. A long text costs time for each of them (`MatchSearch.limitTexts`).
struct TextTests: BitwiseCopyable {
    /// Those of the rule itself, weighted.
    var ofRule = 0
    /// The *patterns*: those whose wildcard or regular expression is a widget's own, weighted.
    var ofWidget = 0
}

/// A text test of a rule's own. Equal ones are one, of whatever rules.
struct RuleTest: Hashable {
    /// How many wildcards cost as much as a regular expression of a rule, if few paths through it
    /// are open.
    private static var regexpWeight: Int { 4 }

    let attribute: AttributeID
    private let isRegexp: Bool
    private let operand: ValueID

    init(_ node: PatternNode) {
        attribute = node.attribute
        isRegexp = node.isRegexp
        operand = node.value
    }

    /// What it costs, in wildcards.
    var weight: Int { isRegexp ? Self.regexpWeight : 1 }
}

/// Counting text tests. See `TextTests`.
extension WidgetIndex {
    /// How many cost as much as a widget's regular expression, which may be made to cost much; see
    /// `MatchSearch.regexpByte`.
    private static var patternWeight: Int { 16 }

    /// The text tests in the rule of a posting's widget; none if the rule is not evaluated.
    func textTests(of posting: Posting) -> TextTests {
        posting.needsCheck ? textTests(of: posting.widget) : TextTests()
    }

    /// The text tests in the rule of a widget.
    func textTests(of widget: WidgetID) -> TextTests {
        let record = widgets[widget]
        if shapes[record.shape].use != .rule { return TextTests() }
        return textTests(of: 0, in: rule(of: record))
    }

    /// A hash of the text tests in a node and below it, of the widget or else of the rule itself:
    /// equal for those with the same operands, of whatever shape.
    ///
    /// It is made of the numbers that values have in the index, and valid as long as these values
    /// are stored.
    func textHash(of node: Int, in rule: WidgetRule, areOfWidget: Bool) -> UInt64 {
        var hash: UInt64 = areOfWidget ? 1 : 0
        for number in node..<rule.program.end(node)
        where rule.program[number].readsWholeText
            && rule.program[number].isParameter == areOfWidget
        {
            let node = rule.program[number]
            for position in 0..<operandCount(of: node, in: rule) {
                let operand = operand(of: node, in: rule, at: position)
                hash = spaces.hash(hash, adding: UInt64(operand.rawValue))
            }
        }
        return hash
    }

    /// The weighted text tests of a rule in a node and below it.
    func textTests(of node: Int, in rule: WidgetRule) -> TextTests {
        var tests = TextTests()
        for number in node..<rule.program.end(node) where rule.program[number].readsWholeText {
            let node = rule.program[number]
            if node.isParameter {
                let weight = node.isRegexp ? Self.patternWeight : 1
                tests.ofWidget += operandCount(of: node, in: rule) * weight
            } else {
                tests.ofRule += RuleTest(node).weight
            }
        }
        return tests
    }

    /// Adds the text tests of a shape to those of its attributes in the vocabulary (`change` 1), or
    /// subtracts them (-1).
    mutating func countTextTests(of shape: ShapeID, by change: Int) {
        let program = shapes.program(shape)
        for number in 0..<program.count where program[number].readsWholeText {
            vocabulary.countTextTests(on: program[number].attribute, by: change)
            if !program[number].isParameter { countRuleTest(RuleTest(program[number]), by: change) }
        }
    }

    /// Adds to, or subtracts from, how often compiled rules have a text test of their own. The
    /// vocabulary weighs it once.
    private mutating func countRuleTest(_ test: RuleTest, by change: Int) {
        let before = tables.value.ruleTests[test, default: 0]
        tables.value.ruleTests[test] = before + change > 0 ? before + change : nil
        if before > 0 && before + change > 0 { return }
        vocabulary.weighRuleTests(on: test.attribute, by: change * test.weight)
    }

    // MARK: - Patterns of devices

    /// The size of the patterns in the configuration in `draft`; once it is above
    /// `RouterLimits.patternsPerDevice`, the others are not counted.
    func patternSize(of kind: KindID) -> Int {
        var size = 0
        for pattern in kinds[kind, default: nil]?.patterns ?? [] {
            for index in 0..<draft.configuration.parameters.count {
                let parameter = draft.configuration.parameters[index]
                let isMeant = pattern.name.withByteView {
                    $0 == draft.configuration.name(parameter)
                }
                if !isMeant { continue }
                for value in parameter.firstValue..<parameter.endValue {
                    if size > RouterLimits.patternsPerDevice { return size }
                    let text = draft.configuration.value(value)
                    let expression =
                        pattern.isRegexp && text.tag == .string
                        ? try? RegularExpression(text.bytes) : nil
                    size += expression?.size ?? 1
                }
            }
        }
        return size
    }

    /// The weighted patterns of a widget.
    package func patternCount(of widget: WidgetID) -> Int { textTests(of: widget).ofWidget }

    /// The weighted patterns of all widgets of a widget's device, 1 or more: as they were set last.
    @inline(__always)
    package func patternLoad(of widget: WidgetID) -> Int {
        max(1, Int(tables.value.patternLoads[widget, default: 1]))
    }

    /// Sets `patternLoad`; see `WidgetMatcher.setPatternLoad`.
    mutating func setPatternLoad(of widget: WidgetID, to count: Int) {
        assert(isStored(widget), "widget \(widget) is gone")
        if !tables.value.patternLoads.has(widget) && count <= 1 { return }
        tables.value.patternLoads[widget, default: 1] = UInt16(clamping: count)
    }
}
