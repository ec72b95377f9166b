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
    package var ownTimer = false
    /// The first entry that is not 0; nil if there is none.
    package var firstEntry: Entry?
    /// The last entry; nil if there are no entries.
    package var lastEntry: Entry?
    /// Whether two entries are less than `entrySpacing` apart.
    package var hasCloseEntries = false
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
        var body = BodyReader(bytes, of: .timeline, isStored: isStored)
        var device: JSONText?
        var widget: JSONText?
        var because: TimelineReason?
        var policy: TimelinePolicy?
        var entries: ByteView?
        while let name = body.next() {
            switch name {
            case "device": device = try body.string()
            case "widget": widget = try body.string()
            case "reload": reload = try body.unsigned()
            case "because": because = try body.choice(of: TimelineReason.self)
            case "ownTimer": ownTimer = try body.boolean()
            case "entries": entries = try body.array()
            case "policy": policy = try Self.policy(&body)
            default: body.skip()
            }
        }
        self.device = try body.required(device, at: "device")
        self.widget = try body.required(widget, at: "widget")
        self.policy = try body.required(policy, at: "policy")
        self.because = reload == nil ? because : nil
        var list = BodyReader(
            list: try body.required(entries, at: "entries"),
            named: "entries",
            of: .timeline,
            isStored: isStored
        )
        try readDates(&list, limit: entryLimit)
    }

    /// Reads the value of `policy`.
    private static func policy(_ body: inout BodyReader) throws(ProtocolError) -> TimelinePolicy {
        let expected = "\"atEnd\", \"never\" or {\"after\":ms}"
        switch body.kind {
        case .string:
            let text = try body.string()
            if text == "atEnd" { return .atEnd }
            if text == "never" { return .never }
            throw body.invalid("\(expected), and is \"\(quotation(text.string))\"")
        case .object:
            var members = try body.members()
            var date: WallTime?
            while let name = members.next() {
                if name == "after" { date = try members.date() } else { members.skip() }
            }
            return .after(try members.required(date, at: "after"))
        default: throw body.wrong(expected: expected)
        }
    }

    /// Checks the entries, and reads what is needed of them.
    private mutating func readDates(
        _ entries: inout BodyReader,
        limit: Int
    ) throws(ProtocolError) {
        var count = 0
        while entries.nextElement() {
            let date = try entries.date()
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

    /// Encodes the body of a TIMELINE.
    package static func encode(
        device: String,
        widget: String,
        reload: UInt64?,
        because: TimelineReason? = nil,
        entries: [WallTime],
        policy: TimelinePolicy,
        ownTimer: Bool = false
    ) -> [UInt8] {
        JSONWriter.object { json in
            json.member("device", value: device)
            json.member("widget", value: widget)
            if let reload { json.member("reload", value: reload) }
            if let because { json.member("because", value: because.rawValue) }
            json.list("entries", of: entries) { entry, json in json.integer(entry.rawValue) }
            switch policy {
            case .atEnd: json.member("policy", value: "atEnd")
            case .never: json.member("policy", value: "never")
            case .after(let date):
                json.object("policy") { $0.member("after", value: date.rawValue) }
            }
            if ownTimer { json.member("ownTimer", value: true) }
        }
    }
}
