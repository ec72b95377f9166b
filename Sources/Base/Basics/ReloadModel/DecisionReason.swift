/// Why a widget reloads, reloads later, or does not reload. The list is closed and equals that of
/// `protocol/protocol.json`.
package enum DecisionReason: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    /// A RELOAD was sent.
    case sent
    /// The time of the timeline's next reload is set.
    case scheduled
    /// The push leaves all fields that the kind observes as they were.
    case unchanged
    /// Waits until pushes for the widget have paused for the debounce window.
    case debounced
    /// Waits because the widget was reloaded a moment ago.
    case spacing
    /// Waits because the widget's budget is spent.
    case budget
    /// Waits for a permit at the origin; the time reported with it is the latest at which the
    /// present queue will have been served.
    case spread
    /// Joins a reload that is waiting already.
    case coalesced
    /// The push expired before the reload could be sent.
    case expired
    /// Another reload, or a newer timeline, has replaced the request.
    case superseded
    /// Waits for a session of the device.
    case offline
    /// Waits because the device has asked for a reload after every reload.
    case loop
    /// The device has reloaded the widget on its own.
    case done
    /// The widget was removed, or its configuration changed.
    case removed
    /// A push was given to APNs: all of the app's widgets on the device reload, the kinds that it
    /// names, or one control.
    case apns
    /// Waits because the device's session has just ended, and it may begin another one.
    case grace
    /// Waits because the device has had its pushes of the day.
    case cap
    /// Waits because APNs wants the push to be repeated later.
    case retry
    /// The push is older than another one of its key (`newest` of the kind).
    case outdated

    /// The name in explanations, as `protocol/protocol.json` lists it.
    package var name: String { "\(self)" }
}
