internal import Basics

/// The names in rules and configurations, the field paths that they form, and the names of kinds.
///
/// Paths are a tree of attributes, which a scan follows one member name at a time:
///
///     (app root, "character") ─► attribute 0
///     (app root, "place")     ─► attribute 1        (attribute 1, "region") ─► attribute 2
///
/// An attribute exists while a rule names it, or a widget of a kind without a rule has a parameter
/// with its name. The scan skips members without an attribute.
struct Vocabulary: ~Copyable {
    /// The names of members, parameters and kinds.
    var names: NameTable
    /// The steps of the tree, by parent and name.
    var edges = ProbeTable<Edge>()
    var attributes = Slab<AttributeID, Attribute>()
    private let product: ProductHash
    /// By app: the spaces to which every push of the app leads (`KeyForm.always`).
    var appSpaces = GrowingBuffer<SpaceList>()
    /// By app: a bit for every top-level name; bits are never cleared. See `MemberName.filterBit`.
    private var appFilters = GrowingBuffer<UInt64>()
    /// How many attributes there have been.
    private var birthCount: UInt64 = 0
    /// The number of key spaces of several attributes.
    private(set) var combinedSpaceCount = 0

    /// One step by name: from a parent to an attribute, or from an app to a kind.
    struct Edge: ProbeSlot {
        let fingerprint: UInt32
        let parent: AttributeID
        /// The first eight bytes of the name, as in `MemberName.first`. With `last` and `count`
        /// they are the whole name, if that has at most 16 bytes.
        let first: UInt64
        let last: UInt64
        let count: UInt32
        let name: NameID
        /// An `AttributeID`, or a `KindID` below `AttributeID.kindRoot`.
        private let target: UInt32

        /// The attribute to which the edge leads.
        @inline(__always)
        var attribute: AttributeID { AttributeID(rawValue: target) }

        /// The kind to which the edge leads.
        var kind: KindID { KindID(index: Int(target)) }

        init(
            fingerprint: UInt32,
            parent: AttributeID,
            name: NameID,
            text: MemberName,
            target: UInt32
        ) {
            self.fingerprint = fingerprint
            self.parent = parent
            self.name = name
            self.target = target
            first = text.first
            last = text.last
            count = UInt32(text.bytes.count)
        }

        var isEmpty: Bool { name == .none }
        static var empty: Edge {
            Edge(fingerprint: 0, parent: .none, name: .none, text: MemberName(.empty), target: 0)
        }
    }

    /// The field at one path of one app's payloads.
    struct Attribute: BitwiseCopyable {
        var parent: AttributeID
        var name: NameID
        /// The number of compiled rules' nodes and key spaces that need the field's own value.
        var uses: UInt32 = 0
        /// The number of attributes directly below this one.
        var children: UInt32 = 0
        /// The number of text tests of compiled rules on this field; see
        /// `WidgetIndex.countTextTests`.
        var textTests: UInt32 = 0
        /// The number of names in the path.
        var depth: UInt8
        /// How many attributes there had been when it came, itself included.
        var birth: UInt64
        /// A bit for every name directly below; bits of removed names may stay until no child is
        /// left.
        var filter: UInt64 = 0
        /// The space of keys that are the attribute's values (`KeyForm.value`), or `none`.
        var valueSpace = SpaceID.none
        /// The other key spaces of which this attribute is the pivot.
        var spaces = SpaceList()
    }

    /// A linked list of key spaces, in order of their creation.
    struct SpaceList: BitwiseCopyable {
        var first = SpaceID.none
        var last = SpaceID.none
        var count: UInt32 = 0
    }

    /// Bytes allocated, used or not.
    var byteCount: Int {
        names.byteCount + edges.byteCount + attributes.byteCount + appSpaces.byteCount
            + appFilters.byteCount
    }
    /// The number of attributes in use.
    var attributeCount: Int { attributes.count }

    init(hashKey: HashKey, product: ProductHash) {
        names = NameTable(hashKey)
        self.product = product
    }

    // MARK: - For the scan

    /// The attribute one step below `parent`; nil if there is none.
    @inline(__always)
    func attribute(below parent: AttributeID, named name: MemberName) -> AttributeID? {
        find(from: parent, named: name).map { edges[$0].attribute }
    }

    /// Whether a rule or a key space needs the field's own value, and not only what is below it.
    @inline(__always)
    func isUsed(_ attribute: AttributeID) -> Bool { attributes[attribute].uses > 0 }

    /// Whether a rule has text tests on the field: wildcards or regular expressions.
    @inline(__always)
    func hasTextTests(_ attribute: AttributeID) -> Bool { attributes[attribute].textTests > 0 }

    /// A number by which an attribute differs from others that had its number before, or will have.
    func birth(of attribute: AttributeID) -> UInt64 { attributes[attribute].birth }

    /// The number of names in the attribute's path.
    func depth(_ attribute: AttributeID) -> Int { Int(attributes[attribute].depth) }

    /// The number of names that the paths of two attributes' parents have in common.
    func sharedDepth(of left: AttributeID, and right: AttributeID) -> Int {
        var left = attributes[left].parent
        var right = attributes[right].parent
        while left != right {
            if left.isRoot || right.isRoot { return 0 }
            let isLeftDeeper = depth(left) >= depth(right)
            if isLeftDeeper { left = attributes[left].parent }
            if !isLeftDeeper { right = attributes[right].parent }
        }
        return left.isRoot ? 0 : depth(left)
    }

    /// A bit for every name directly below an attribute or root that the scan must not skip.
    @inline(__always)
    func filter(below parent: AttributeID) -> UInt64 {
        if !parent.isRoot { return attributes[parent].filter }
        let app = parent.appNumber
        return app < appFilters.count ? appFilters[app] : 0
    }

    /// The space of keys that are the attribute's values, and the first space of the attribute's
    /// list, which does not include it; each may be `none`.
    @inline(__always)
    func spaces(of attribute: AttributeID) -> (values: SpaceID, first: SpaceID) {
        let attribute = attributes[attribute]
        return (attribute.valueSpace, attribute.spaces.first)
    }

    /// The first of the key spaces to which every push of the app leads.
    @inline(__always)
    func firstSpace(ofApp app: AppID) -> SpaceID {
        app.index < appSpaces.count ? appSpaces[app.index].first : .none
    }

    /// The number of key spaces in the list of an attribute or root.
    func spaceCount(_ attribute: AttributeID) -> UInt32 { spaceList(attribute).count }

    /// The app's kind with this name; nil if there is none.
    func kind(of app: AppID, named name: MemberName) -> KindID? {
        find(from: .kindRoot(app), named: name).map { edges[$0].kind }
    }

    // MARK: - For rules and widgets

    /// The attribute one step below `parent`, created if it is new, with one more use.
    mutating func acquire(_ step: String, below parent: AttributeID) -> AttributeID {
        let name = names.acquire(step)
        defer { names.release(name) }
        return acquire(name, below: parent)
    }

    /// The attribute one step below `parent`, created if it is new, with one more use.
    mutating func acquire(_ name: NameID, below parent: AttributeID) -> AttributeID {
        let attribute = child(of: parent, named: name)
        attributes[attribute].uses += 1
        return attribute
    }

    /// Releases a use; attributes without uses and children are removed.
    mutating func release(_ attribute: AttributeID) {
        assert(attributes[attribute].uses > 0, "an attribute is released too often")
        attributes[attribute].uses -= 1
        var attribute = attribute
        while attributes[attribute].uses == 0
            && attributes[attribute].children == 0
        {
            assert(attributes[attribute].spaces.count == 0, "a key outlives its attribute")
            let parent = attributes[attribute].parent
            removeEdge(from: parent, named: attributes[attribute].name)
            attributes.remove(attribute)
            if parent.isRoot { return }
            attributes[parent].children -= 1
            if attributes[parent].children == 0 { attributes[parent].filter = 0 }
            attribute = parent
        }
    }

    /// Adds a use to an attribute in use.
    mutating func retain(_ attribute: AttributeID) {
        assert(attributes[attribute].uses > 0, "attribute \(attribute) is gone")
        attributes[attribute].uses += 1
    }

    /// Adds `change` to the text tests on the attribute; see `WidgetIndex.countTextTests`.
    mutating func countTextTests(on attribute: AttributeID, by change: Int) {
        assert(Int(attributes[attribute].textTests) + change >= 0, "text tests below zero")
        attributes[attribute].textTests = UInt32(Int(attributes[attribute].textTests) + change)
    }

    /// Appends a key space to the list of an attribute, or of an app if it is a root.
    mutating func addSpace(
        _ space: SpaceID,
        to attribute: AttributeID,
        in spaces: inout KeySpaces
    ) {
        if spaces[space].form == .value {
            attributes[attribute].valueSpace = space
            return
        }
        if spaces[space].form == .equal { combinedSpaceCount += 1 }
        var list = spaceList(attribute)
        spaces[space].next = .none
        if list.count == 0 { list.first = space } else { spaces[list.last].next = space }
        list.last = space
        list.count += 1
        setSpaceList(of: attribute, to: list)
    }

    /// Removes a key space from the list of an attribute, or of an app if it is a root.
    mutating func removeSpace(
        _ space: SpaceID,
        from attribute: AttributeID,
        in spaces: inout KeySpaces
    ) {
        if spaces[space].form == .value {
            attributes[attribute].valueSpace = .none
            return
        }
        if spaces[space].form == .equal { combinedSpaceCount -= 1 }
        var list = spaceList(attribute)
        var before = SpaceID.none
        var current = list.first
        while current != space {
            assert(current != .none, "space \(space) is in another list")
            before = current
            current = spaces[current].next
        }
        let next = spaces[space].next
        if before == .none { list.first = next } else { spaces[before].next = next }
        if list.last == space { list.last = before }
        list.count -= 1
        setSpaceList(of: attribute, to: list)
    }

    /// The list of key spaces of an attribute or root.
    private func spaceList(_ attribute: AttributeID) -> SpaceList {
        if !attribute.isRoot { return attributes[attribute].spaces }
        let app = attribute.appNumber
        return app < appSpaces.count ? appSpaces[app] : SpaceList()
    }

    /// Replaces the list of key spaces of an attribute or root.
    private mutating func setSpaceList(of attribute: AttributeID, to list: SpaceList) {
        if !attribute.isRoot {
            attributes[attribute].spaces = list
            return
        }
        let app = attribute.appNumber
        appSpaces.extend(to: app + 1, filling: SpaceList())
        appSpaces[app] = list
    }

    /// Adds a kind, so that `kind(of:named:)` finds it by name.
    mutating func addKind(_ kind: KindID, named name: String, of app: AppID) {
        let name = names.acquire(name)
        addEdge(from: .kindRoot(app), named: name, to: UInt32(kind.rawValue))
        names.release(name)
    }

    mutating func removeKind(_ name: String, of app: AppID) {
        removeEdge(from: .kindRoot(app), named: name.withByteView { names.find($0)! })
    }

    /// The names of an attribute's path, joined by periods; for people.
    func path(of attribute: AttributeID) -> String {
        if attribute.isRoot { return "" }
        let name = names.bytes(of: attributes[attribute].name).string
        let parent = path(of: attributes[attribute].parent)
        return parent.isEmpty ? name : "\(parent).\(name)"
    }

    // MARK: - Edges of the tree

    /// The attribute for a name below a parent, created without a use if it is new.
    private mutating func child(of parent: AttributeID, named name: NameID) -> AttributeID {
        if let known = attribute(below: parent, named: MemberName(names.bytes(of: name))) {
            return known
        }
        let depth = parent.isRoot ? 1 : attributes[parent].depth + 1
        birthCount += 1
        let attribute = attributes.insert(
            Attribute(parent: parent, name: name, depth: depth, birth: birthCount)
        )
        precondition(!attribute.isRoot, "rules and widgets name 2^31 different fields")
        addEdge(from: parent, named: name, to: attribute.rawValue)
        let bit = MemberName(names.bytes(of: name)).filterBit
        if parent.isRoot {
            let app = parent.appNumber
            appFilters.extend(to: app + 1, filling: 0)
            appFilters[app] |= bit
        } else {
            attributes[parent].children += 1
            attributes[parent].filter |= bit
        }
        return attribute
    }

    /// Adds an edge, with a reference to its name.
    private mutating func addEdge(from parent: AttributeID, named name: NameID, to target: UInt32) {
        assert(parent.isRoot || attributes.isInUse(parent), "attribute \(parent) is gone")
        names.retain(name)
        let text = MemberName(names.bytes(of: name))
        edges.insert(
            Edge(
                fingerprint: fingerprint(from: parent, named: text),
                parent: parent,
                name: name,
                text: text,
                target: target
            )
        )
    }

    /// Removes an edge, and releases its name.
    private mutating func removeEdge(from parent: AttributeID, named name: NameID) {
        assert(parent != .none, "an edge from no attribute")
        edges.remove(at: find(from: parent, named: MemberName(names.bytes(of: name)))!)
        names.release(name)
    }

    /// The number of slots that a lookup inspects for an absent name that hashes like this one.
    func stepCount(below parent: AttributeID, named name: MemberName) -> Int {
        edges.stepCount(fingerprint(from: parent, named: name))
    }

    /// The index of the edge from a parent by a name; nil if there is none.
    @inline(__always)
    private func find(from parent: AttributeID, named name: MemberName) -> Int? {
        var index = edges.home(fingerprint(from: parent, named: name))
        while !edges[index].isEmpty {
            if isEdge(index, from: parent, named: name) { return index }
            index = edges.next(index)
        }
        return nil
    }

    /// Whether an edge leads from the parent by the name.
    @inline(__always)
    private func isEdge(_ index: Int, from parent: AttributeID, named name: MemberName) -> Bool {
        if edges[index].first != name.first || edges[index].last != name.last { return false }
        if edges[index].parent != parent || edges[index].count != name.bytes.count { return false }
        return name.bytes.count <= 16 || names.bytes(of: edges[index].name) == name.bytes
    }

    /// The hash of a parent and a name.
    @inline(__always)
    private func fingerprint(from parent: AttributeID, named name: MemberName) -> UInt32 {
        let position = UInt64(parent.rawValue) << 32 | UInt64(truncatingIfNeeded: name.bytes.count)
        var (first, last) = (name.first, name.last)
        if name.bytes.count > 16 {
            // Devices choose names. All bytes are hashed, so that they cannot make names collide.
            first = product.hash(name.bytes)
            last = 0
        }
        return UInt32(truncatingIfNeeded: product.hash(first, and: last, at: position))
    }
}
