/// A match rule: conditions on one JSON object, all of which must hold.
///
/// The language is that of `protocol/patterns.md`; a pattern that `PatternParser` has accepted keeps
/// its limits.
package struct EventPattern: Equatable, Sendable {
    /// At least one.
    package var conditions: [PatternCondition]

    package init(conditions: [PatternCondition]) {
        self.conditions = conditions
    }
}

/// One condition on an object.
package indirect enum PatternCondition: Equatable, Sendable {
    /// The object's member of that name, or its absence, passes one of the tests (at least one).
    case field(String, [PatternTest])
    /// The member is an object for which the pattern holds, or a list with such an object in it.
    ///
    /// A member that is neither counts as an object without members.
    case nested(String, EventPattern)
    /// `$or`: one of the patterns (at least one) holds for the same object.
    case anyOf([EventPattern])
}

/// What a field may be: one alternative of its list.
package indirect enum PatternTest: Equatable, Sendable {
    /// The same type and the same value.
    case equals(PatternOperand)
    /// A string of which the operator holds.
    case text(TextOperator, PatternOperand)
    /// A number of which every bound holds; bounds are at least one.
    case numeric([NumericBound])
    /// Whether the field is there, with whatever value.
    case exists(Bool)
    /// The field is there, and none of the tests holds: `equals`, `text` or `numeric` ones.
    case anythingBut([PatternTest])
    /// Every test holds, on a list each for some element; no `allOf` among them.
    case allOf([PatternTest])
    /// The field has every value of the widget's parameter of that name.
    case allOfParameter(String)
}

/// An operator on strings.
package enum TextOperator: String, CaseIterable, Sendable {
    case prefix
    case suffix
    case equalsIgnoringCase = "equals-ignore-case"
    /// `{"prefix": {"equals-ignore-case": …}}`
    case prefixIgnoringCase = "prefix-ignore-case"
    /// `{"suffix": {"equals-ignore-case": …}}`
    case suffixIgnoringCase = "suffix-ignore-case"
    case wildcard
    case regexp
    case cidr
}

/// A value of the rule itself, or one that each widget brings.
package enum PatternOperand: Equatable, Sendable {
    case value(PatternValue)
    /// `${configuration.NAME}`: the widget's value, or any of its values if it is a list.
    case parameter(String)
}

/// A JSON scalar as a rule names it.
package enum PatternValue: Equatable, Sendable {
    case string(String)
    /// The number as it was written; numbers compare by exact decimal value.
    case number(String)
    case boolean(Bool)
    case null
}

/// One bound of a `numeric` test.
package struct NumericBound: Equatable, Sendable {
    package var comparison: NumericComparison
    /// A number, or a parameter.
    package var operand: PatternOperand

    package init(_ comparison: NumericComparison, _ operand: PatternOperand) {
        self.comparison = comparison
        self.operand = operand
    }
}

/// How a number compares with a bound.
package enum NumericComparison: String, CaseIterable, Sendable {
    case equal = "="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
}
