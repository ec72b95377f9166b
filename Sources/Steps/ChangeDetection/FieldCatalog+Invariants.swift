internal import Basics

extension FieldCatalog {
    /// Asserts that names, fields, apps and lists agree: that each field is found by its name and
    /// counted once for each list that has it, and that generations and bytes are counted
    /// correctly.
    ///
    /// - Complexity: proportional to what is declared.
    package func checkInvariants() {
        assert(names.count == fields.count, "the tables of names differ in size")
        var used: [FieldID: SIMD4<UInt32>] = [:]
        var counts: [AppID: UInt32] = [:]
        var present: Set<ListGeneration> = []
        var byteCount = 0
        for kind in kinds.ids {
            let list = kinds[kind]
            assert(list.generation <= generation, "kind \(kind) is of a later generation")
            if list.generation != .first { present.insert(list.generation) }
            if list.isEmpty { continue }
            checkList(list)
            byteCount += ByteArena.size(ofBlock: Int(list.listByteCount))
            for (id, uses) in uses(of: list) {
                assert(fields[id].app == list.app, "field \(id) is of another app")
                counts[list.app, default: 0] += 1
                used[id, default: .zero] &+= uses
            }
        }
        assert(
            generations.subtracting([.first]) == present,
            "the generations of the lists in force"
        )
        let children = childCounts(of: Set(used.keys))
        let all = Set(used.keys).union(children.keys)
        assert(all.count == fields.count, "a field is in no list")
        for id in all {
            let field = fields[id]
            let name = unsafe bytes.view(field.name, count: Int(field.nameCount))
            let found = self.field(name, of: field.app, in: field.parent)
            assert(found == id, "field \(id) is not found by its name")
            assert(field.uses == used[id] ?? .zero, "kinds that use field \(id)")
            assert(field.childCount == children[id] ?? 0, "fields in field \(id)")
            assert(field.hasValue || field.childCount > 0, "field \(id) is in no list")
            if field.parent.isNone {
                let isLetIn = filter(field.app) & Self.filterBit(name) != 0
                assert(isLetIn, "the filter stops field \(id)")
            }
            byteCount += ByteArena.size(ofBlock: Int(field.nameCount))
        }
        for app in apps.ids {
            let count = counts[app, default: 0]
            assert(apps[app].fieldCount == count, "fields of app \(app)")
            assert(count > 0 || apps[app].filter == 0, "app \(app) filters no names")
        }
        assert(bytes.usedByteCount == byteCount, "bytes of lists that are gone are kept")
    }

    /// How many fields lie in each of the fields around some.
    private func childCounts(of fields: Set<FieldID>) -> [FieldID: UInt32] {
        var counts: [FieldID: UInt32] = [:]
        var seen = fields
        var rest = Array(fields)
        while let id = rest.popLast() {
            let parent = self.fields[id].parent
            if parent.isNone { continue }
            counts[parent, default: 0] += 1
            if seen.insert(parent).inserted { rest.append(parent) }
        }
        return counts
    }

    /// Asserts that each field of a list is observed or inlined, and is in the list once.
    private func checkList(_ list: KindFields) {
        let count = Int(list.count)
        assert(count <= KindPolicy.fieldLimit, "\(count) fields of one kind")
        assert(list.inlinedCount <= list.count, "\(list.inlinedCount) of \(count) are inlined")
        let all = FieldPositions(first: count)
        assert(list.observed.union(list.inlined) == all, "a field is neither observed nor inlined")
        let distinct = Set((0..<count).map { field(at: $0, of: list) })
        assert(distinct.count == count, "a field is in the list twice")
        var keyBytes = 0
        for position in 0..<Int(list.inlinedCount) { keyBytes += key(at: position, of: list).count }
        assert(list.keyCount <= Self.keyFieldLimit, "\(list.keyCount) fields of a key")
        let byteCount = uses(of: list).count * 4 + Int(list.inlinedCount) * 2 + keyBytes
        assert(byteCount == Int(list.listByteCount), "\(byteCount) bytes in the list")
    }
}
