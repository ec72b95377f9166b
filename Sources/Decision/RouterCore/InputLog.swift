internal import DataStructures
internal import ReloadModel
internal import StoreFormat

/// The inputs since the driver took the last ones, as bytes, in memory that is used again.
///
/// Nothing is encoded unless the log is on: without a store or a replica nothing reads it.
struct InputLog: ~Copyable {
    /// Whether inputs are encoded.
    private(set) var isOn = false
    private var writer = StoreWriter()
    /// The time of the last clock input since `clear`; nil if there was none.
    private var clock: Instant?

    private static var keptByteCount: Int { 1 << 20 }

    var bytes: ByteView { writer.bytes }
    var byteCount: Int { writer.count }
    var isEmpty: Bool { writer.isEmpty }

    mutating func start() { isOn = true }

    /// Adds an input, with the time in front of it if that is another one than before.
    @inline(__always)
    mutating func append(_ input: borrowing RouterInput, at time: StateClock) {
        if isOn { write(input, at: time) }
    }

    @inline(never)
    private mutating func write(_ input: borrowing RouterInput, at time: StateClock) {
        if clock != time.now {
            clock = time.now
            RouterInput.clock(time.now, time.schedule).write(to: &writer)
        }
        input.write(to: &writer)
    }

    mutating func clear() {
        writer.clear()
        if writer.capacity > Self.keptByteCount { writer = StoreWriter() }
        clock = nil
    }
}
