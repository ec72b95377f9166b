internal import Basics

extension NameTable {
    /// Asserts that the hash table and `names` have the same names, that each is found by its
    /// bytes, and that references and bytes are counted correctly.
    ///
    /// - Parameter references: how often each name is referred to.
    func checkInvariants(references: [NameID: Int]) {
        table.checkInvariants()
        assert(table.count == names.count, "the tables of names differ in size")
        assert(references.count == names.count, "a name is stored without a reference")
        var byteCount = 0
        for id in names.ids where names.isInUse(id) {
            let name = names[id]
            assert(Int(name.references) == references[id], "references of name \(id)")
            assert(find(bytes(of: id)) == id, "name \(id) is not found by its bytes")
            byteCount += ByteArena.size(ofBlock: Int(name.length))
        }
        assert(bytes.usedByteCount == byteCount, "bytes of names that are gone are kept")
    }
}
