internal import Basics

extension Vocabulary {
    /// Asserts that the attributes are a tree in which each is found by its name, and that uses,
    /// filters and lists of spaces are what rules and spaces demand.
    func checkInvariants(
        uses: [AttributeID: Int],
        textTests: [AttributeID: Int],
        ruleTests: Set<RuleTest>,
        kindCount: Int,
        spaces: borrowing KeySpaces
    ) {
        scanned.edges.checkInvariants()
        assert(scanned.edges.count == attributeCount + kindCount, "an edge leads nowhere")
        var children: [AttributeID: Int] = [:]
        var weights: [AttributeID: Int] = [:]
        for test in ruleTests { weights[test.attribute, default: 0] += test.weight }
        var (listed, combined) = (0, 0)
        for id in NumberRange<AttributeID>(count: scanned.attributes.count) where isInUse(id) {
            check(id)
            let attribute = scanned[id]
            children[attribute.parent, default: 0] += 1
            assert(Int(attribute.uses) == uses[id, default: 0], "uses of attribute \(id)")
            assert(Int(attribute.textTests) == textTests[id, default: 0], "text tests on \(id)")
            assert(Int(attribute.ruleTests) == weights[id, default: 0], "rules' tests on \(id)")
            if attribute.valueSpace != .none {
                listed += 1
                let record = spaces.records[attribute.valueSpace]
                let isValue = record.space.form == .value
                assert(isValue && record.pivot == id, "values of attribute \(id)")
            }
            combined += check(attribute.spaces, of: id, spaces: spaces, listed: &listed)
        }
        for app in 0..<scanned.apps.count {
            let root = AttributeID.root(AppID(index: app))
            let list = scanned.apps[app].spaces
            combined += check(list, of: root, spaces: spaces, listed: &listed)
        }
        assert(listed == spaces.count - 1, "every space but that of kinds is in one list")
        assert(combined == scanned.combinedSpaceCount, "\(combined) spaces have several attributes")
        for (parent, count) in children where !parent.isRoot {
            assert(Int(scanned[parent].children) == count, "children of \(parent)")
        }
    }

    /// Calls `body` with the name of each edge.
    func forEachEdgeName(_ body: (NameID) -> Void) {
        let edges = scanned.edges
        for index in 0...edges.mask where !edges[index].isEmpty { body(edges[index].name) }
    }

    /// Asserts that an attribute is found by its name, and that the filter above lets it pass.
    private func check(_ id: AttributeID) {
        let attribute = scanned[id]
        let parent = attribute.parent
        let name = MemberName(names.bytes(of: attribute.name))
        let found = scanned.attribute(below: parent, named: name)
        assert(found == id, "attribute \(id) is not found")
        let filter =
            parent.isRoot ? scanned.apps[parent.appNumber].filter : scanned[parent].filter
        assert(filter & name.filterBit != 0, "the filter stops attribute \(id)")
        assert(attribute.uses > 0 || attribute.children > 0, "attribute \(id) is not needed")
        let depth = parent.isRoot ? 1 : scanned.depth(parent) + 1
        assert(Int(attribute.depth) == depth, "the depth of attribute \(id)")
    }

    /// Asserts that a list of spaces is complete, adds its length to `listed`, and returns how many
    /// of its spaces have several attributes.
    private func check(
        _ list: SpaceList,
        of attribute: AttributeID,
        spaces: borrowing KeySpaces,
        listed: inout Int
    ) -> Int {
        var (count, combined) = (0, 0)
        var (last, next) = (SpaceID.none, list.first)
        while next != .none {
            let record = spaces.records[next]
            assert(record.pivot == attribute, "space \(next) is in the list of another")
            assert(record.space.isSame(as: scanned[next].space), "space \(next) is another")
            count += 1
            combined += record.space.form == .equal ? 1 : 0
            (last, next) = (next, scanned[next].next)
        }
        assert(list.last == last || count == 0, "the last space of \(attribute)")
        assert(count == Int(list.count), "\(attribute) has \(count) spaces")
        listed += count
        return combined
    }
}
