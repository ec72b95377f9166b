internal import ByteStorage

extension ByteView {
    /// Loads a little-endian number, as the store has them.
    @inline(__always)
    func littleEndian<Value: FixedWidthInteger & BitwiseCopyable>(
        _ type: Value.Type,
        at offset: Int
    ) -> Value {
        assert(offset >= 0 && offset + MemoryLayout<Value>.size <= count)
        return unsafe Value(
            littleEndian: address.loadUnaligned(fromByteOffset: offset, as: type)
        )
    }
}
