internal import DataStructures
internal import ReloadModel

extension FieldCatalog {
    /// Asserts that names, fields, apps and lists agree: that each field is found by its name and
    /// counted once for each list that has it, and that generations and bytes are counted
    /// correctly.
    ///
    /// - Complexity: proportional to what is declared.
    package func checkInvariants() {
        assert(names.count == fields.count, "the tables of names differ in size")
        var observers: [FieldID: UInt32] = [:]
        var inliners: [FieldID: UInt32] = [:]
        var counts: [AppID: UInt32] = [:]
        var present: Set<ListGeneration> = []
        var byteCount = 0
        for kind in kinds.ids {
            let list = kinds[kind]
            assert(list.generation <= generation, "kind \(kind) is of a later generation")
            if list.generation != .first { present.insert(list.generation) }
            if list.count == 0 { continue }
            checkList(list)
            byteCount += ByteArena.size(ofBlock: Int(list.listByteCount))
            counts[list.app, default: 0] += UInt32(list.count)
            for position in 0..<Int(list.count) {
                let id = field(at: position, of: list)
                assert(fields[id].app == list.app, "field \(id) is of another app")
                observers[id, default: 0] += list.observed[position] ? 1 : 0
                inliners[id, default: 0] += list.inlined[position] ? 1 : 0
            }
        }
        assert(
            generations.subtracting([.first]) == present,
            "the generations of the lists in force"
        )
        assert(observers.count == fields.count, "a field is in no list")
        for (id, count) in observers {
            let field = fields[id]
            let name = unsafe bytes.view(field.name, count: Int(field.nameCount))
            assert(self.field(name, of: field.app) == id, "field \(id) is not found by its name")
            assert(field.observerCount == count, "kinds that observe field \(id)")
            assert(field.inlinerCount == inliners[id], "kinds that inline field \(id)")
            assert(filter(field.app) & Self.filterBit(name) != 0, "the filter stops field \(id)")
            byteCount += ByteArena.size(ofBlock: Int(field.nameCount))
        }
        for app in apps.ids {
            let count = counts[app, default: 0]
            assert(apps[app].fieldCount == count, "fields of app \(app)")
            assert(count > 0 || apps[app].filter == 0, "app \(app) filters no names")
        }
        assert(bytes.usedByteCount == byteCount, "bytes of lists that are gone are kept")
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
        let byteCount = count * 4 + Int(list.inlinedCount) * 2 + keyBytes
        assert(byteCount == Int(list.listByteCount), "\(byteCount) bytes in the list")
    }
}
