internal import CIntrinsics

/// Bytes by which clients are let in, such as a token. Their memory is overwritten before it is
/// freed, so that nothing finds them there later: neither a core file nor other code that gets the
/// memory.
///
/// All who have the secret share one memory. A `String` or an array made of it stays in memory, so
/// what judges a secret looks at a view of it instead.
@safe
package final class Secret: Hashable, @unchecked Sendable {
    // Unchecked: the memory is constant from the end of `init` on.

    private let memory: UnsafeMutableRawPointer
    private let capacity: Int
    /// The number of bytes.
    package let count: Int

    /// Makes a secret in its own memory, of at most `capacity` bytes; `fill` writes them, and
    /// returns how many they are.
    @unsafe
    package init(capacity: Int, fill: (UnsafeMutableRawPointer) -> Int) {
        precondition(capacity >= 0, "a secret of \(capacity) bytes")
        self.capacity = capacity
        unsafe memory = .allocate(byteCount: capacity, alignment: 16)
        count = unsafe fill(memory)
        precondition((0...capacity).contains(count), "\(count) bytes in room for \(capacity)")
    }

    /// A copy of some bytes.
    package convenience init(_ bytes: ByteView) {
        unsafe self.init(capacity: bytes.count) { memory in
            unsafe bytes.copy(to: memory)
            return bytes.count
        }
    }

    /// A copy of some bytes, after another one.
    package convenience init(_ first: UInt8, then bytes: ByteView) {
        unsafe self.init(capacity: 1 + bytes.count) { memory in
            unsafe memory.storeBytes(of: first, as: UInt8.self)
            unsafe bytes.copy(to: memory + 1)
            return 1 + bytes.count
        }
    }

    /// A copy of some bytes.
    package convenience init(_ bytes: [UInt8]) {
        unsafe self.init(capacity: bytes.count) { memory in
            bytes.withByteView { unsafe $0.copy(to: memory) }
            return bytes.count
        }
    }

    /// A copy of a text.
    package convenience init(_ text: String) { self.init(Array(text.utf8)) }

    deinit {
        unsafe eraseMemory(memory, byteCount: capacity)
        unsafe memory.deallocate()
    }

    /// Calls `body` with the bytes, of which it must keep nothing.
    package func withByteView<Result, Failure: Error>(
        _ body: (ByteView) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(unsafe ByteView(base: memory, count: count))
    }

    /// A copy of the bytes as text, for those who send it; it is not overwritten.
    package var text: String { withByteView { $0.string } }

    /// Whether both have the same bytes; the time taken depends on their number alone.
    package static func == (left: Secret, right: Secret) -> Bool {
        if left.count != right.count { return false }
        return left.withByteView { left in
            right.withByteView { right in
                var difference: UInt8 = 0
                for offset in 0..<left.count { difference |= left[offset] ^ right[offset] }
                return difference == 0
            }
        }
    }

    /// Feeds the bytes to a hasher, whose key is the process's.
    package func hash(into hasher: inout Hasher) {
        unsafe hasher.combine(bytes: UnsafeRawBufferPointer(start: memory, count: count))
    }
}

extension [UInt8] {
    /// Overwrites the bytes of an array that has held a secret. To be called on the only reference
    /// to it: another one would keep the bytes.
    package mutating func erase() {
        unsafe withUnsafeMutableBytes { bytes in
            if let base = bytes.baseAddress { unsafe eraseMemory(base, byteCount: bytes.count) }
        }
    }
}

/// Overwrites memory that has held a secret.
@unsafe
package func eraseMemory(_ memory: UnsafeMutableRawPointer, byteCount: Int) {
    unsafe intrinsics_erase(memory, byteCount)
}
