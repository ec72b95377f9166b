internal import Basics

/// What the scan of payloads goes by: the field paths that rules name, and the key spaces that are
/// made of their values.
///
/// Paths are a tree of attributes, which a scan follows one member name at a time:
///
///     (app root, "character") ─► attribute 0
///     (app root, "place")     ─► attribute 1        (attribute 1, "region") ─► attribute 2
///
/// A copy is a snapshot: it stays as it is while the `Vocabulary` changes the original, and may be
/// read on any thread. It costs nothing until then, and afterwards the pages that change
/// (`PagedArray`). So whatever a scan has let through by its snapshot, a matcher with the same
/// `revision` can match: both count the same probes, and weigh texts alike.
package struct ScanVocabulary: Sendable {
    /// One step by name: from a parent to an attribute, or from an app to a kind.
    struct Edge: ProbeSlot {
        let fingerprint: UInt32
        let parent: AttributeID
        /// What the name is compared by; see `MemberName.Identity`.
        let identity: MemberName.Identity
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
            identity: MemberName.Identity,
            target: UInt32
        ) {
            self.fingerprint = fingerprint
            self.parent = parent
            self.identity = identity
            self.name = name
            self.target = target
        }

        var isEmpty: Bool { name == .none }
        static var empty: Edge {
            let identity = MemberName.Identity(first: 0, last: 0, count: 0)
            return Edge(fingerprint: 0, parent: .none, name: .none, identity: identity, target: 0)
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
        /// The weight of those of them that are rules' own, equal ones once.
        var ruleTests: UInt32 = 0
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

    /// What there is of one app.
    struct App: BitwiseCopyable {
        /// A bit for every top-level name; bits are never cleared. See `MemberName.filterBit`.
        var filter: UInt64 = 0
        /// The spaces to which every push of the app leads (`KeyForm.always`).
        var spaces = SpaceList()
    }

    /// A key space in the list of its pivot.
    struct ListedSpace: BitwiseCopyable {
        let space: KeySpace
        /// The next space of the same list; `none` for the last.
        var next = SpaceID.none
    }

    /// A linked list of key spaces, in order of their creation.
    struct SpaceList: BitwiseCopyable {
        var first = SpaceID.none
        var last = SpaceID.none
        var count: UInt32 = 0
    }

    /// Rises whenever a scan would find something else.
    var revision: UInt64 = 0
    /// The steps of the tree, by parent and name.
    var edges = ProbeTable<Edge>()
    /// By `AttributeID`; those not in use too.
    var attributes = PagedArray<Attribute>()
    /// By `SpaceID`; those not in use, and that of kinds, too.
    var spaces = PagedArray<ListedSpace>()
    /// By `AppID`, as far as apps have attributes or spaces.
    var apps = PagedArray<App>()
    /// The number of key spaces of several attributes.
    var combinedSpaceCount = 0
    let hashKey: HashKey
    private let product: ProductHash

    /// Bytes allocated, whether copies share them or not.
    var byteCount: Int {
        edges.byteCount + attributes.byteCount + spaces.byteCount + apps.byteCount
    }

    init(hashKey: HashKey, product: ProductHash) {
        self.hashKey = hashKey
        self.product = product
    }

    // MARK: - Attributes

    subscript(attribute: AttributeID) -> Attribute {
        @inline(__always) unsafeAddress { unsafe attributes.address(attribute.index) }
    }

    /// The attribute one step below `parent`; nil if there is none.
    @inline(__always)
    func attribute(below parent: AttributeID, named name: MemberName) -> AttributeID? {
        find(from: parent, named: name).map { $0.edge.attribute }
    }

    /// Whether a rule or a key space needs the field's own value, and not only what is below it.
    @inline(__always)
    func isUsed(_ attribute: AttributeID) -> Bool { self[attribute].uses > 0 }

    /// The number of names in the attribute's path.
    func depth(_ attribute: AttributeID) -> Int { Int(self[attribute].depth) }

    /// The number of names that the paths of two attributes' parents have in common.
    func sharedDepth(of left: AttributeID, and right: AttributeID) -> Int {
        var left = self[left].parent
        var right = self[right].parent
        while left != right {
            if left.isRoot || right.isRoot { return 0 }
            let isLeftDeeper = depth(left) >= depth(right)
            if isLeftDeeper { left = self[left].parent }
            if !isLeftDeeper { right = self[right].parent }
        }
        return left.isRoot ? 0 : depth(left)
    }

    /// What there is of an app.
    @inline(__always)
    func app(_ number: AppID) -> App { number.index < apps.count ? apps[number.index] : App() }

    /// The app's kind with this name; nil if there is none.
    func kind(of app: AppID, named name: MemberName) -> KindID? {
        find(from: .kindRoot(app), named: name).map { $0.edge.kind }
    }

    // MARK: - Key spaces

    /// The space of keys that are the attribute's values, and the first space of the attribute's
    /// list, which does not include it; each may be `none`.
    @inline(__always)
    func spaces(of attribute: AttributeID) -> (values: SpaceID, first: SpaceID) {
        (self[attribute].valueSpace, self[attribute].spaces.first)
    }

    /// A key space that is in a list.
    subscript(space: SpaceID) -> ListedSpace {
        @inline(__always) unsafeAddress { unsafe spaces.address(Int(space.rawValue)) }
    }

    // MARK: - Steps

    /// The edge from a parent by a name, with its index; nil if there is none.
    @inline(__always)
    func find(
        from parent: AttributeID,
        named name: MemberName
    ) -> (edge: Edge, index: Int)? {
        let identity = identity(of: name)
        var index = edges.home(fingerprint(from: parent, named: identity))
        while true {
            let edge = edges[index]
            if edge.isEmpty { return nil }
            if edge.identity == identity && edge.parent == parent { return (edge, index) }
            index = edges.next(index)
        }
    }

    /// What a name is compared by.
    @inline(__always)
    func identity(of name: MemberName) -> MemberName.Identity {
        if name.bytes.count <= 16 { return name.short }
        // Two hashes that are independent of each other stand for the name, so that a snapshot
        // needs none of the bytes. Devices choose names: they cannot make them collide.
        return MemberName.Identity(
            first: product.hash(name.bytes),
            last: hashKey.hash(name.bytes),
            count: name.bytes.count
        )
    }

    /// The hash of a parent and a name.
    @inline(__always)
    func fingerprint(from parent: AttributeID, named name: MemberName.Identity) -> UInt32 {
        let position = UInt64(parent.rawValue) << 32 | UInt64(name.count)
        return UInt32(
            truncatingIfNeeded: product.hash(name.first, and: name.last, at: position)
        )
    }

    /// The number of slots that a lookup inspects for an absent name that hashes like this one.
    func stepCount(below parent: AttributeID, named name: MemberName) -> Int {
        edges.stepCount(fingerprint(from: parent, named: identity(of: name)))
    }
}
