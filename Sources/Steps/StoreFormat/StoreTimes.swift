public import Basics

// Times as numbers: 8 bytes little-endian, or a signed varint.

extension StoreWriter {
    /// Appends a time as 8 bytes.
    @inlinable @inline(__always)
    package mutating func put(_ time: some ClockTime) { put(time.rawValue) }

    /// Appends a length of time as 8 bytes.
    @inlinable @inline(__always)
    package mutating func put(_ length: Milliseconds) { put(length.rawValue) }

    /// Appends a time as a signed varint.
    @inlinable @inline(__always)
    package mutating func put(signed time: some ClockTime) { put(signed: time.rawValue) }
}

extension StoreReader {
    /// Reads a time of 8 bytes.
    @inlinable @inline(__always)
    package mutating func read<Time: ClockTime>(_ type: Time.Type) throws(StoreError) -> Time {
        Time(rawValue: try read(Int64.self))
    }

    /// Reads a length of time of 8 bytes.
    @inlinable @inline(__always)
    package mutating func read(_ type: Milliseconds.Type) throws(StoreError) -> Milliseconds {
        Milliseconds(rawValue: try read(Int64.self))
    }

    /// Reads a time that is a signed varint.
    @inlinable @inline(__always)
    package mutating func readSigned<Time: ClockTime>(
        _ type: Time.Type
    ) throws(StoreError) -> Time {
        Time(rawValue: try readSigned())
    }
}
