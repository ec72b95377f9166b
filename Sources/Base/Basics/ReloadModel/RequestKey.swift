/// What a publisher over HTTP calls a request by, so that its pushes count once, however often it
/// is sent.
///
/// Bits of SHA-256, which the listener computes: of the app's name with what the publisher has
/// written, and of what the request says. They are stored in place of the texts, which may be long.
/// Among the keys that a router keeps, two have the same 96 bits with a probability below 2^-56.
@frozen @usableFromInline
package struct RequestKey: Hashable, BitwiseCopyable, Sendable {
    /// The first 64 bits of its name.
    @usableFromInline package let high: UInt64
    /// The next 32 bits of its name.
    @usableFromInline package let low: UInt32
    /// 24 bits of what the request says: a request with the same name and others is another one.
    @usableFromInline package let content: UInt32

    /// Makes a key from the bits of its name and of what the request says, of which the lower 24
    /// count.
    @inlinable
    package init(high: UInt64, low: UInt32, content: UInt32) {
        self.high = high
        self.low = low
        self.content = content & 0xff_ffff
    }

    /// Whether both keys have the same name, whatever their requests say.
    @inlinable
    package func hasName(of other: RequestKey) -> Bool { high == other.high && low == other.low }
}
