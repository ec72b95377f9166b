internal import Basics

/// The names in rules and configurations, the field paths that they form, and the names of kinds.
///
/// An attribute exists while a rule names it, or a widget of a kind without a rule has a parameter
/// with its name. The scan skips members without an attribute. What scans go by is in `scanned`.
struct Vocabulary: ~Copyable {
    typealias Attribute = ScanVocabulary.Attribute
    typealias SpaceList = ScanVocabulary.SpaceList

    /// The names of members, parameters and kinds.
    var names: NameTable
    /// What scans go by; a copy of it is a snapshot.
    private(set) var scanned: ScanVocabulary
    /// The numbers of attributes that are not in use, below that of the last one.
    private var freeAttributes = FreeNumbers()
    /// How many attributes there have been.
    private var birthCount: UInt64 = 0

    /// Bytes allocated, used or not.
    var byteCount: Int { names.byteCount + scanned.byteCount + freeAttributes.byteCount }
    /// The number of attributes in use.
    var attributeCount: Int { scanned.attributes.count - freeAttributes.count }

    init(hashKey: HashKey, product: ProductHash) {
        names = NameTable(hashKey)
        scanned = ScanVocabulary(hashKey: hashKey, product: product)
    }

    /// Whether an attribute is in use.
    func isInUse(_ attribute: AttributeID) -> Bool {
        attribute.index < scanned.attributes.count
            && !freeAttributes.contains(attribute.rawValue)
    }

    // MARK: - Attributes

    /// The attribute one step below `parent`, created if it is new, with one more use.
    mutating func acquire(_ step: String, below parent: AttributeID) -> AttributeID {
        let name = names.acquire(step)
        defer { names.release(name) }
        return acquire(name, below: parent)
    }

    /// The attribute one step below `parent`, created if it is new, with one more use.
    mutating func acquire(_ name: NameID, below parent: AttributeID) -> AttributeID {
        let attribute = child(of: parent, named: name)
        addUse(of: attribute)
        return attribute
    }

    /// Adds a use to an attribute in use.
    mutating func retain(_ attribute: AttributeID) {
        assert(scanned.isUsed(attribute), "attribute \(attribute) is gone")
        addUse(of: attribute)
    }

    private mutating func addUse(of attribute: AttributeID) {
        if !scanned.isUsed(attribute) { scanned.revision += 1 }
        scanned.attributes[attribute.index].uses += 1
    }

    /// Releases a use; attributes without uses and children are removed.
    mutating func release(_ attribute: AttributeID) {
        assert(scanned.isUsed(attribute), "an attribute is released too often")
        scanned.attributes[attribute.index].uses -= 1
        if !scanned.isUsed(attribute) { scanned.revision += 1 }
        var attribute = attribute
        while scanned[attribute].uses == 0 && scanned[attribute].children == 0 {
            assert(scanned[attribute].spaces.count == 0, "a key outlives its attribute")
            let parent = scanned[attribute].parent
            removeEdge(from: parent, named: scanned[attribute].name)
            freeAttributes.insert(attribute.rawValue)
            if parent.isRoot { return }
            scanned.attributes[parent.index].children -= 1
            if scanned[parent].children == 0 { scanned.attributes[parent.index].filter = 0 }
            attribute = parent
        }
    }

    /// Adds `change` to the text tests on the attribute; see `WidgetIndex.countTextTests`.
    mutating func countTextTests(on attribute: AttributeID, by change: Int) {
        let count = Int(scanned[attribute].textTests) + change
        assert(count >= 0, "text tests below zero")
        scanned.attributes[attribute.index].textTests = UInt32(count)
        scanned.revision += 1
    }

    /// Adds `weight` to that of the different text tests on the attribute that are rules' own.
    mutating func weighRuleTests(on attribute: AttributeID, by weight: Int) {
        let sum = Int(scanned[attribute].ruleTests) + weight
        assert(sum >= 0, "the weight of text tests is below zero")
        scanned.attributes[attribute.index].ruleTests = UInt32(sum)
        scanned.revision += 1
    }

    /// The names of an attribute's path, joined by periods; for people.
    func path(of attribute: AttributeID) -> String {
        if attribute.isRoot { return "" }
        let name = names.bytes(of: scanned[attribute].name).string
        let parent = path(of: scanned[attribute].parent)
        return parent.isEmpty ? name : "\(parent).\(name)"
    }

    // MARK: - Key spaces

    /// The number of key spaces in the list of an attribute or root.
    func spaceCount(_ attribute: AttributeID) -> UInt32 { spaceList(attribute).count }

    /// Appends a key space to the list of an attribute, or of an app if it is a root.
    mutating func addSpace(_ number: SpaceID, as space: KeySpace, to attribute: AttributeID) {
        scanned.revision += 1
        let listed = ScanVocabulary.ListedSpace(space: space)
        scanned.spaces.extend(to: Int(number.rawValue) + 1, filling: listed)
        scanned.spaces[Int(number.rawValue)] = listed
        if space.form == .value {
            scanned.attributes[attribute.index].valueSpace = number
            return
        }
        if space.form == .equal { scanned.combinedSpaceCount += 1 }
        var list = spaceList(attribute)
        if list.count == 0 { list.first = number } else { link(list.last, to: number) }
        list.last = number
        list.count += 1
        setSpaceList(of: attribute, to: list)
    }

    /// Removes a key space from the list of an attribute, or of an app if it is a root.
    mutating func removeSpace(_ number: SpaceID, from attribute: AttributeID) {
        scanned.revision += 1
        if scanned[number].space.form == .value {
            scanned.attributes[attribute.index].valueSpace = .none
            return
        }
        if scanned[number].space.form == .equal { scanned.combinedSpaceCount -= 1 }
        var list = spaceList(attribute)
        var before = SpaceID.none
        var current = list.first
        while current != number {
            assert(current != .none, "space \(number) is in another list")
            before = current
            current = scanned[current].next
        }
        let next = scanned[number].next
        if before == .none { list.first = next } else { link(before, to: next) }
        if list.last == number { list.last = before }
        list.count -= 1
        setSpaceList(of: attribute, to: list)
    }

    /// Sets the space that follows another one in its list.
    private mutating func link(_ space: SpaceID, to next: SpaceID) {
        scanned.spaces[Int(space.rawValue)].next = next
    }

    /// The list of key spaces of an attribute or root.
    private func spaceList(_ attribute: AttributeID) -> SpaceList {
        if !attribute.isRoot { return scanned[attribute].spaces }
        let app = attribute.appNumber
        return app < scanned.apps.count ? scanned.apps[app].spaces : SpaceList()
    }

    /// Replaces the list of key spaces of an attribute or root.
    private mutating func setSpaceList(of attribute: AttributeID, to list: SpaceList) {
        if !attribute.isRoot {
            scanned.attributes[attribute.index].spaces = list
            return
        }
        let app = attribute.appNumber
        scanned.apps.extend(to: app + 1, filling: ScanVocabulary.App())
        scanned.apps[app].spaces = list
    }

    // MARK: - Kinds

    /// Adds a kind, so that `kind(of:named:)` finds it by name.
    mutating func addKind(_ kind: KindID, named name: String, of app: AppID) {
        let name = names.acquire(name)
        addEdge(from: .kindRoot(app), named: name, to: UInt32(kind.rawValue))
        names.release(name)
    }

    mutating func removeKind(_ name: String, of app: AppID) {
        removeEdge(from: .kindRoot(app), named: name.withByteView { names.find($0)! })
    }

    // MARK: - Edges of the tree

    /// The attribute for a name below a parent, created without a use if it is new.
    private mutating func child(of parent: AttributeID, named name: NameID) -> AttributeID {
        let text = MemberName(names.bytes(of: name))
        if let known = scanned.attribute(below: parent, named: text) { return known }
        scanned.revision += 1
        birthCount += 1
        let depth = parent.isRoot ? 1 : scanned[parent].depth + 1
        let attribute = insert(
            Attribute(parent: parent, name: name, depth: depth, birth: birthCount)
        )
        addEdge(from: parent, named: name, to: attribute.rawValue)
        if parent.isRoot {
            let app = parent.appNumber
            scanned.apps.extend(to: app + 1, filling: ScanVocabulary.App())
            scanned.apps[app].filter |= text.filterBit
        } else {
            scanned.attributes[parent.index].children += 1
            scanned.attributes[parent.index].filter |= text.filterBit
        }
        return attribute
    }

    /// Stores an attribute under the lowest free number.
    private mutating func insert(_ attribute: Attribute) -> AttributeID {
        if let number = freeAttributes.popFirst() {
            scanned.attributes[Int(number)] = attribute
            return AttributeID(rawValue: number)
        }
        let number = AttributeID(rawValue: UInt32(scanned.attributes.count))
        precondition(!number.isRoot, "rules and widgets name 2^31 different fields")
        scanned.attributes.extend(to: scanned.attributes.count + 1, filling: attribute)
        return number
    }

    /// Adds an edge, with a reference to its name.
    private mutating func addEdge(from parent: AttributeID, named name: NameID, to target: UInt32) {
        assert(
            parent.isRoot || isInUse(parent),
            "attribute \(parent) is gone"
        )
        names.retain(name)
        let identity = scanned.identity(of: MemberName(names.bytes(of: name)))
        scanned.edges.insert(
            ScanVocabulary.Edge(
                fingerprint: scanned.fingerprint(from: parent, named: identity),
                parent: parent,
                name: name,
                identity: identity,
                target: target
            )
        )
    }

    /// Removes an edge, and releases its name.
    private mutating func removeEdge(from parent: AttributeID, named name: NameID) {
        assert(parent != .none, "an edge from no attribute")
        let found = scanned.find(from: parent, named: MemberName(names.bytes(of: name)))!
        scanned.edges.remove(at: found.index)
        names.release(name)
    }
}
