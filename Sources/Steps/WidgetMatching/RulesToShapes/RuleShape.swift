internal import Basics

/// A shape's number; reused once its last widget is removed.
@frozen
package struct ShapeID: SlotNumber {
    /// The number itself.
    package let rawValue: UInt32

    /// Makes the number from a bare one.
    @inline(__always)
    package init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// What all widgets of one kind with the same parameter names share: the kind's rule, compiled for
/// them.
///
/// Widgets of a shape differ only in values. A shape exists as long as it has widgets. When the
/// rule of a kind with many widgets changes, its shapes get successors, to which the widgets move
/// some at a time (`WidgetIndex.relink`); until then they match by the former rule.
struct RuleShape: BitwiseCopyable {
    /// How widgets of the shape are matched.
    enum Use: UInt8, BitwiseCopyable {
        /// The widgets match nothing: the kind is not installed, or its rule names a parameter that
        /// they lack.
        case none
        /// The widgets match pushes for which the rule holds.
        case rule
        /// The widgets match only pushes that name the kind: they have no parameters, and the kind
        /// has no rule.
        case named
    }

    let kind: KindID
    var use = Use.none
    /// Whether a widget found under the key of all equalities matches without further checks.
    var isDecidedByKey = false
    /// Whether the rule uses a parameter as a regular expression.
    var hasParameterRegexps = false
    /// Whether the rule uses a parameter as a regular expression or a wildcard.
    var hasPatterns = false
    let parameterCount: UInt16
    /// The layout value: the numbers of the parameters' names, ascending.
    let layout: ValueID
    /// The number of widgets of the shape, and one more if it is another one's successor.
    var references: UInt32 = 0
    /// The shape to which its widgets move, because the kind's rule has changed; it is found in the
    /// place of this one. `none` if there is no such shape.
    var successor = ShapeID.none
    /// The shape whose successor it is, as long as that has widgets; `none` if there is none.
    var former = ShapeID.none
    /// Block in `Shapes.programs`: the nodes, followed by the node indexes of the equalities, four
    /// bytes each. `ArenaBlock.none` if no rule is compiled for the shape.
    var program = ArenaBlock.none
    var nodeCount: UInt32 = 0
    /// The number of `PatternCompiler.equalities`.
    var equalityCount: UInt32 = 0
    /// The length of `program` in bytes.
    var programByteCount: Int {
        Int(nodeCount) * MemoryLayout<PatternNode>.stride + Int(equalityCount) << 2
    }
    /// The space of keys made of all equalities together, for widgets with one value for each;
    /// `none` if there is none.
    var space = SpaceID.none
}

/// All shapes, and their compiled rules. Part of `WidgetIndex`.
struct Shapes: ~Copyable {
    var shapes = Slab<ShapeID, RuleShape>()
    var index = HashIndex()
    var programs = ByteArena()
    private let product: ProductHash

    /// Bytes allocated, used or not.
    var byteCount: Int { shapes.byteCount + index.byteCount + programs.byteCount }
    /// The part of `byteCount` that holds compiled rules.
    var arenaByteCount: Int { programs.byteCount }
    /// The number of shapes in use.
    var count: Int { shapes.count }
    /// The number of those that have a successor.
    private(set) var formerCount = 0
    /// The numbers used so far, in use or not.
    var numbers: some Sequence<ShapeID> { shapes.ids }

    init(_ product: ProductHash) { self.product = product }

    subscript(shape: ShapeID) -> RuleShape {
        @inline(__always) _read { yield shapes[shape] }
        @inline(__always) _modify { yield &shapes[shape] }
    }

    /// The hash by which a shape is found.
    private func hash(of kind: KindID, layout: ValueID) -> UInt64 {
        product.hash(UInt64(kind.rawValue), and: UInt64(layout.rawValue), at: 0)
    }

    /// The shape of a kind and a layout; nil if there is none.
    func find(_ kind: KindID, layout: ValueID) -> ShapeID? {
        index.find(hash(of: kind, layout: layout)) { (shape: ShapeID) in
            shapes[shape].kind == kind && shapes[shape].layout == layout
        }
    }

    /// Adds a shape that is not stored yet, and returns its number.
    mutating func insert(_ shape: RuleShape) -> ShapeID {
        assert(find(shape.kind, layout: shape.layout) == nil, "the shape is stored already")
        assert(shape.program == .none, "a shape is compiled once it has a number")
        let number = shapes.insert(shape)
        index.insert(hash(of: shape.kind, layout: shape.layout), number: number)
        return number
    }

    /// Removes a shape whose compiled rule has been removed.
    mutating func remove(_ number: ShapeID) {
        assert(self[number].references == 0, "a shape that has widgets is removed")
        assert(self[number].program == .none, "a shape is removed with its program")
        if self[number].successor == .none {
            forget(number)
        } else {
            formerCount -= 1
        }
        shapes.remove(number)
    }

    /// Lets a shape not be found any more.
    private mutating func forget(_ number: ShapeID) {
        index.remove(hash(of: self[number].kind, layout: self[number].layout), number: number)
    }

    /// Adds the successor of a shape, which has no widgets yet.
    mutating func addSuccessor(of number: ShapeID) -> ShapeID {
        let former = self[number]
        assert(former.successor == .none && former.former == .none, "one that is being replaced")
        forget(number)
        var shape = RuleShape(
            kind: former.kind,
            parameterCount: former.parameterCount,
            layout: former.layout
        )
        shape.references = 1
        shape.former = number
        let successor = insert(shape)
        self[number].successor = successor
        formerCount += 1
        return successor
    }

    // MARK: - Programs

    /// The compiled rule of a shape that has one.
    @inline(__always)
    func program(_ shape: ShapeID) -> PatternProgram {
        let record = self[shape]
        assert(record.program != .none, "the shape has no compiled rule")
        return unsafe PatternProgram(
            base: UnsafePointer(
                programs.pointer(record.program).assumingMemoryBound(to: PatternNode.self)
            ),
            count: Int(record.nodeCount)
        )
    }

    /// The node index of one of the shape's equalities.
    @inline(__always)
    func equality(of shape: ShapeID, at position: Int) -> Int {
        let record = self[shape]
        assert(position >= 0 && position < Int(record.equalityCount), "equality \(position)")
        let offset = Int(record.nodeCount) * MemoryLayout<PatternNode>.stride + position << 2
        return unsafe Int(
            programs.pointer(record.program).load(fromByteOffset: offset, as: UInt32.self)
        )
    }

    /// Stores the compiled rule of a shape, and the node indexes of its equalities.
    mutating func setProgram(of shape: ShapeID, to nodes: [PatternNode], equalities: [UInt32]) {
        assert(self[shape].program == .none, "the shape is compiled already")
        assert(!nodes.isEmpty && equalities.count < nodes.count, "\(nodes.count) nodes")
        self[shape].nodeCount = UInt32(nodes.count)
        self[shape].equalityCount = UInt32(equalities.count)
        let block: ArenaBlock = programs.allocate(self[shape].programByteCount)
        self[shape].program = block
        let base = unsafe programs.pointer(block)
        unsafe nodes.withUnsafeBytes { nodes in
            unsafe base.copyMemory(from: nodes.baseAddress!, byteCount: nodes.count)
        }
        for (index, node) in equalities.enumerated() {
            let offset = nodes.count * MemoryLayout<PatternNode>.stride + index << 2
            unsafe base.storeBytes(of: node, toByteOffset: offset, as: UInt32.self)
        }
    }

    /// Frees the compiled rule of a shape, if it has one.
    mutating func removeProgram(_ shape: ShapeID) {
        let record = self[shape]
        if record.program == .none { return }
        unsafe programs.free(record.program, byteCount: record.programByteCount)
        self[shape].program = .none
        self[shape].nodeCount = 0
        self[shape].equalityCount = 0
    }
}

extension Shapes {
    /// Asserts that all shapes are found by kind and layout, that their widgets are counted, and
    /// that their programs are trees.
    func checkInvariants(references: [ShapeID: Int]) {
        assert(index.count == shapes.count - formerCount, "the tables of shapes differ in size")
        assert(references.count == shapes.count, "a shape has no widgets")
        var byteCount = 0
        for (number, count) in references {
            let shape = self[number]
            assert(Int(shape.references) == count, "widgets of shape \(number)")
            let latest = shape.successor == .none ? number : shape.successor
            assert(find(shape.kind, layout: shape.layout) == latest, "shape \(number) is not found")
            assert(shape.former == .none || self[shape.former].successor == number, "\(number)")
            if shape.program == .none {
                assert(shape.use != .rule, "shape \(number) has no compiled rule")
                assert(shape.space == .none, "shape \(number) makes keys without a rule")
                continue
            }
            program(number).checkInvariants()
            for position in 0..<Int(shape.equalityCount) {
                let node = equality(of: number, at: position)
                assert(program(number)[node].form == .field, "equality \(node) is no field")
            }
            byteCount += ByteArena.size(ofBlock: shape.programByteCount)
        }
        assert(programs.usedByteCount == byteCount, "programs of shapes that are gone are kept")
    }
}

extension PatternProgram {
    /// Asserts that the nodes are a tree: each ends within the node around it.
    func checkInvariants() {
        assert(count > 0 && end(0) == count, "the root has all nodes below it")
        var ends: [Int] = []
        for index in 0..<count {
            while let last = ends.last, last <= index { ends.removeLast() }
            let end = end(index)
            assert(end > index && end <= ends.last ?? count, "node \(index) ends at \(end)")
            if self[index].form == .field {
                assert(end > index + 1, "field \(index) has no test")
                assert(!self[index].attribute.isRoot, "field \(index) has no attribute")
            }
            ends.append(end)
        }
    }
}
