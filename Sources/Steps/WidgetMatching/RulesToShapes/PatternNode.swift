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
        /// The field has a string for which `textOperator` holds.
        case text
        /// The field has a number within all bounds, which are the children.
        case numeric
        /// A bound of `numeric`: `comparison`, and the operand.
        case bound
        /// The field is present.
        case exists
        /// The field is absent.
        case absent
        /// The field is present, and no child holds for it.
        case anythingBut
        /// All children hold for the field.
        case allOf
        /// The field has every value of the operand.
        case allOfParameter
    }

    var form: Form
    /// The operator of a `text` node.
    var textOperator = TextOperator.prefix
    /// The comparison of a `bound` node.
    var comparison = NumericComparison.equal
    /// Whether the operand is the position of a parameter in the layout, rather than a value.
    private(set) var isParameter = false
    /// The attribute of a field, and of all nodes below it.
    var attribute = AttributeID.none
    /// Index after the last node below this one.
    var end: UInt32 = 0
    /// A value of the rule or, if `isParameter`, a position in the layout; `ValueID.none` if the
    /// form has no operand.
    private var operand = ValueID.none.rawValue

    init(_ form: Form, attribute: AttributeID = .none) {
        self.form = form
        self.attribute = attribute
    }

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
    var isRegexp: Bool {
        if case .regexp = textOperator { form == .text } else { false }
    }

    /// Whether this is a text test (`TextTests`): a condition whose cost grows with the length of
    /// the field's text.
    var readsWholeText: Bool {
        switch textOperator {
        case .wildcard, .regexp: form == .text
        default: false
        }
    }

    /// Whether this is a text test whose operand is a widget's.
    var isPattern: Bool { isParameter && readsWholeText }
}

/// The nodes of a shape's rule, valid until the shape is removed or compiled again.
typealias PatternProgram = ElementView<PatternNode>

extension ElementView<PatternNode> {
    /// The index after the last node below `index`.
    @inline(__always)
    func end(_ index: Int) -> Int { Int(self[index].end) }

    /// The indexes of the nodes directly below `index`.
    func children(of index: Int) -> some Sequence<Int> {
        sequence(first: index + 1) { end($0) }.lazy.prefix { $0 < end(index) }
    }
}
