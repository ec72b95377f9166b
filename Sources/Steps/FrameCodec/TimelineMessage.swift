package import Basics

/// When a timeline asks for the next reload: WidgetKit's `TimelineReloadPolicy`.
package enum TimelinePolicy: Equatable, Sendable, BitwiseCopyable {
    case atEnd
    case never
    /// Not before this date.
    case after(WallTime)
}

/// Why a device made a timeline without a RELOAD from the router.
package enum TimelineReason: String, CaseIterable, Sendable, BitwiseCopyable {
    /// A person used a button or toggle of the widget.
    case intent
    /// The system's language or region changed.
    case locale
    /// A setting such as Dynamic Type changed.
    case accessibility
    /// WidgetKit reloaded the widget by itself, at the policy's date.
    case date
    /// The app called `reloadTimelines`.
    case request

    /// Whether WidgetKit makes such a timeline without charging the widget's budget.
    package var isFree: Bool {
        switch self {
        case .intent, .locale, .accessibility: true
        case .date, .request: false
        }
    }
}

/// The body of TIMELINE: the entries that a widget shows from now on, reduced to what the router
/// needs.
package struct TimelineMessage {
    /// The id of the device.
    package var device: JSONText
    /// The id of the widget on that device.
    package var widget: JSONText
    /// The number of the RELOAD that this timeline answers; nil if it answers none.
    package var reload: UInt64?
    /// Why the timeline was made, if the device states it; always nil if the timeline answers a
    /// RELOAD.
    package var because: TimelineReason?
    /// Whether the device's own timer reloads the widget at the time that SCHEDULED names.
    package var ownTimer: Bool
    /// The first entry that is not 0; nil if there is none.
    package var firstEntry: Entry?
    /// The last entry; nil if there are no entries.
    package var lastEntry: Entry?
    /// Whether two entries are less than `entrySpacing` apart.
    package var hasCloseEntries: Bool
    /// When the timeline asks for the next reload.
    package var policy: TimelinePolicy

    /// An entry, by its position and its date.
    package struct Entry: Equatable, BitwiseCopyable {
        /// The number of entries before it.
        package var index: Int
        /// When the widget shows it.
        package var date: WallTime
    }

    /// The least distance between entries that WidgetKit asks for. If they are closer, the timeline
    /// is accepted, and SCHEDULED contains a warning.
    package static var entrySpacing: Milliseconds { .minutes(5) }

    /// Reads a body that the scanner has accepted, with at most `entryLimit` entries. A stored one
    /// may be older than the limit of numbers.
    ///
    /// - Throws: `body-invalid` or `timeline-invalid`.
    package init(_ bytes: ByteView, entryLimit: Int, isStored: Bool = false) throws(ProtocolError) {
        let body = BodyReader(bytes, of: .timeline, isStored: isStored)
        var device: JSONText?
        var widget: JSONText?
        var reload: UInt64?
        var because: TimelineReason?
        var ownTimer = false
        var policy: TimelinePolicy?
        var entries: ByteView?
        try body.members { (name, reader) throws(ProtocolError) in
            if name == "device" {
                device = try body.string(&reader, at: "device")
            } else if name == "widget" {
                widget = try body.string(&reader, at: "widget")
            } else if name == "reload" {
                reload = try body.unsigned(&reader, at: "reload")
            } else if name == "because" {
                because = try Self.reason(&reader, of: body)
            } else if name == "ownTimer" {
                ownTimer = try body.boolean(&reader, at: "ownTimer")
            } else if name == "entries" {
                entries = try body.array(&reader, at: "entries")
            } else if name == "policy" {
                policy = try Self.policy(&reader, of: body)
            } else {
                return false
            }
            return true
        }
        self.device = try body.required(device, at: "device")
        self.widget = try body.required(widget, at: "widget")
        self.policy = try body.required(policy, at: "policy")
        self.reload = reload
        self.because = reload == nil ? because : nil
        self.ownTimer = ownTimer
        hasCloseEntries = false
        try readDates(try body.required(entries, at: "entries"), of: body, limit: entryLimit)
    }

    /// Reads the value of `because`.
    private static func reason(
        _ reader: inout JSONReader,
        of body: BodyReader
    ) throws(ProtocolError) -> TimelineReason {
        let text = try body.string(&reader, at: "because")
        if text == "intent" { return .intent }
        if text == "locale" { return .locale }
        if text == "accessibility" { return .accessibility }
        if text == "date" { return .date }
        if text == "request" { return .request }
        throw ProtocolError(
            .bodyInvalid,
            message:
                "because of TIMELINE must be \"intent\", \"locale\", \"accessibility\", \"date\" or "
                + "\"request\""
        )
    }

    /// Reads the value of `policy`.
    private static func policy(
        _ reader: inout JSONReader,
        of body: BodyReader
    ) throws(ProtocolError) -> TimelinePolicy {
        switch reader.peek() {
        case .string:
            let text = reader.readString()
            if text == "atEnd" { return .atEnd }
            if text == "never" { return .never }
            throw ProtocolError(
                .bodyInvalid,
                message:
                    "policy of TIMELINE is \"\(quotation(text.string))\"; it must be \"atEnd\", \"never\" or "
                    + "{\"after\":ms}"
            )
        case .object:
            var date: WallTime?
            try BodyReader(reader.rawValue(), of: .timeline).members {
                (name, reader) throws(ProtocolError) in
                guard name == "after" else { return false }
                date = try body.date(&reader, at: "policy.after")
                return true
            }
            return .after(try body.required(date, at: "policy.after"))
        case let kind:
            throw body.wrong(
                "policy",
                expected: "\"atEnd\", \"never\" or {\"after\":ms}",
                found: kind
            )
        }
    }

    /// Checks the entries, and reads what is needed of them.
    private mutating func readDates(
        _ entries: ByteView,
        of body: BodyReader,
        limit: Int
    ) throws(ProtocolError) {
        var reader = JSONReader(entries)
        reader.enterArray()
        var count = 0
        while reader.nextElement() {
            let date = try body.date(&reader, at: "entries[\(count)]")
            if count == limit {
                throw ProtocolError(
                    .timelineInvalid,
                    message: "the timeline has more than \(limit) entries"
                )
            }
            if let last = lastEntry?.date {
                if date < last {
                    throw ProtocolError(
                        .timelineInvalid,
                        message: "entries[\(count)] is before the entry in front of it"
                    )
                }
                hasCloseEntries = hasCloseEntries || date - last < Self.entrySpacing
            }
            lastEntry = Entry(index: count, date: date)
            if firstEntry == nil && date > .zero { firstEntry = lastEntry }
            count += 1
        }
    }
}
