internal import Basics
internal import StoreFormat

// Arrays of 32-bit numbers are stored as they lie in memory: ten million take one copy.
#if _endian(big)
#error("what lies in memory is not little-endian, as the store is")
#endif

extension StoreWriter {
    /// Writes 32-bit numbers one after the other.
    mutating func put<Number: TableNumber>(numbers: Span<Number>) where Number.RawValue == UInt32 {
        if numbers.isEmpty { return }
        let bytes = unsafe numbers.bytes
        let destination = unsafe extend(bytes.byteCount)
        unsafe bytes.withUnsafeBytes { bytes in
            let source = unsafe bytes.baseAddress.unsafelyUnwrapped
            unsafe destination.copyMemory(from: source, byteCount: bytes.count)
        }
    }
}

extension StoreReader {
    /// Reads `count` 32-bit numbers.
    mutating func read<Number: TableNumber>(
        numbers count: Int
    ) throws(StoreError) -> ContiguousArray<Number> where Number.RawValue == UInt32 {
        let bytes = try read(raw: count * 4)
        return unsafe ContiguousArray(unsafeUninitializedCapacity: count) { numbers, filled in
            if let base = numbers.baseAddress { unsafe bytes.copy(to: base) }
            filled = count
        }
    }
}

extension Block where Element == UInt32 {
    /// Writes the numbers one after the other.
    @inline(__always)
    func write(to writer: inout StoreWriter) {
        guard let elements = unsafe elements else { return }
        unsafe writer.put(raw: ByteView(base: elements, count: Int(count) * 4))
    }

    /// Reads `count` numbers.
    @inline(__always)
    init(reading reader: inout StoreReader, count: UInt32) throws(StoreError) {
        let bytes = try reader.read(raw: Int(count) * 4)
        unsafe self.init(copying: bytes.address, count: count)
    }
}
