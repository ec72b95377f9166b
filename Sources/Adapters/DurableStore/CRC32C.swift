internal import DataStructures

/// The checksum of RocksDB's write-ahead log: CRC-32C (Castagnoli), eight bytes at a step by tables
/// (Kounavis and Berry, "slicing by 8", 2005).
struct CRC32C {
    /// `tables[k * 256 + b]`: what byte `b` contributes with `k` more bytes behind it.
    private let tables: [UInt32]

    init() {
        var tables = [UInt32](repeating: 0, count: 8 * 256)
        for byte in 0..<256 {
            var word = UInt32(byte)
            for _ in 0..<8 { word = word & 1 == 0 ? word >> 1 : word >> 1 ^ 0x82f6_3b78 }
            tables[byte] = word
        }
        for index in 256..<tables.count {
            let before = tables[index - 256]
            tables[index] = before >> 8 ^ tables[Int(before & 0xff)]
        }
        self.tables = tables
    }

    func checksum(_ bytes: ByteView) -> UInt32 {
        unsafe tables.withUnsafeBufferPointer { tables in
            var state = UInt32.max
            var offset = 0
            while offset + 8 <= bytes.count {
                let word = UInt64(littleEndian: bytes.word(at: offset)) ^ UInt64(state)
                state = 0
                for index in 0..<8 {
                    let byte = Int(truncatingIfNeeded: word >> UInt64(8 * index)) & 0xff
                    state ^= unsafe tables[(7 - index) * 256 + byte]
                }
                offset += 8
            }
            while offset < bytes.count {
                state =
                    unsafe state >> 8
                    ^ tables[Int(UInt8(truncatingIfNeeded: state) ^ bytes[offset])]
                offset += 1
            }
            return ~state
        }
    }

    /// The checksum as the log has it: turned, so that a log within a log is not taken for one.
    func masked(_ bytes: ByteView) -> UInt32 {
        let sum = checksum(bytes)
        return (sum >> 15 | sum << 17) &+ 0xa282_ead8
    }
}
