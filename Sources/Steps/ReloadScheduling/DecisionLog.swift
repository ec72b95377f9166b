package import Basics

/// One decision about a reload of a widget: what was decided, when and why.
package struct Decision: Equatable, BitwiseCopyable, Sendable {
    /// When it was decided.
    package var at: WallTime
    /// When the reload's wait ends, nil if it does not wait or the end is not known.
    package var until: WallTime?
    /// The number of the widget that the decision is about; `none` if that was removed since.
    package var widget: WidgetID
    /// Why the widget reloads, reloads later, or does not reload.
    package var reason: DecisionReason
    /// What asked for the reload.
    package var cause: ReloadCause
    /// The push that was being applied to the widget; `none` if the decision was made at another
    /// time, such as the end of a wait.
    package var push: PushMark

    /// Makes a decision.
    package init(
        at: WallTime,
        until: WallTime? = nil,
        widget: WidgetID,
        reason: DecisionReason,
        cause: ReloadCause,
        push: PushMark = .none
    ) {
        self.at = at
        self.until = until
        self.widget = widget
        self.reason = reason
        self.cause = cause
        self.push = push
    }
}

/// What decisions keep of the fan-out number of the push that they were made for: 8,191 pushes in
/// succession have different marks.
package struct PushMark: Equatable, BitwiseCopyable, Sendable {
    /// Stands for no push.
    package static var none: PushMark { PushMark(bits: 0) }
    /// How many bits a mark has.
    static var bitCount: UInt32 { 13 }
    /// How many marks there are.
    static var count: UInt64 { 1 << UInt64(bitCount) - 1 }

    fileprivate let bits: UInt16

    fileprivate init(bits: UInt16) { self.bits = bits }

    /// Makes the mark of the push with a fan-out number.
    @inline(__always)
    package init(ofPush number: UInt64) {
        bits = UInt16(truncatingIfNeeded: number % Self.count) + 1
    }

    /// How many pushes ago the last one was that has the other mark.
    func distance(from other: PushMark) -> UInt16 {
        bits >= other.bits ? bits - other.bits : bits + UInt16(Self.count) - other.bits
    }
}

/// The most recent decisions of each device, kept to explain why a widget was or was not reloaded.
///
///     cursors, by device    entries: perDevice of them for each device
///     [ 3  0  11 … ]        [ device 0: e e e . ][ device 1: . . . . ][ device 2: e e e e ] …
///
/// Device numbers are small and are reused, so a device's entries lie at an index computed from its
/// number, and no table is searched. A device takes 2 + 16 · `perDevice` bytes. Memory is allocated
/// in chunks of neighbouring numbers: where no device has decisions, none is used. All calls
/// allocate nothing, except for the first decision in a chunk; those that append or forget a device
/// take constant time.
///
/// An entry has 16 bytes, which limits its precision: `at` is kept to the millisecond, and `until`
/// in whole seconds, rounded up so that the time shown is never too early. Both are clamped to the
/// years 1970 to 2106.
package struct DecisionLog: ~Copyable {
    /// The most decisions that a log can keep of each device.
    package static var perDeviceLimit: Int { 32_767 }

    /// The most decisions kept of each device.
    private let perDevice: UInt32
    /// The next index to write, by device: counts from 0 to `perDevice` while the entries fill, and
    /// then cycles through `perDevice` ..< 2 · `perDevice`.
    private var cursors = SparseTable<DeviceID, UInt16>(filling: 0)
    private var entries = unsafe SparseTable<DecisionEntryID, PackedDecision>(uninitialized: ())

    /// Makes a log that keeps up to `perDevice` decisions of each device, from 0 to
    /// `perDeviceLimit`.
    package init(perDevice: Int = 8) {
        precondition(
            (0...Self.perDeviceLimit).contains(perDevice),
            "a device has from 0 to \(Self.perDeviceLimit) decisions, not \(perDevice)"
        )
        self.perDevice = UInt32(perDevice)
    }

    /// Records a decision; the device's oldest one is overwritten when its entries are full.
    package mutating func append(_ device: DeviceID, decision: Decision) {
        if perDevice == 0 { return }
        let cursor = cursors.has(device) ? UInt32(cursors[device]) : 0
        // Traps beyond 2^32 entries, which would be 64 GiB.
        entries[entryID(of: device, at: cursor)] = PackedDecision(decision)
        cursors[device] = UInt16(cursor + 1 < 2 * perDevice ? cursor + 1 : perDevice)
    }

    /// Prefetches the device's cursor; call it some time before `prefetch`.
    @inline(__always)
    package func prefetchCursor(_ device: DeviceID) { cursors.prefetch(device) }

    /// Prefetches the entry that the device's next decision goes to.
    package func prefetch(_ device: DeviceID) {
        if cursors.has(device) {
            entries.prefetch(entryID(of: device, at: UInt32(cursors[device])))
        }
    }

    /// The place in `entries` to which a device's cursor points.
    private func entryID(of device: DeviceID, at cursor: UInt32) -> DecisionEntryID {
        assert(cursor < 2 * perDevice, "a cursor is beyond the device's entries")
        let position = cursor < perDevice ? cursor : cursor - perDevice
        return DecisionEntryID(rawValue: device.rawValue * perDevice + position)
    }

    /// Calls `body` with each decision kept for the device, oldest first.
    package func forEach(_ device: DeviceID, body: (Decision) -> Void) {
        if !cursors.has(device) { return }
        let cursor = UInt32(cursors[device])
        for position in cursor - min(cursor, perDevice)..<cursor {
            body(entries[entryID(of: device, at: position)].decision)
        }
    }

    /// Whether as many decisions are kept for the device as can be: older ones may be missing.
    package func isFull(_ device: DeviceID) -> Bool {
        perDevice == 0 || (cursors.has(device) && UInt32(cursors[device]) >= perDevice)
    }

    /// Drops the device's decisions, because its number may be given to another device.
    package mutating func forget(_ device: DeviceID) {
        if cursors.has(device) { cursors[device] = 0 }
    }

    /// Makes the decisions on a widget of the device those of no widget, because its number may be
    /// given to another widget.
    package mutating func forget(_ widget: WidgetID, of device: DeviceID) {
        if !cursors.has(device) { return }
        for position in 0..<min(UInt32(cursors[device]), perDevice) {
            let entry = entryID(of: device, at: position)
            if entries[entry].widget == widget { entries[entry].widget = .none }
        }
    }

    /// Bytes allocated from the system, used or not.
    package var byteCount: Int { cursors.byteCount + entries.byteCount }
}

/// The place of a decision in the table of all devices' decisions.
struct DecisionEntryID: TableNumber {
    let rawValue: UInt32
}

/// A decision packed into 16 bytes.
///
/// It is not private, because the compiler of Swift 6.3.1 fails on a table of another module whose
/// elements have a private type.
struct PackedDecision: BitwiseCopyable {
    /// Stands for a time that is nil.
    private static var none: UInt32 { .max }

    /// The time of the decision, in whole seconds since 1970; `milliseconds` has the rest.
    private var seconds: UInt32 = 0
    /// When the wait ends, in seconds since 1970; `none` if `Decision.until` is nil.
    private var untilSeconds = Self.none
    /// The widget; `none` if it was removed.
    fileprivate(set) var widget = WidgetID.first
    /// What is left of the decision:
    ///
    ///     milliseconds beyond `seconds`: 10 │ reason: 5 │ cause: 4 │ push: 13
    private var rest: UInt32 = 0

    init(_ decision: Decision) {
        let latest = Int64(UInt32.max) * 1_000 + 999
        let at = min(max(0, decision.at.rawValue), latest)
        seconds = UInt32(at / 1_000)
        if let until = decision.until?.rawValue {
            let whole = until / 1_000 + (until % 1_000 > 0 ? 1 : 0)
            untilSeconds = UInt32(min(max(0, whole), Int64(Self.none) - 1))
        }
        widget = decision.widget
        assert(decision.reason.rawValue < 32, "a reason has more than 5 bits")
        rest =
            UInt32(at % 1_000) << 22 | UInt32(decision.reason.rawValue) << 17
            | UInt32(decision.cause.storedNumber) << PushMark.bitCount | UInt32(decision.push.bits)
    }

    var decision: Decision {
        Decision(
            at: WallTime(rawValue: Int64(seconds) * 1_000 + Int64(rest >> 22)),
            until: untilSeconds == Self.none
                ? nil : WallTime(rawValue: Int64(untilSeconds) * 1_000),
            widget: widget,
            reason: DecisionReason(rawValue: UInt8(rest >> 17 & 31))!,
            cause: ReloadCause(storedNumber: UInt8(rest >> PushMark.bitCount & 15))!,
            push: PushMark(bits: UInt16(rest & (1 << PushMark.bitCount - 1)))
        )
    }
}
