import Basics
import TestSupport

extension ModelGenerator {
    /// A rule of any form; often a single test, on which then everything depends.
    mutating func pattern() -> EventPattern {
        if random.below(5) > 1 { return pattern(depth: 0, choices: 0) }
        let name = one(Self.common)
        return EventPattern([.field(name, [make(for: name) { $0.test() }])])
    }

    /// A rule with several equalities for one object of a list, and maybe more for one of a list in
    /// it.
    mutating func listPattern() -> EventPattern {
        var conditions = [PatternCondition.nested(one(Self.common), elementPattern(depth: 0))]
        if happens(onceIn: 3) {
            let name = Self.common.first { $0 != conditions[0].name } ?? "b"
            conditions.append(.field(name, [.equals(.parameter(one(["a", "list"])))]))
        }
        return EventPattern(conditions)
    }

    private mutating func elementPattern(depth: Int) -> EventPattern {
        var conditions = ["a", "b"].map { name in
            let operand: PatternOperand =
                happens(onceIn: 4) ? .value(.number("1")) : .parameter(one(["a", "b", "list"]))
            return PatternCondition.field(name, [.equals(operand)])
        }
        if depth < 2 && happens(onceIn: 3) {
            conditions.append(.nested("c", elementPattern(depth: depth + 1)))
        }
        if happens(onceIn: 5) { conditions.remove(at: 0) }
        if happens(onceIn: 8) { conditions.append(.field("naïve", [.exists(false)])) }
        return EventPattern(conditions)
    }

    /// A pattern within so many nested objects and `$or`s.
    private mutating func pattern(depth: Int, choices: Int) -> EventPattern {
        let wanted = 1 + (happens(onceIn: 2) ? random.below(3) : 0)
        var conditions = fieldNames(wanted).map { name in
            depth < 3 && random.below(4) == 0
                ? PatternCondition.nested(name, pattern(depth: depth + 1, choices: choices))
                : .field(name, make(for: name) { $0.tests() })
        }
        if choices < 3 && random.below(4) == 0 {
            let branches = many(1 + random.below(3)) {
                $0.pattern(depth: depth, choices: choices + 1)
            }
            let position = random.below(conditions.count + 1)
            conditions.insert(.anyOf(branches), at: position)
            // Half of the time alone: what stands beside it would seldom hold as well.
            if happens(onceIn: 2) { conditions = [conditions[position]] }
        }
        return EventPattern(conditions)
    }

    private mutating func tests() -> [PatternTest] {
        let count = happens(onceIn: 50) ? 40 : 1 + random.below(3)
        return many(count) { generator in
            switch generator.random.below(12) {
            case 0: .allOf(generator.many(1 + generator.random.below(3)) { $0.test() })
            case 1 where generator.happens(onceIn: 2):
                .allOfParameter(generator.one(Self.parameters))
            default: generator.test()
            }
        }
    }

    /// Any test but one of `all-of`.
    private mutating func test() -> PatternTest {
        switch random.below(20) {
        case 0..<8: .equals(operand(Self.parameters) { $0.scalarLiteral() })
        case 8..<13: textTest(prefersAddresses() ? .cidr : one(TextOperator.allCases))
        case 13..<15: .numeric(bounds())
        case 15: .exists(random.below(2) == 0)
        default: .anythingBut(excluded())
        }
    }

    /// What `anything-but` may list.
    private mutating func excluded() -> [PatternTest] {
        let operators: [TextOperator] = [
            .prefix, .suffix, .equalsIgnoringCase, .prefixIgnoringCase, .suffixIgnoringCase,
            .wildcard,
        ]
        let count = 1 + random.below(3)
        switch random.below(5) {
        case 0, 1:
            let textOperator = one(operators)
            return many(count) { $0.textTest(textOperator) }
        case 2: return [.numeric(bounds())]
        default: return many(count) { .equals($0.operand(Self.parameters) { $0.scalarLiteral() }) }
        }
    }

    private mutating func textTest(_ textOperator: TextOperator) -> PatternTest {
        let parameters: [String]
        switch textOperator {
        case .wildcard: parameters = ["glob", "glob", "text"]
        case .regexp: parameters = ["regexp", "regexp", "text"]
        case .cidr: parameters = ["block", "block", "list"]
        case .prefix, .suffix, .equalsIgnoringCase, .prefixIgnoringCase, .suffixIgnoringCase:
            parameters = ["text", "text", "list", "a"]
        }
        return .text(
            textOperator,
            operand(parameters) { generator in
                switch textOperator {
                case .wildcard: .string(generator.glob())
                case .regexp: .string(generator.regexp())
                case .cidr: .string(generator.block())
                default: .string(generator.text())
                }
            }
        )
    }

    private mutating func scalarLiteral() -> PatternValue {
        switch scalar() {
        case .string(let text): .string(text)
        case .number(let number): .number(number.spelled(&random))
        case .boolean(let value): .boolean(value)
        case .null, .list, .object: .null
        }
    }

    /// A parameter, or else a value of the rule.
    private mutating func operand(
        _ parameters: [String],
        _ literal: (inout ModelGenerator) -> PatternValue
    ) -> PatternOperand {
        happens(onceIn: 3) ? .parameter(one(parameters)) : .value(literal(&self))
    }

    // MARK: - Numeric tests

    /// One bound, or a lower and an upper one between which there is room.
    private mutating func bounds() -> [NumericBound] {
        if random.below(2) == 0 {
            return [
                NumericBound(one(NumericComparison.allCases), operand: numericOperand(number()))
            ]
        }
        let (first, second) = (number(), number())
        let (low, high) = first < second ? (first, second) : (second, first)
        let isPoint = low == high
        let bounds = [
            NumericBound(
                isPoint ? .greaterOrEqual : one([.greater, .greaterOrEqual]),
                operand: numericOperand(low)
            ),
            NumericBound(
                isPoint ? .lessOrEqual : one([.less, .lessOrEqual]),
                operand: numericOperand(high)
            ),
        ]
        return random.below(2) == 0 ? bounds : bounds.reversed()
    }

    private mutating func numericOperand(_ number: ModelNumber) -> PatternOperand {
        operand(["number", "number", "list"]) { .number(number.spelled(&$0.random)) }
    }
}

extension PatternCondition {
    /// The field or nested object that it is about, if it is about one.
    fileprivate var name: String? {
        switch self {
        case .field(let name, _), .nested(let name, _): name
        case .anyOf: nil
        }
    }
}
