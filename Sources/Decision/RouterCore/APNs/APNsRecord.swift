internal import Basics
internal import ReloadScheduling
internal import StoreFormat

/// The state's record of the pushes to a device by APNs.
///
///     a reload is ready, no session ─► under way ──accepted───────────► done
///                                          ├─────to be repeated ───────► owed again, after a pause
///                                          └─────the token is dead ────► another channel, or none
///
/// One push at most is under way for a device: Apple keeps one that is not delivered, and a second
/// one replaces it.
struct APNsRecord: BitwiseCopyable {
    /// The record of a device to which nothing was pushed.
    static var empty: APNsRecord { APNsRecord() }

    /// Flag: APNs has said that the widgets' token is dead.
    static var dead: UInt8 { 1 }
    /// Flag: APNs has refused the widgets' token, as one that was never valid for the app.
    static var refused: UInt8 { 2 }
    /// Flag: the push that is under way repeats one of which nothing was heard.
    static var repeating: UInt8 { 4 }
    /// Flag: nothing was heard of the last push, so the next one repeats it.
    static var unheard: UInt8 { 8 }
    /// Flag: the device's own session has ended at `detachedAt`, and it may still begin another
    /// one: a timer runs for its first widget.
    static var grace: UInt8 { 16 }
    /// Flag: APNs reaches one of the device's controls.
    static var controls: UInt8 { 32 }
    /// Flag: APNs reaches only the device's controls.
    static var onlyControls: UInt8 { 64 }
    /// Flag: APNs has called a token dead as of a time before the device has given it.
    static var doubted: UInt8 { 128 }

    /// Flag of `trial`: the service that is used is not the one that the device reports.
    static var corrected: UInt8 { 1 }
    /// Flag of `trial`: the tokens that the device has now were tried at the other service.
    static var tried: UInt8 { 2 }

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
    /// When the device last gave its tokens.
    var registeredAt = WallTime.zero
    /// When the last background pushes were made, the latest first; 0 for none.
    var backgroundTimes = InlineArray<3, MonotonicTime>(repeating: .zero)
    /// The control that the last push reloads; `none` if it was of another channel.
    var control = WidgetID.none
    /// How the last push goes.
    var channel = APNsChannel.widgets
    /// How many kills of the router in a row have ended the push that is repeated, or is to be.
    var kills: UInt8 = 0
    var flags: UInt8 = 0
    /// What is known of the service that the tokens are for, apart from what the device reports.
    var trial: UInt8 = 0
    /// Why no push goes to the widgets' token, with one of the flags `dead` and `refused`.
    var tokenEnd = TokenEnd.none

    /// Whether a flag is set.
    @inline(__always)
    func has(_ flag: UInt8) -> Bool { flags & flag != 0 }

    /// Whether the widgets' token is of no use until the device registers one.
    var isTokenDead: Bool { flags & (Self.dead | Self.refused) != 0 }

    /// Counts a background push.
    mutating func backgroundPushed(at time: MonotonicTime) {
        for index in (1..<backgroundTimes.count).reversed() {
            backgroundTimes[index] = backgroundTimes[index - 1]
        }
        backgroundTimes[0] = max(MonotonicTime(rawValue: 1), time)
    }

    /// When another background push may be made, if an hour may have `limit` of them.
    func nextBackgroundPush(limit: Int) -> MonotonicTime {
        let last = backgroundTimes[min(limit, backgroundTimes.count) - 1]
        return last == .zero ? .zero : last + .hours(1)
    }

    /// What APNs has said of the widgets' token.
    var tokenState: StoredToken.State {
        get { has(Self.dead) ? .dead : has(Self.refused) ? .refused : .good }
        set {
            flags &= ~(Self.dead | Self.refused)
            switch newValue {
            case .good: break
            case .dead: flags |= Self.dead
            case .refused: flags |= Self.refused
            }
        }
    }
}

extension APNsRecord: StateElement {
    static var storedByteCount: Int { 103 + TokenEnd.storedByteCount }
    /// Where `trial` begins in the byte of the channel.
    private static var trialShift: UInt8 { 4 }

    func write(to writer: inout StoreWriter) {
        budget.write(to: &writer)
        writer.put(number)
        writer.put(settled)
        writer.put(pausedUntil)
        writer.put(detachedAt)
        writer.put(registeredAt)
        for index in backgroundTimes.indices { writer.put(backgroundTimes[index]) }
        writer.put(control.rawValue)
        writer.put(channel.rawValue | trial << Self.trialShift)
        writer.put(kills)
        writer.put(flags)
        tokenEnd.write(to: &writer)
    }

    mutating func read(_ reader: inout StoreReader) throws(StoreError) {
        budget = try ReloadBudget(reading: &reader)
        number = try reader.read(UInt64.self)
        settled = try reader.read(UInt64.self)
        pausedUntil = try reader.read(MonotonicTime.self)
        detachedAt = try reader.read(MonotonicTime.self)
        registeredAt = try reader.read(WallTime.self)
        for index in backgroundTimes.indices {
            backgroundTimes[index] = try reader.read(MonotonicTime.self)
        }
        control = WidgetID(rawValue: try reader.read(UInt32.self))
        let byte = try reader.read(UInt8.self)
        trial = byte >> Self.trialShift
        guard let channel = APNsChannel(rawValue: byte & (1 << Self.trialShift - 1)),
            trial <= Self.corrected | Self.tried
        else { throw reader.corrupt("there is no such channel of a push") }
        self.channel = channel
        kills = try reader.read(UInt8.self)
        flags = try reader.read(UInt8.self)
        try tokenEnd.read(&reader)
    }
}
