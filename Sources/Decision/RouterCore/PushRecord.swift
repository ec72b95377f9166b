internal import ReloadModel
internal import ReloadScheduling
internal import StoreFormat
internal import Times

/// The state's record of the pushes to a device by APNs.
///
///     a reload is ready, no session ─► under way ──accepted───────────► done
///                                          ├─────to be repeated ───────► owed again, after a pause
///                                          └─────the token is dead ────► no push any more
///
/// One push at most is under way for a device: Apple keeps one that is not delivered, and a second
/// one replaces it.
struct PushRecord: BitwiseCopyable {
    /// The record of a device to which nothing was pushed.
    static var empty: PushRecord { PushRecord() }

    /// Flag: APNs has said that the token is dead.
    static var dead: UInt8 { 1 }
    /// Flag: APNs has refused the token, as one that was never valid for the app.
    static var refused: UInt8 { 2 }
    /// Flag: the push that is under way repeats one of which nothing was heard.
    static var repeating: UInt8 { 4 }
    /// Flag: nothing was heard of the last push, so the next one repeats it.
    static var unheard: UInt8 { 8 }
    /// Flag: the device's own session has ended at `detachedAt`, and it may still begin another
    /// one: a timer runs for its first widget.
    static var grace: UInt8 { 16 }

    /// The pushes of the last 24 hours.
    var budget = ReloadBudget(now: .zero, phase: .zero)
    /// The number of the last push, which a RELOAD would have had; 0 for none.
    var number: UInt64 = 0
    /// The last number that needs no repetition: of a push that was accepted or given up. A RELOAD
    /// or push with a number up to this one is not pushed again.
    var settled: UInt64 = 0
    /// No push is made before.
    var pausedUntil = MonotonicTime.zero
    /// When the device's own session has ended; see `grace`.
    var detachedAt = MonotonicTime.zero
    /// When the device last gave the token.
    var registeredAt = WallTime.zero
    var flags: UInt8 = 0

    /// Whether a flag is set.
    @inline(__always)
    func has(_ flag: UInt8) -> Bool { flags & flag != 0 }

    /// Whether the token is of no use until the device registers one.
    var isTokenDead: Bool { flags & (Self.dead | Self.refused) != 0 }
}

extension PushRecord: StateElement {
    static var storedByteCount: Int { 73 }

    func write(to writer: inout StoreWriter) {
        budget.write(to: &writer)
        writer.put(number)
        writer.put(settled)
        writer.put(pausedUntil)
        writer.put(detachedAt)
        writer.put(registeredAt)
        writer.put(flags)
    }

    mutating func read(_ reader: inout StoreReader) throws(StoreError) {
        budget = try ReloadBudget(reading: &reader)
        number = try reader.read(UInt64.self)
        settled = try reader.read(UInt64.self)
        pausedUntil = try reader.read(MonotonicTime.self)
        detachedAt = try reader.read(MonotonicTime.self)
        registeredAt = try reader.read(WallTime.self)
        flags = try reader.read(UInt8.self)
    }
}
