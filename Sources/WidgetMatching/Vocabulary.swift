internal import ByteStorage
internal import ReloadModel

/// A payload field's number: its app and its path.
///
/// Handed out again after its last use.
typealias AttributeID = UInt32

/// What the router's rules speak of: names, the paths that they form, and the names of kinds.
///
/// Paths are a tree of attributes, so that a scan follows them one member name at a time:
///
///     (app root, "character") ─► attribute 0
///     (app root, "place")     ─► attribute 1        (attribute 1, "region") ─► attribute 2
///
/// An attribute exists while a rule names it, or a widget that is matched without a rule has a
/// parameter of that name; what does not exist, the scan skips.
struct Vocabulary: ~Copyable {
    /// The number of no attribute.
    static var none: AttributeID { AttributeID.max }
    /// The parent of an app's top-level attributes.
    static func root(_ app: AppID) -> AttributeID { 0xc000_0000 | UInt32(app) }
    /// The attribute under which widgets lie that are reached only by their kind's name.
    static func byName(_ kind: KindID) -> AttributeID { 0x8000_0000 | UInt32(kind) }
    private static func kindRoot(_ app: AppID) -> AttributeID { 0x8000_0000 | UInt32(app) }

    var names: NameTable
    /// The name of the payload's own member that narrows a push.
    let kindsName: NameID
    private var edges = ProbeTable<Edge>()
    private var attributes = Slab<Attribute>()
    private let multiplier: UInt64

    /// One step: from a parent by a name to an attribute, or from an app by a name to a kind.
    struct Edge: ProbeSlot {
        var fingerprint: UInt32
        var parent: AttributeID
        var name: NameID
        var target: UInt32

        var isEmpty: Bool { name == NameTable.none }
        static var empty: Edge {
            Edge(fingerprint: 0, parent: 0, name: NameTable.none, target: 0)
        }
    }

    struct Attribute: BitwiseCopyable {
        var parent: AttributeID
        var name: NameID
        /// Rules and widgets that look at the field itself.
        var uses: UInt32 = 0
        /// Attributes below this one.
        var children: UInt32 = 0
        /// Keys of the index under this attribute: none, and a push need not ask the index.
        var keys: UInt32 = 0
    }

    /// Bytes held from the system, used or not.
    var byteCount: Int { names.byteCount + edges.byteCount + attributes.byteCount }
    /// How many attributes are in use.
    var attributeCount: Int { attributes.count }

    init(seed: UInt64) {
        var names = NameTable(seed: seed)
        multiplier = foldedProduct(seed ^ 0x9e37_79b9_7f4a_7c15, 0xd6e8_feb8_6659_fd93) | 1
        kindsName = names.acquire("kinds")
        self.names = names
    }

    // MARK: - What the scan asks

    /// The attribute one step below `parent`, or `none`.
    @inline(__always)
    func attribute(below parent: AttributeID, _ name: NameID) -> AttributeID {
        guard let index = find(parent, name) else { return Self.none }
        return edges[index].target
    }

    /// Whether a value at the attribute itself can matter.
    @inline(__always)
    func isUsed(_ attribute: AttributeID) -> Bool { attributes[attribute].uses > 0 }

    /// Whether something below the attribute can matter.
    @inline(__always)
    func hasChildren(_ attribute: AttributeID) -> Bool { attributes[attribute].children > 0 }

    /// Whether the index has a key under the attribute.
    @inline(__always)
    func hasKeys(_ attribute: AttributeID) -> Bool { attributes[attribute].keys > 0 }

    /// The app's kind of that name.
    func kind(_ app: AppID, _ name: NameID) -> KindID? {
        find(Self.kindRoot(app), name).map { KindID(edges[$0].target) }
    }

    // MARK: - What rules and widgets change

    /// The attribute of a path, with one use more.
    mutating func use(_ path: [String], of app: AppID) -> AttributeID {
        assert(!path.isEmpty, "a path has a step")
        var parent = Self.root(app)
        for step in path {
            let name = names.acquire(step)
            parent = child(of: parent, name)
            names.release(name)
        }
        attributes[parent].uses += 1
        return parent
    }

    /// The app's top-level attribute of that name, with one use more.
    mutating func use(_ name: NameID, of app: AppID) -> AttributeID {
        let attribute = child(of: Self.root(app), name)
        attributes[attribute].uses += 1
        return attribute
    }

    /// Takes a use back; attributes that nobody uses and that lead nowhere disappear.
    mutating func unuse(_ attribute: AttributeID) {
        assert(attributes[attribute].uses > 0)
        attributes[attribute].uses -= 1
        var attribute = attribute
        while attributes[attribute].uses == 0 && attributes[attribute].children == 0 {
            assert(attributes[attribute].keys == 0, "a key outlives its attribute")
            let parent = attributes[attribute].parent
            removeEdge(parent, attributes[attribute].name)
            attributes.remove(attribute)
            if Self.isRoot(parent) { return }
            attributes[parent].children -= 1
            attribute = parent
        }
    }

    /// Notes that the index has a key more, or less, under the attribute.
    mutating func countKey(_ attribute: AttributeID, _ change: Int) {
        if Self.isRoot(attribute) { return }
        attributes[attribute].keys = UInt32(Int(attributes[attribute].keys) + change)
    }

    /// Lets `name` find the kind.
    mutating func addKind(_ kind: KindID, _ name: String, of app: AppID) {
        let name = names.acquire(name)
        assert(find(Self.kindRoot(app), name) == nil, "an app has two kinds of one name")
        addEdge(Self.kindRoot(app), name, UInt32(kind))
        names.release(name)
    }

    /// Takes back what `addKind` did.
    mutating func removeKind(_ name: String, of app: AppID) {
        let id = name.withByteView { names.find($0) }
        removeEdge(Self.kindRoot(app), id)
    }

    // MARK: - Edges

    private static func isRoot(_ attribute: AttributeID) -> Bool { attribute >= 0x8000_0000 }

    private mutating func child(of parent: AttributeID, _ name: NameID) -> AttributeID {
        let known = attribute(below: parent, name)
        if known != Self.none { return known }
        let attribute = attributes.insert(Attribute(parent: parent, name: name))
        precondition(!Self.isRoot(attribute), "rules and widgets name 2^31 different fields")
        addEdge(parent, name, attribute)
        if !Self.isRoot(parent) { attributes[parent].children += 1 }
        return attribute
    }

    private mutating func addEdge(_ parent: AttributeID, _ name: NameID, _ target: UInt32) {
        names.retain(name)
        edges.insert(
            Edge(
                fingerprint: fingerprint(parent, name),
                parent: parent,
                name: name,
                target: target
            )
        )
    }

    private mutating func removeEdge(_ parent: AttributeID, _ name: NameID) {
        edges.remove(at: find(parent, name)!)
        names.release(name)
    }

    @inline(__always)
    private func find(_ parent: AttributeID, _ name: NameID) -> Int? {
        let fingerprint = fingerprint(parent, name)
        var index = edges.home(fingerprint)
        while !edges[index].isEmpty {
            if edges[index].name == name && edges[index].parent == parent { return index }
            index = edges.next(index)
        }
        return nil
    }

    @inline(__always)
    private func fingerprint(_ parent: AttributeID, _ name: NameID) -> UInt32 {
        UInt32(
            truncatingIfNeeded: foldedProduct(
                UInt64(parent) << 32 | UInt64(name),
                multiplier
            )
        )
    }
}

extension NameTable {
    /// The number of a name, with one reference more.
    mutating func acquire(_ name: String) -> NameID {
        var name = name
        return name.withUTF8 { bytes in
            guard let base = bytes.baseAddress else {
                return unsafe acquire(ByteView(base: UnsafeRawPointer(bitPattern: 8)!, count: 0))
            }
            return unsafe acquire(ByteView(base: base, count: bytes.count))
        }
    }
}
