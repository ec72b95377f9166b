internal import Basics

/// One node of a compiled rule, in 16 bytes; the nodes of a rule are stored in depth-first order.
///
///     all ┬ field "event" ── equals "dragon"
///         └ nested "place" ── field "region" ┬ equals ${configuration.region}
///                                            └ text prefix "north"
///
/// A node's children follow it, up to `end`; so a node that is decided is skipped in one step.
struct PatternNode: BitwiseCopyable {
    /// The kind of a node. The first three are about an object, `field` about one of its members,
    /// and the rest are tests of a field's values.
    enum Form: UInt8, BitwiseCopyable {
        /// All children hold for one object.
        case all
        /// At least one child holds for one object.
        case any
        /// There is an object at the attribute for which all children hold.
        case nested
        /// At least one child, a test, holds for the values at the attribute.
        case field
        /// The field has the operand, or one of its values.
        case equals
        /// The field has a string for which the operator in `detail` holds.
        case text
        /// The field has a number within all bounds, which are the children.
        case numeric
        /// A bound of `numeric`: the comparison in `detail`, and the operand.
        case bound
        /// The field is present; if `detail` is 0, it is absent.
        case exists
        /// The field is present, and no child holds for it.
        case anythingBut
        /// All children hold for the field.
        case allOf
        /// The field has every value of the operand.
        case allOfParameter
    }

    var form: Form
    /// The number of a `TextOperator` (`text`) or a `NumericComparison` (`bound`), or 0 or 1
    /// (`exists`).
    var detail: UInt8 = 0
    /// Whether the operand is the position of a parameter in the layout, rather than a value.
    private(set) var isParameter = false
    /// The attribute of a field, and of all nodes below it.
    var attribute = AttributeID.none
    /// Index after the last node below this one.
    var end: UInt32 = 0
    /// A value of the rule or, if `isParameter`, a position in the layout; `ValueID.none` if the
    /// form has no operand.
    private var operand = ValueID.none.rawValue

    init(_ form: Form, detail: UInt8 = 0, attribute: AttributeID = .none) {
        self.form = form
        self.detail = detail
        self.attribute = attribute
    }

    /// The operator of a `text` node.
    var textOperator: TextOperator { TextOperator(number: detail) }
    /// The comparison of a `bound` node.
    var comparison: NumericComparison { NumericComparison(number: detail) }
    /// Whether the node has an operand: a value of the rule or a parameter.
    var hasOperand: Bool { operand != ValueID.none.rawValue }

    /// The operand, if it is a value of the rule.
    @inline(__always)
    var value: ValueID {
        get {
            assert(!isParameter, "the operand is a parameter")
            return ValueID(rawValue: operand)
        }
        set {
            operand = newValue.rawValue
            isParameter = false
        }
    }

    /// The operand, if it is a parameter: the parameter's position in the layout.
    @inline(__always)
    var parameter: Int {
        get {
            assert(isParameter, "the operand is a value")
            return Int(operand)
        }
        set {
            assert(newValue >= 0 && newValue < WidgetMatcher.parameterLimit, "no such parameter")
            operand = UInt32(newValue)
            isParameter = true
        }
    }

    /// Whether the node is a test with a regular expression.
    var isRegexp: Bool { form == .text && detail == TextOperator.regexp.number }
}

/// The nodes of a shape's rule, valid until the shape is removed or compiled again.
@safe
struct PatternProgram: BitwiseCopyable {
    private let nodes: UnsafePointer<PatternNode>
    let count: Int

    @unsafe @inline(__always)
    init(nodes: UnsafeRawPointer, count: Int) {
        unsafe self.nodes = unsafe nodes.assumingMemoryBound(to: PatternNode.self)
        self.count = count
    }

    @inline(__always)
    subscript(index: Int) -> PatternNode {
        precondition(
            UInt(bitPattern: index) < UInt(bitPattern: count),
            "node \(index) of \(count)"
        )
        return unsafe nodes[index]
    }

    /// The index after the last node below `index`.
    @inline(__always)
    func end(_ index: Int) -> Int { Int(self[index].end) }
}

// These run for every condition that is evaluated. Switches compile to no calls, unlike `allCases`
// and `==`.

extension TextOperator {
    /// The operator's number in `PatternNode.detail`.
    @inline(__always)
    var number: UInt8 {
        switch self {
        case .prefix: 0
        case .suffix: 1
        case .equalsIgnoringCase: 2
        case .prefixIgnoringCase: 3
        case .suffixIgnoringCase: 4
        case .wildcard: 5
        case .regexp: 6
        case .cidr: 7
        }
    }

    /// The operator with a number.
    @inline(__always)
    init(number: UInt8) {
        switch number {
        case 0: self = .prefix
        case 1: self = .suffix
        case 2: self = .equalsIgnoringCase
        case 3: self = .prefixIgnoringCase
        case 4: self = .suffixIgnoringCase
        case 5: self = .wildcard
        case 6: self = .regexp
        default: self = .cidr
        }
    }
}

extension NumericComparison {
    /// The comparison's number in `PatternNode.detail`.
    @inline(__always)
    var number: UInt8 {
        switch self {
        case .equal: 0
        case .notEqual: 1
        case .less: 2
        case .lessOrEqual: 3
        case .greater: 4
        case .greaterOrEqual: 5
        }
    }

    /// The comparison with a number.
    @inline(__always)
    init(number: UInt8) {
        switch number {
        case 0: self = .equal
        case 1: self = .notEqual
        case 2: self = .less
        case 3: self = .lessOrEqual
        case 4: self = .greater
        default: self = .greaterOrEqual
        }
    }
}
