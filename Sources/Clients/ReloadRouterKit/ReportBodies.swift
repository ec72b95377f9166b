internal import Foundation

/// The body of TIMELINE.
struct TimelineBody: Encodable {
    let widget: String
    let entries: [Int64]
    let policy: Policy
    let because: UnaskedReason?
    /// The app passes the answer's date to its own `after(_:)`.
    let ownTimer: Bool

    enum Policy: Encodable {
        case name(String)
        case after(Int64)

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .name(let name): try container.encode(name)
            case .after(let date): try container.encode(["after": date])
            }
        }
    }

    init(
        widget: String,
        entries: [Date],
        policy: ReloadPolicy,
        because: UnaskedReason?
    ) throws(ReportError) {
        self.widget = widget
        self.because = because
        var dates: [Int64] = []
        for entry in entries { dates.append(try entry.millisecondsOfReports) }
        self.entries = dates.sorted()
        switch policy {
        case .atEnd: self.policy = .name("atEnd")
        case .never: self.policy = .name("never")
        case .after(let date): self.policy = .after(try date.millisecondsOfReports)
        }
        ownTimer = policy != .never
    }
}

/// The body of SCHEDULED.
struct ScheduledBody: Decodable {
    /// In ms since 1970.
    let reloadAt: Double
}

/// The body of REQUEST.
struct RequestBody: Encodable {
    let kind: String?
    let because: String?
}

/// The body of STATE; what is nil has not changed.
struct StateBody: Encodable {
    let foreground: Bool?
    let media: MediaActivity?
    let visible: [String]?
    let location: String?

    enum CodingKeys: String, CodingKey {
        case foreground, media, visible, location
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(foreground, forKey: .foreground)
        switch media {
        case nil: break
        case .silent: try container.encodeNil(forKey: .media)
        case .audio, .navigation: try container.encode(media?.rawValue, forKey: .media)
        }
        try container.encodeIfPresent(visible, forKey: .visible)
        try container.encodeIfPresent(location, forKey: .location)
    }
}

/// The body of a refusal: problem details of RFC 9457.
struct ProblemBody: Decodable {
    let code: String
    let detail: String?
}

extension Date {
    /// The date in ms since 1970, rounded up: a reload must not come before it.
    fileprivate var millisecondsOfReports: Int64 {
        get throws(ReportError) {
            guard let value = Int64(exactly: (timeIntervalSince1970 * 1_000).rounded(.up)) else {
                throw .invalid("a date is out of range: \(timeIntervalSince1970)")
            }
            return value
        }
    }
}
