internal import DataStructures
internal import ReloadModel

/// One step of a compiled rule: sixteen bytes, in the order of a walk from the root.
///
///     all ┬ field "event" ── equals "dragon"
///         └ nested "place" ── field "region" ┬ equals ${configuration.region}
///                                            └ text prefix "north"
///
/// A node's children follow it, up to `end`; so a node that has been decided is skipped in one step.
struct PatternNode: BitwiseCopyable {
    enum Form: UInt8, BitwiseCopyable {
        /// All children hold, of one object.
        case all
        /// Some child holds, of one object.
        case any
        /// Some object at the attribute: all children hold of it.
        case nested
        /// Some child, a test, holds for the values at the attribute.
        case field
        /// Tests. The field has the operand.
        case equals
        /// Some string of the field: `detail` says which operator.
        case text
        /// Some number of the field is within the bounds, which are the children.
        case numeric
        /// `detail` says which comparison.
        case bound
        /// The field is there, or if `detail` is 0, is not.
        case exists
        /// The field is there, and no child holds for it.
        case anythingBut
        /// Every child holds for the field.
        case allOf
        /// The field has each value of the operand.
        case allOfParameter
    }

    var form: Form
    /// A `TextOperator`, a `NumericComparison`, or whether, by its place among all cases.
    var detail: UInt8 = 0
    /// Whether the operand is the position of a parameter in the layout rather than a value.
    var isParameter = false
    /// Of a field, and all nodes below it.
    var attribute: AttributeID = Vocabulary.none
    /// One above the last node below this one.
    var end: UInt32 = 0
    var operand: UInt32 = ValueTable.none

    init(_ form: Form, detail: UInt8 = 0, attribute: AttributeID = Vocabulary.none) {
        self.form = form
        self.detail = detail
        self.attribute = attribute
    }

    var textOperator: TextOperator { TextOperator(number: detail) }
    var comparison: NumericComparison { NumericComparison(number: detail) }
    var hasOperand: Bool { operand != ValueTable.none }
    var isRegexp: Bool { form == .text && detail == TextOperator.regexp.number }
}

/// The nodes of a shape, valid until the shape is removed.
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
        assert(index < count)
        return unsafe nodes[index]
    }

    /// The node behind the last one below `index`.
    @inline(__always)
    func end(_ index: Int) -> Int { Int(self[index].end) }
}

// Switches are no calls, unlike `allCases` and `==`: these are asked for every condition.

extension TextOperator {
    /// The operator's place among all, as `PatternNode.detail` has it.
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
    /// The comparison's place among all, as `PatternNode.detail` has it.
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
