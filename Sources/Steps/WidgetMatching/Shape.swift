internal import DataStructures
internal import ReloadModel

/// A shape's number; reused once its last widget is removed.
typealias ShapeID = UInt32

/// What all widgets of one kind with the same parameter names share: the kind's rule, compiled for
/// them.
///
/// Widgets of a shape differ only in values. A shape exists as long as it has widgets.
struct Shape: BitwiseCopyable {
    /// The number of no shape.
    static var none: ShapeID { HashIndex.none }

    /// How widgets of the shape are matched.
    enum Use: UInt8, BitwiseCopyable {
        /// They match nothing: the kind is not installed, or its rule names a parameter that they
        /// lack.
        case none
        /// They match pushes for which the rule holds.
        case rule
        /// They match only pushes that name the kind: they have no parameters and the kind no rule.
        case named
    }

    let kind: KindID
    var use = Use.none
    /// Whether a widget found under the key of all equalities matches without further checks.
    var isDecidedByKey = false
    /// Whether the rule uses a parameter as a regular expression.
    var hasParameterRegexps = false
    let parameterCount: UInt16
    /// The layout value: the numbers of the parameters' names, ascending.
    let layout: ValueID
    /// The number of widgets of the shape.
    var references: UInt32 = 0
    /// Block in `Shapes.programs`: the nodes, followed by the node indexes of the equalities, four
    /// bytes each. `ByteArena.none` if no rule is compiled for the shape.
    var program: UInt32 = ByteArena.none
    var nodeCount: UInt32 = 0
    /// The number of `PatternCompiler.equalities`.
    var equalityCount: UInt32 = 0
    /// The space of keys made of all equalities together, for widgets with one value for each;
    /// `none` if there is none.
    var space = KeySpace.none
}

/// All shapes, and their compiled rules. Part of `WidgetIndex`.
struct Shapes: ~Copyable {
    private var shapes = Slab<Shape>()
    private var index = HashIndex()
    private var programs = ByteArena()
    private let product: ProductHash

    /// Bytes allocated, used or not.
    var byteCount: Int { shapes.byteCount + index.byteCount + programs.byteCount }
    /// The part of `byteCount` that holds compiled rules.
    var arenaByteCount: Int { programs.byteCount }
    /// The number of shapes in use.
    var count: Int { shapes.count }
    /// One above the highest number used so far.
    var end: ShapeID { shapes.end }

    init(_ product: ProductHash) {
        self.product = product
    }

    subscript(shape: ShapeID) -> Shape {
        @inline(__always) _read { yield shapes[shape] }
        @inline(__always) _modify { yield &shapes[shape] }
    }

    /// The hash by which a shape is found.
    private func hash(of kind: KindID, layout: ValueID) -> UInt64 {
        product.hash(UInt64(kind), and: UInt64(layout), at: 0)
    }

    /// The shape of a kind and a layout, or `Shape.none`.
    func find(_ kind: KindID, layout: ValueID) -> ShapeID {
        index.find(hash(of: kind, layout: layout)) {
            shapes[$0].kind == kind && shapes[$0].layout == layout
        } ?? Shape.none
    }

    /// Adds a shape that is not stored yet, and returns its number.
    mutating func insert(_ shape: Shape) -> ShapeID {
        let number = shapes.insert(shape)
        index.insert(hash(of: shape.kind, layout: shape.layout), number: number)
        return number
    }

    /// Removes a shape whose compiled rule has been removed.
    mutating func remove(_ number: ShapeID) {
        index.remove(hash(of: shapes[number].kind, layout: shapes[number].layout), number: number)
        shapes[number].references = 0
        shapes.remove(number)
    }

    // MARK: - Programs

    /// The compiled rule of a shape that has one.
    @inline(__always)
    func program(_ shape: ShapeID) -> PatternProgram {
        let record = shapes[shape]
        return unsafe PatternProgram(
            nodes: programs.pointer(record.program),
            count: Int(record.nodeCount)
        )
    }

    /// The node index of one of the shape's equalities.
    @inline(__always)
    func equality(of shape: ShapeID, at position: Int) -> Int {
        let record = shapes[shape]
        let offset = Int(record.nodeCount) * MemoryLayout<PatternNode>.stride + position << 2
        return unsafe Int(
            programs.pointer(record.program).load(fromByteOffset: offset, as: UInt32.self)
        )
    }

    /// Stores the compiled rule of a shape, and the node indexes of its equalities.
    mutating func setProgram(of shape: ShapeID, to nodes: [PatternNode], equalities: [UInt32]) {
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

    /// Frees the compiled rule of a shape, if it has one.
    mutating func removeProgram(_ shape: ShapeID) {
        let record = shapes[shape]
        if record.program == ByteArena.none { return }
        let stride = MemoryLayout<PatternNode>.stride
        programs.free(
            record.program,
            byteCount: Int(record.nodeCount) * stride + Int(record.equalityCount) << 2
        )
        shapes[shape].program = ByteArena.none
        shapes[shape].nodeCount = 0
        shapes[shape].equalityCount = 0
    }
}
