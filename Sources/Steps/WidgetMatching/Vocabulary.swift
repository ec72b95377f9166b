internal import DataStructures
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
    private static func kindRoot(_ app: AppID) -> AttributeID { 0x8000_0000 | UInt32(app) }

    var names: NameTable
    private var edges = ProbeTable<Edge>()
    private var attributes = Slab<Attribute>()
    private let product: ProductHash
    /// By app: the spaces that every push of it leads to.
    private var appSpaces = GrowingBuffer<SpaceList>()
    /// By app: a bit for every top-level name.
    private var appFilters = GrowingBuffer<UInt64>()
    /// How many spaces are of several attributes.
    private(set) var combinedSpaceCount = 0

    /// One step: from a parent by a name to an attribute, or from an app by a name to a kind.
    struct Edge: ProbeSlot {
        var fingerprint: UInt32
        var parent: AttributeID
        /// What `MemberName` has of the name: enough for a short one.
        var first: UInt64 = 0
        var last: UInt64 = 0
        var count: UInt32 = 0
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
        /// Of rules that are compiled, conditions that read a string here as a whole.
        var textTests: UInt32 = 0
        /// Steps from the root.
        var depth: UInt8
        /// A bit for every name below this one; bits of names that are gone may stay as long as
        /// there are others.
        var filter: UInt64 = 0
        /// The space of keys of the attribute's values alone.
        var valueSpace = KeySpace.none
        /// The other key spaces that a value at the attribute leads to.
        var spaces = SpaceList()
    }

    /// A chain of key spaces, in the order in which they came.
    struct SpaceList: BitwiseCopyable {
        var first = KeySpace.none
        var last = KeySpace.none
        var count: UInt32 = 0
    }

    /// Bytes held from the system, used or not.
    var byteCount: Int {
        names.byteCount + edges.byteCount + attributes.byteCount + appSpaces.byteCount
            + appFilters.byteCount
    }
    /// How many attributes are in use.
    var attributeCount: Int { attributes.count }

    init(_ hashKey: HashKey, _ product: ProductHash) {
        names = NameTable(hashKey)
        self.product = product
    }

    // MARK: - What the scan asks

    /// The attribute one step below `parent`, or `none`.
    @inline(__always)
    func attribute(below parent: AttributeID, _ name: MemberName) -> AttributeID {
        guard let index = find(parent, name) else { return Self.none }
        return edges[index].target
    }

    /// Whether a value at the attribute itself can matter.
    @inline(__always)
    func isUsed(_ attribute: AttributeID) -> Bool { attributes[attribute].uses > 0 }

    /// Whether a rule has conditions that read a string at the attribute as a whole.
    @inline(__always)
    func hasTextTests(_ attribute: AttributeID) -> Bool { attributes[attribute].textTests > 0 }

    /// Steps from the root to the attribute.
    func depth(_ attribute: AttributeID) -> Int { Int(attributes[attribute].depth) }

    /// The steps from the root that two attributes have in common, without the last of either.
    func sharedDepth(_ left: AttributeID, _ right: AttributeID) -> Int {
        var left = attributes[left].parent
        var right = attributes[right].parent
        while left != right {
            if Self.isRoot(left) || Self.isRoot(right) { return 0 }
            let isLeftDeeper = depth(left) >= depth(right)
            if isLeftDeeper { left = attributes[left].parent }
            if !isLeftDeeper { right = attributes[right].parent }
        }
        return Self.isRoot(left) ? 0 : depth(left)
    }

    /// A bit for every name that can matter below an attribute or root.
    @inline(__always)
    func filter(below parent: AttributeID) -> UInt64 {
        if !Self.isRoot(parent) { return attributes[parent].filter }
        let app = Int(parent & 0xffff)
        // What narrows a push has no attribute of its own.
        return (app < appFilters.count ? appFilters[app] : 0) | Self.kindsBit
    }

    private static let kindsBit = "kinds".withByteView { MemberName($0).filterBit }

    /// The first of the other key spaces that a value at the attribute leads to.
    @inline(__always)
    func firstSpace(_ attribute: AttributeID) -> SpaceID { attributes[attribute].spaces.first }

    /// The space of keys of the attribute's values alone, if there is one.
    @inline(__always)
    func valueSpace(_ attribute: AttributeID) -> SpaceID { attributes[attribute].valueSpace }

    /// The first of the key spaces that every push of the app leads to.
    @inline(__always)
    func firstSpace(ofApp app: AppID) -> SpaceID {
        Int(app) < appSpaces.count ? appSpaces[Int(app)].first : KeySpace.none
    }

    func spaceCount(_ attribute: AttributeID) -> UInt32 { spaceList(attribute).count }

    /// The app's kind of that name.
    func kind(_ app: AppID, _ name: MemberName) -> KindID? {
        find(Self.kindRoot(app), name).map { KindID(edges[$0].target) }
    }

    // MARK: - What rules and widgets change

    /// The attribute one step below `parent`, with one use more.
    mutating func use(_ step: String, below parent: AttributeID) -> AttributeID {
        let name = names.acquire(step)
        defer { names.release(name) }
        return use(name, below: parent)
    }

    /// The attribute one step below `parent`, with one use more.
    mutating func use(_ name: NameID, below parent: AttributeID) -> AttributeID {
        let attribute = child(of: parent, name)
        attributes[attribute].uses += 1
        return attribute
    }

    /// Takes a use back; attributes that nobody uses and that lead nowhere disappear.
    mutating func unuse(_ attribute: AttributeID) {
        assert(attributes[attribute].uses > 0)
        attributes[attribute].uses -= 1
        var attribute = attribute
        while attributes[attribute].uses == 0 && attributes[attribute].children == 0 {
            assert(attributes[attribute].spaces.count == 0, "a key outlives its attribute")
            let parent = attributes[attribute].parent
            removeEdge(parent, attributes[attribute].name)
            attributes.remove(attribute)
            if Self.isRoot(parent) { return }
            attributes[parent].children -= 1
            if attributes[parent].children == 0 { attributes[parent].filter = 0 }
            attribute = parent
        }
    }

    /// Counts one use more of an attribute in use.
    mutating func retain(_ attribute: AttributeID) {
        assert(attributes[attribute].uses > 0)
        attributes[attribute].uses += 1
    }

    /// Counts conditions that read a string at the attribute as a whole.
    mutating func countTextTests(_ attribute: AttributeID, _ change: Int) {
        attributes[attribute].textTests = UInt32(Int(attributes[attribute].textTests) + change)
    }

    /// Adds a key space at the end of the attribute's, or the app's if it is a root.
    mutating func addSpace(
        _ space: SpaceID,
        to attribute: AttributeID,
        _ spaces: inout KeySpaces
    ) {
        if spaces[space].form == .value {
            attributes[attribute].valueSpace = space
            return
        }
        if spaces[space].form == .equal { combinedSpaceCount += 1 }
        var list = spaceList(attribute)
        spaces[space].next = KeySpace.none
        if list.count == 0 { list.first = space } else { spaces[list.last].next = space }
        list.last = space
        list.count += 1
        setSpaceList(attribute, list)
    }

    /// Takes a key space out of the attribute's, or the app's if it is a root.
    mutating func removeSpace(
        _ space: SpaceID,
        from attribute: AttributeID,
        _ spaces: inout KeySpaces
    ) {
        if spaces[space].form == .value {
            attributes[attribute].valueSpace = KeySpace.none
            return
        }
        if spaces[space].form == .equal { combinedSpaceCount -= 1 }
        var list = spaceList(attribute)
        var before = KeySpace.none
        var current = list.first
        while current != space {
            before = current
            current = spaces[current].next
        }
        let next = spaces[space].next
        if before == KeySpace.none { list.first = next } else { spaces[before].next = next }
        if list.last == space { list.last = before }
        list.count -= 1
        setSpaceList(attribute, list)
    }

    private func spaceList(_ attribute: AttributeID) -> SpaceList {
        if !Self.isRoot(attribute) { return attributes[attribute].spaces }
        let app = Int(attribute & 0xffff)
        return app < appSpaces.count ? appSpaces[app] : SpaceList()
    }

    private mutating func setSpaceList(_ attribute: AttributeID, _ list: SpaceList) {
        if !Self.isRoot(attribute) {
            attributes[attribute].spaces = list
            return
        }
        let app = Int(attribute & 0xffff)
        appSpaces.extend(to: app + 1, filling: SpaceList())
        appSpaces[app] = list
    }

    /// Lets `name` find the kind.
    mutating func addKind(_ kind: KindID, _ name: String, of app: AppID) {
        let name = names.acquire(name)
        addEdge(Self.kindRoot(app), name, UInt32(kind))
        names.release(name)
    }

    /// Takes back what `addKind` did.
    mutating func removeKind(_ name: String, of app: AppID) {
        removeEdge(Self.kindRoot(app), name.withByteView { names.find($0) })
    }

    /// The names of an attribute's path, joined by periods.
    func path(of attribute: AttributeID) -> String {
        if Self.isRoot(attribute) { return "" }
        let name = names.bytes(of: attributes[attribute].name).string
        let parent = path(of: attributes[attribute].parent)
        return parent.isEmpty ? name : "\(parent).\(name)"
    }

    // MARK: - Edges

    private static func isRoot(_ attribute: AttributeID) -> Bool { attribute >= 0x8000_0000 }

    private mutating func child(of parent: AttributeID, _ name: NameID) -> AttributeID {
        let known = attribute(below: parent, MemberName(names.bytes(of: name)))
        if known != Self.none { return known }
        let depth = Self.isRoot(parent) ? 1 : attributes[parent].depth + 1
        let attribute = attributes.insert(Attribute(parent: parent, name: name, depth: depth))
        precondition(!Self.isRoot(attribute), "rules and widgets name 2^31 different fields")
        addEdge(parent, name, attribute)
        let bit = MemberName(names.bytes(of: name)).filterBit
        if Self.isRoot(parent) {
            let app = Int(parent & 0xffff)
            appFilters.extend(to: app + 1, filling: 0)
            appFilters[app] |= bit
        } else {
            attributes[parent].children += 1
            attributes[parent].filter |= bit
        }
        return attribute
    }

    private mutating func addEdge(_ parent: AttributeID, _ name: NameID, _ target: UInt32) {
        names.retain(name)
        let text = MemberName(names.bytes(of: name))
        edges.insert(
            Edge(
                fingerprint: fingerprint(parent, text),
                parent: parent,
                first: text.first,
                last: text.last,
                count: UInt32(text.bytes.count),
                name: name,
                target: target
            )
        )
    }

    private mutating func removeEdge(_ parent: AttributeID, _ name: NameID) {
        edges.remove(at: find(parent, MemberName(names.bytes(of: name)))!)
        names.release(name)
    }

    /// How many slots a lookup goes through for a name that does not exist and hashes as this one does.
    func stepCount(below parent: AttributeID, _ name: MemberName) -> Int {
        edges.stepCount(fingerprint(parent, name))
    }

    @inline(__always)
    private func find(_ parent: AttributeID, _ name: MemberName) -> Int? {
        var index = edges.home(fingerprint(parent, name))
        while !edges[index].isEmpty {
            if isEdge(index, parent, name) { return index }
            index = edges.next(index)
        }
        return nil
    }

    @inline(__always)
    private func isEdge(_ index: Int, _ parent: AttributeID, _ name: MemberName) -> Bool {
        if edges[index].first != name.first || edges[index].last != name.last { return false }
        if edges[index].parent != parent || edges[index].count != name.bytes.count { return false }
        return name.bytes.count <= 16 || names.bytes(of: edges[index].name) == name.bytes
    }

    @inline(__always)
    private func fingerprint(_ parent: AttributeID, _ name: MemberName) -> UInt32 {
        let place = UInt64(parent) << 32 | UInt64(truncatingIfNeeded: name.bytes.count)
        var (first, last) = (name.first, name.last)
        if name.bytes.count > 16 {
            // Devices choose names: all bytes must count, or many would be one chain.
            first = product.hash(name.bytes)
            last = 0
        }
        return UInt32(truncatingIfNeeded: product.hash(first, last, at: place))
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
