/// Why a widget reloads, or does not yet, or not at all: the closed list.
package enum DecisionReason: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    /// A RELOAD was sent.
    case sent
    /// The timeline's next reload was given its date.
    case scheduled
    /// The push leaves everything that the kind shows as it was.
    case unchanged
    /// Waits for the storm of pushes to end.
    case debounced
    /// Waits because the instance was reloaded a moment ago.
    case spacing
    /// Waits because the instance's budget is spent.
    case budget
    /// Waits for its turn at the origin; until when at most, as the queue is.
    case spread
    /// A reload that is pending already covers it.
    case coalesced
    /// The push was void before the reload could be sent.
    case expired
    /// Another reload, or a newer timeline, has taken its place.
    case superseded
    /// Waits for a session of the device.
    case offline
    /// Waits because the device asks for a reload after every reload.
    case loop
    /// The device reloaded the widget by itself.
    case done
    /// The widget was removed, or shows something else now.
    case removed

    /// The name in explanations, as `protocol/protocol.json` lists it.
    package var name: String { "\(self)" }
}
