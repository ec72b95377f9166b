/// A match rule: conditions on a JSON object, all of which must hold.
///
/// `protocol/patterns.md` defines the language. A pattern from `PatternParser` is within
/// `PatternLimits`.
package struct EventPattern: Equatable, Sendable {
    /// The conditions; never empty.
    package var conditions: [PatternCondition]

    /// A pattern of these conditions, of which there must be at least one.
    package init(conditions: [PatternCondition]) { self.conditions = conditions }
}

/// One condition on a JSON object.
package indirect enum PatternCondition: Equatable, Sendable {
    /// One of the tests holds for the object's member of that name, or for its absence; there is at
    /// least one test.
    case field(String, [PatternTest])
    /// The pattern holds for the member of that name or, if the member is a list, for one of its
    /// objects.
    ///
    /// A member that is neither counts as an object without members.
    case nested(String, EventPattern)
    /// `$or`: one of the patterns holds for the same object; there is at least one.
    case anyOf([EventPattern])
}

/// One alternative in the list of tests that a field may pass.
package indirect enum PatternTest: Equatable, Sendable {
    /// The field has the same type and the same value.
    case equals(PatternOperand)
    /// The field is a string for which the operator holds.
    case text(TextOperator, PatternOperand)
    /// The field is a number for which every bound holds; there is at least one.
    case numeric([NumericBound])
    /// If true, the field exists, with any value; if false, it is absent.
    case exists(Bool)
    /// The field exists, and none of the tests holds; they are `equals`, `text` or `numeric`.
    case anythingBut([PatternTest])
    /// Every test holds; in a list, each for some element. None of them is an `allOf`.
    case allOf([PatternTest])
    /// The field has every value of the widget's parameter of that name.
    case allOfParameter(String)
}

/// An operator on strings.
package enum TextOperator: String, CaseIterable, Sendable, BitwiseCopyable {
    case prefix
    case suffix
    case equalsIgnoringCase = "equals-ignore-case"
    /// `{"prefix": {"equals-ignore-case": …}}`
    case prefixIgnoringCase = "prefix-ignore-case"
    /// `{"suffix": {"equals-ignore-case": …}}`
    case suffixIgnoringCase = "suffix-ignore-case"
    /// A text in which `*` stands for any run of bytes.
    case wildcard
    /// A regular expression that the whole string must match.
    case regexp
    /// A block of IP addresses, to which the string's address must belong.
    case cidr
}

/// A value in the rule itself, or a parameter whose value comes from each widget.
package enum PatternOperand: Equatable, Sendable {
    case value(PatternValue)
    /// `${configuration.NAME}`: the widget's value; any one of them if it is a list.
    case parameter(String)
}

/// A JSON scalar in a rule.
package enum PatternValue: Equatable, Sendable {
    case string(String)
    /// A number as the rule spells it; numbers compare by exact decimal value.
    case number(String)
    case boolean(Bool)
    case null
}

/// One bound of a `numeric` test.
package struct NumericBound: Equatable, Sendable {
    /// How the field's number must compare with the operand.
    package var comparison: NumericComparison
    /// A number or a parameter.
    package var operand: PatternOperand

    /// The bound that a number meets if it compares like this with the operand.
    package init(_ comparison: NumericComparison, operand: PatternOperand) {
        self.comparison = comparison
        self.operand = operand
    }
}

/// How a number compares with a bound.
package enum NumericComparison: String, CaseIterable, Sendable, BitwiseCopyable {
    case equal = "="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
}
