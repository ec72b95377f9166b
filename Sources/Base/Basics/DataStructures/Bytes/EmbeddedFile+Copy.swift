package import CIntrinsics

extension EmbeddedFile {
    /// A copy of the bytes.
    package var copy: [UInt8] { unsafe Array(UnsafeBufferPointer(start: bytes, count: count)) }
}
