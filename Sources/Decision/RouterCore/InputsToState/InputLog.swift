internal import Basics
internal import StoreFormat

/// The encoded inputs since the driver (see `Router`) took the last ones, in memory that is reused.
///
/// Nothing is encoded unless the log is on, because only a store or a replica reads it.
struct InputLog: ~Copyable {
    /// Whether inputs are encoded.
    private(set) var isOn = false
    private var writer = StoreWriter()
    /// The time of the last clock input since `clear`; nil if there was none.
    private var clock: Instant?

    /// The most memory, in bytes, that `clear` keeps.
    private static var keptByteCount: Int { 1 << 20 }

    var bytes: ByteView { writer.bytes }
    var byteCount: Int { writer.count }
    var isEmpty: Bool { writer.isEmpty }

    /// Turns the log on.
    mutating func start() { isOn = true }

    /// Adds an input; before it, a clock input if the time differs from the last one.
    @inline(__always)
    mutating func append(_ input: borrowing RouterInput, at time: StateClock) {
        if isOn { write(input, at: time) }
    }

    @inline(never)
    private mutating func write(_ input: borrowing RouterInput, at time: StateClock) {
        assert(isOn, "the log is off")
        if clock != time.now {
            clock = time.now
            RouterInput.clock(time.now, time.schedule).write(to: &writer)
        }
        input.write(to: &writer)
    }

    /// Removes all inputs; the next one will follow a clock input.
    mutating func clear() {
        writer.clear()
        if writer.capacity > Self.keptByteCount { writer = StoreWriter() }
        clock = nil
    }
}
