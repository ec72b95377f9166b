internal import Basics

extension ValueTable {
    /// Asserts that all values are found by their content, and that references and bytes are
    /// counted correctly.
    ///
    /// - Parameter references: how often each value is referred to.
    func checkInvariants(references: [ValueID: Int]) {
        assert(index.count == references.count, "a value is stored without a reference")
        var byteCount = 0
        for (value, count) in references {
            assert(find(self.value(value)) == value, "value \(value) is not found by its content")
            assert(self.references(to: value) == count, "references of value \(value)")
            byteCount += ByteArena.size(ofBlock: Self.header + bytes(of: value).count)
        }
        assert(records.usedByteCount == byteCount, "bytes of values that are gone are kept")
    }
}
