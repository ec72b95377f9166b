internal import DataStructures
package import ReloadModel

/// What was decided for a widget, when and why.
package struct Decision: Equatable, BitwiseCopyable, Sendable {
    /// Wall time in ms.
    package var at: Int64
    /// Until when the reload waits, if it does and the time is known; wall time in ms.
    package var until: Int64?
    package var widget: UInt32
    package var reason: DecisionReason
    package var cause: ReloadCause

    package init(
        at: Int64,
        until: Int64? = nil,
        widget: UInt32,
        reason: DecisionReason,
        cause: ReloadCause
    ) {
        self.at = at
        self.until = until
        self.widget = widget
        self.reason = reason
        self.cause = cause
    }
}

/// The last decisions of each device.
///
///     cursors, by device    entries: perDevice of them for each device
///     [ 3  0  11 … ]        [ device 0: e e e . ][ device 1: . . . . ][ device 2: e e e e ] …
///
/// Devices have small numbers, which are used again: so a device's entries lie at its number, and an
/// addition waits for no table. 2 + 16 · `perDevice` bytes a device, none for devices that have no
/// decisions, nor have those with numbers near theirs. All calls are constant time, and nothing is
/// allocated but for the first decisions of some thousand devices.
///
/// An entry has 16 bytes, which decides how precise it is: `at` to the millisecond and `until` in
/// whole seconds, rounded up so that it is not promised too early. Both are from 1970 to 2106, and
/// what lies outside is moved to the border.
package struct DecisionLog: ~Copyable {
    /// Most decisions that are kept of a device.
    package static var perDeviceLimit: Int { 32_767 }

    private let perDevice: UInt32
    /// Decisions ever, below `perDevice`; from there on between it and its double.
    private var cursors = SparseTable<UInt16>(filling: 0)
    private var entries = SparseTable<PackedDecision>(filling: nil)

    /// A log that keeps up to `perDevice` decisions of each device, from 0 to `perDeviceLimit`.
    package init(perDevice: Int = 8) {
        precondition(
            (0...Self.perDeviceLimit).contains(perDevice),
            "a device has from 0 to \(Self.perDeviceLimit) decisions, not \(perDevice)"
        )
        self.perDevice = UInt32(perDevice)
    }

    /// Adds a decision; the device's oldest makes room.
    package mutating func append(_ device: UInt32, _ decision: Decision) {
        if perDevice == 0 { return }
        let cursor = cursors.has(device) ? UInt32(cursors[device]) : 0
        // Traps beyond 2^32 entries: 64 GiB of them.
        entries[place(of: device, cursor)] = PackedDecision(decision)
        cursors[device] = UInt16(cursor + 1 < 2 * perDevice ? cursor + 1 : perDevice)
    }

    /// Starts to bring close what says where the device's next decision goes.
    @inline(__always)
    package func prefetchCursor(_ device: UInt32) {
        cursors.prefetch(device)
    }

    /// Starts to bring that place close.
    package func prefetch(_ device: UInt32) {
        if cursors.has(device) { entries.prefetch(place(of: device, UInt32(cursors[device]))) }
    }

    private func place(of device: UInt32, _ cursor: UInt32) -> UInt32 {
        device * perDevice + (cursor < perDevice ? cursor : cursor - perDevice)
    }

    /// Hands out the device's decisions, oldest first.
    package func forEach(_ device: UInt32, _ body: (Decision) -> Void) {
        if !cursors.has(device) { return }
        let cursor = UInt32(cursors[device])
        for position in cursor - min(cursor, perDevice)..<cursor {
            body(entries[device * perDevice + position % perDevice].decision)
        }
    }

    /// Drops the device's decisions: the number may become another device's.
    package mutating func forget(_ device: UInt32) {
        if cursors.has(device) { cursors[device] = 0 }
    }

    /// Bytes held from the system, used or not.
    package var byteCount: Int { cursors.byteCount + entries.byteCount }
}

/// A decision in 16 bytes. (Not private: Swift 6.3.1 fails on a table of private elements in another
/// module.)
struct PackedDecision: BitwiseCopyable {
    private static var none: UInt32 { .max }

    /// Since 1970.
    private var seconds: UInt32 = 0
    /// Since 1970, or `none`.
    private var untilSeconds = Self.none
    private var widget: UInt32 = 0
    private var milliseconds: UInt16 = 0
    private var reason = DecisionReason.sent
    private var cause = ReloadCause.push

    init(_ decision: Decision) {
        let latest = Int64(UInt32.max) * 1_000 + 999
        let at = min(max(0, decision.at), latest)
        seconds = UInt32(at / 1_000)
        milliseconds = UInt16(at % 1_000)
        if let until = decision.until {
            let whole = until / 1_000 + (until % 1_000 > 0 ? 1 : 0)
            untilSeconds = UInt32(min(max(0, whole), Int64(Self.none) - 1))
        }
        widget = decision.widget
        reason = decision.reason
        cause = decision.cause
    }

    var decision: Decision {
        Decision(
            at: Int64(seconds) * 1_000 + Int64(milliseconds),
            until: untilSeconds == Self.none ? nil : Int64(untilSeconds) * 1_000,
            widget: widget,
            reason: reason,
            cause: cause
        )
    }
}
