internal import DataStructures
internal import ReloadModel

/// A shape's number; handed out again after its last widget.
typealias ShapeID = UInt32

/// What all widgets of one kind with the same parameters have in common.
///
/// It is the kind's rule, compiled for them; widgets of a shape differ in nothing but values.
struct Shape: BitwiseCopyable {
    static var none: ShapeID { HashIndex.none }

    /// What the rule makes of widgets of the shape.
    enum Use: UInt8, BitwiseCopyable {
        /// The kind is not declared, or the rule names a parameter that they lack: they match
        /// nothing.
        case none
        /// The rule's nodes decide.
        case rule
        /// They have no parameters and the kind no rule: only a push that names the kind concerns
        /// them.
        case named
    }

    let kind: KindID
    var use = Use.none
    /// Whether being found under one key of all equalities is all that it takes to match.
    var isDecidedByKey = false
    /// Whether a parameter is a regular expression.
    var hasParameterRegexps = false
    let parameterCount: UInt16
    /// The names of the parameters, ascending by number.
    let layout: ValueID
    var references: UInt32 = 0
    /// The nodes, and behind them the indexes of the fields that only equalities decide.
    var program: UInt32 = ByteArena.none
    var nodeCount: UInt32 = 0
    var equalityCount: UInt32 = 0
    /// The space of keys of all equalities, of widgets with one value for each.
    var space = KeySpace.none
}

/// The shapes in use.
struct Shapes: ~Copyable {
    private var shapes = Slab<Shape>()
    private var index = HashIndex()
    private var programs = ByteArena()
    private let product: ProductHash

    /// Bytes held from the system, used or not.
    var byteCount: Int { shapes.byteCount + index.byteCount + programs.byteCount }
    /// Of that, what holds compiled rules.
    var arenaByteCount: Int { programs.byteCount }
    /// How many shapes are in use.
    var count: Int { shapes.count }
    /// One above the highest shape ever handed out.
    var end: ShapeID { shapes.end }

    init(_ product: ProductHash) {
        self.product = product
    }

    subscript(shape: ShapeID) -> Shape {
        @inline(__always) _read { yield shapes[shape] }
        @inline(__always) _modify { yield &shapes[shape] }
    }

    private func hash(_ kind: KindID, _ layout: ValueID) -> UInt64 {
        product.hash(UInt64(kind), UInt64(layout), at: 0)
    }

    func find(_ kind: KindID, _ layout: ValueID) -> ShapeID {
        index.find(hash(kind, layout)) {
            shapes[$0].kind == kind && shapes[$0].layout == layout
        } ?? Shape.none
    }

    mutating func insert(_ shape: Shape) -> ShapeID {
        let number = shapes.insert(shape)
        index.insert(hash(shape.kind, shape.layout), number)
        return number
    }

    mutating func remove(_ number: ShapeID) {
        index.remove(hash(shapes[number].kind, shapes[number].layout), number)
        shapes[number].references = 0
        shapes.remove(number)
    }

    // MARK: - Programs

    @inline(__always)
    func program(_ shape: ShapeID) -> PatternProgram {
        let record = shapes[shape]
        return unsafe PatternProgram(
            nodes: programs.pointer(record.program),
            count: Int(record.nodeCount)
        )
    }

    /// The index of a field that only equalities decide.
    @inline(__always)
    func equality(_ shape: ShapeID, _ position: Int) -> Int {
        let record = shapes[shape]
        let offset = Int(record.nodeCount) * MemoryLayout<PatternNode>.stride + position << 2
        return unsafe Int(
            programs.pointer(record.program).load(fromByteOffset: offset, as: UInt32.self)
        )
    }

    mutating func setProgram(_ shape: ShapeID, _ nodes: [PatternNode], _ equalities: [UInt32]) {
        let stride = MemoryLayout<PatternNode>.stride
        let block = programs.allocate(nodes.count * stride + equalities.count << 2)
        let base = unsafe programs.pointer(block)
        for (index, node) in nodes.enumerated() {
            unsafe base.storeBytes(of: node, toByteOffset: index * stride, as: PatternNode.self)
        }
        for (index, node) in equalities.enumerated() {
            let offset = nodes.count * stride + index << 2
            unsafe base.storeBytes(of: node, toByteOffset: offset, as: UInt32.self)
        }
        shapes[shape].program = block
        shapes[shape].nodeCount = UInt32(nodes.count)
        shapes[shape].equalityCount = UInt32(equalities.count)
    }

    mutating func removeProgram(_ shape: ShapeID) {
        let record = shapes[shape]
        if record.program == ByteArena.none { return }
        let stride = MemoryLayout<PatternNode>.stride
        programs.free(
            record.program,
            Int(record.nodeCount) * stride + Int(record.equalityCount) << 2
        )
        shapes[shape].program = ByteArena.none
        shapes[shape].nodeCount = 0
        shapes[shape].equalityCount = 0
    }
}
