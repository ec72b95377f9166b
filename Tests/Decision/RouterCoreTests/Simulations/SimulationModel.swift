import Basics
import Testing

/// The router as simply as it can be said: which widgets are owed a RELOAD, and by which session.
///
/// No index, no queues, no chains: every question is answered by looking at everything.
struct SimulationModel {
    struct Widget: Equatable {
        var kind: String
        var family: String
        var character: String
        /// A cause has come that no RELOAD has followed yet.
        var isPending = false
        /// It is pending only because a new session gets its last RELOAD again.
        var isRepetition = false
        /// Pushes that found it pending: if they are matched in portions, the RELOAD may go out in
        /// front of a portion that makes the widget pending once more.
        var repeats = 0
        /// The RELOAD that no TIMELINE has named yet.
        var unanswered: UInt64?
    }

    struct Device {
        var widgets: [String: Widget] = [:]
        /// The session that speaks for the device, as a number that is never used again.
        var session: Int?
    }

    struct Session {
        var slot: ConnectionSlot
        /// The device of a device's session; nil for a gateway.
        var device: String?
        var isWritable = true
        var hasFailed = false
    }

    var devices: [String: Device] = [:]
    var sessions: [Int: Session] = [:]
    /// Sessions that the router must end.
    var expectedFailures: [ConnectionSlot] = []

    func session(of slot: ConnectionSlot) -> Int? {
        sessions.first { $0.value.slot == slot }?.key
    }

    // MARK: - What happens

    /// A push arrives.
    ///
    /// - Returns: how many widgets it matches.
    mutating func push(_ character: String, kinds: [String]?) -> UInt32 {
        var count: UInt32 = 0
        for (name, device) in devices {
            for (id, widget) in device.widgets
            where widget.character == character && kinds?.contains(widget.kind) != false {
                if widget.isPending { devices[name]!.widgets[id]!.repeats += 1 }
                devices[name]!.widgets[id]!.isPending = true
                devices[name]!.widgets[id]!.isRepetition = false
                count += 1
            }
        }
        return count
    }

    mutating func request(_ name: String, kind: String?) {
        for (id, widget) in devices[name]!.widgets where kind == nil || widget.kind == kind {
            devices[name]!.widgets[id]!.isPending = true
            devices[name]!.widgets[id]!.isRepetition = false
        }
    }

    /// Another session speaks for a device: what the device has not answered is pending again, and
    /// a device's own session is ended.
    mutating func attach(_ name: String, to session: Int) {
        guard let former = devices[name]?.session, former != session else {
            if devices[name]?.session == nil { moved(name, to: session) }
            return
        }
        if let record = sessions[former], record.device != nil, !record.hasFailed {
            sessions[former]!.hasFailed = true
            expectedFailures.append(record.slot)
        }
        moved(name, to: session)
    }

    private mutating func moved(_ name: String, to session: Int) {
        guard devices[name] != nil else { return }
        devices[name]!.session = session
        for (id, widget) in devices[name]!.widgets where widget.unanswered != nil {
            if !widget.isPending { devices[name]!.widgets[id]!.isRepetition = true }
            devices[name]!.widgets[id]!.isPending = true
        }
    }

    mutating func replace(_ name: String, _ widgets: [String: Widget]) {
        var next = widgets
        let former = devices[name]?.widgets ?? [:]
        let look: (Widget) -> [String] = { [$0.kind, $0.family] }
        let edited = editedNames(from: former.mapValues(look), to: next.mapValues(look))
        for (formerID, widget) in former {
            guard let id = next[formerID] == nil ? edited[formerID] : formerID else { continue }
            next[id]!.isPending = widget.isPending
            next[id]!.isRepetition = widget.isRepetition
            next[id]!.repeats = widget.repeats
            next[id]!.unanswered = widget.unanswered
        }
        devices[name, default: Device()].widgets = next
    }

    mutating func answer(_ name: String, _ id: String, _ reload: UInt64) {
        if devices[name]!.widgets[id]!.unanswered != reload { return }
        devices[name]!.widgets[id]!.unanswered = nil
        if devices[name]!.widgets[id]!.isRepetition {
            devices[name]!.widgets[id]!.isPending = false
            devices[name]!.widgets[id]!.isRepetition = false
        }
    }

    mutating func closed(_ session: Int) {
        sessions[session] = nil
        for (name, device) in devices where device.session == session {
            devices[name]!.session = nil
        }
    }

    // MARK: - What may be sent

    /// The devices that must get a RELOAD in this step, and the widgets of each.
    var due: [String: Set<String>] {
        var due: [String: Set<String>] = [:]
        for (name, device) in devices where isReachable(device) {
            let pending = device.widgets.filter(\.value.isPending).keys
            if !pending.isEmpty { due[name] = Set(pending) }
        }
        return due
    }

    private func isReachable(_ device: Device) -> Bool {
        guard let session = device.session, let record = sessions[session] else { return false }
        return record.isWritable && !record.hasFailed
    }

    /// All that was sent has been matched: what could be delivered has been.
    mutating func settled() {
        for (name, device) in devices where isReachable(device) {
            for id in device.widgets.keys { devices[name]!.widgets[id]!.repeats = 0 }
        }
    }

    /// Checks one RELOAD and takes it down.
    ///
    /// - Parameters:
    ///   - reload: what was sent.
    ///   - isPortion: whether pushes are matched in portions, so that the rest of what is due may
    ///     come later.
    /// - Returns: what is wrong with it, or nil.
    mutating func sent(_ reload: SentReload, isPortion: Bool) -> String? {
        guard isReachable(devices[reload.device]!) else { return "\(reload) was not due" }
        let due = due[reload.device] ?? []
        let named = Set(reload.widgets)
        let repeated = devices[reload.device]!.widgets.filter { $0.value.repeats > 0 }.keys
        let isRight = isPortion ? named.isSubset(of: due.union(repeated)) : named == due
        guard isRight, !named.isEmpty, named.count == reload.widgets.count else {
            return "\(reload) should name \(due.sorted())"
        }
        let device = devices[reload.device]!
        if sessions[device.session!]!.slot != reload.slot { return "\(reload) went elsewhere" }
        let kinds = Set(reload.widgets.map { device.widgets[$0]!.kind })
        if kinds != Set(reload.kinds) || kinds.count != reload.kinds.count {
            return "\(reload) should name the kinds \(kinds)"
        }
        for id in reload.widgets {
            if !device.widgets[id]!.isPending { devices[reload.device]!.widgets[id]!.repeats -= 1 }
            devices[reload.device]!.widgets[id]!.isPending = false
            devices[reload.device]!.widgets[id]!.isRepetition = false
            devices[reload.device]!.widgets[id]!.unanswered = reload.seq
        }
        return nil
    }
}
