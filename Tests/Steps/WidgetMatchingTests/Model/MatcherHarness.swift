import Basics
import TestSupport
import WidgetMatching

/// Pushes, one after the other in memory: the names of kinds and the payload of each.
struct PushTexts {
    var bytes: [UInt8] = []
    var parts: [(isNarrowed: Bool, names: Range<Int>, end: Int)] = []

    /// Pushes that are written like `PushText`.
    init(_ texts: [String]) {
        for push in texts.map(PushText.init) {
            let start = bytes.count
            bytes += push.names ?? []
            let names = start..<bytes.count
            bytes += Array(push.payload.utf8)
            parts.append((push.kinds != nil, names, bytes.count))
        }
    }
}

/// A matcher with one app, a scanner that follows it, and words to drive them with.
struct MatcherHarness: ~Copyable {
    var matcher: WidgetMatcher
    var scanner: PayloadScanner
    static let app: AppID = 0

    init(seed: UInt64 = 1) {
        matcher = WidgetMatcher(seed: seed)
        scanner = PayloadScanner(hashKey: HashKey(seed: seed))
    }

    /// A harness with one kind, number 0, named "k".
    init(rule: EventPattern?) {
        self.init()
        install([("k", rule)])
    }

    /// Installs the kinds of the one app; they are numbered in order.
    mutating func install(_ kinds: [(name: String, rule: EventPattern?)]) {
        let kinds = kinds.enumerated().map { number, kind in
            WidgetMatcher.Kind(kind: KindID(index: number), name: kind.name, rule: kind.rule)
        }
        matcher.install(apps: [WidgetMatcher.App(app: Self.app, kinds: kinds)])
    }

    mutating func insert(
        _ configuration: String,
        kind: KindID = 0
    ) throws -> WidgetID {
        let bytes = Array(configuration.utf8)
        return try bytes.withByteView { bytes throws(ConfigurationError) in
            try matcher.insert(kind: kind, configuration: bytes)
        }
    }

    /// Gives a widget another configuration, and perhaps another kind.
    mutating func replace(_ widget: WidgetID, _ configuration: String, kind: KindID = 0) throws {
        let bytes = Array(configuration.utf8)
        try bytes.withByteView { bytes throws(ConfigurationError) in
            try matcher.replace(widget, kind: kind, configuration: bytes)
        }
    }

    /// The widgets that a push concerns, ascending.
    mutating func match(_ payload: String, app: AppID = Self.app) throws -> [WidgetID] {
        try match([payload], app: app)[0]
    }

    /// The widgets that each of the pushes of one batch concerns, ascending.
    mutating func match(_ payloads: [String], app: AppID = Self.app) throws -> [[WidgetID]] {
        let found = try rawMatches(payloads, app: app)
        return payloads.indices.map { tag in
            found.filter { $0.tag == tag }.map(\.widget).sorted()
        }
    }

    /// Adds a push to the batch.
    mutating func enqueue(
        _ payload: ByteView,
        kinds: KindNames? = nil,
        tag: UInt32,
        app: AppID = Self.app
    ) throws(PayloadError) {
        try matcher.enqueue(app: app, payload: payload, kinds: kinds, tag: tag, with: &scanner)
    }

    /// What a push would concern.
    mutating func find(_ payload: ByteView, limit: Int) throws(PayloadError) -> [WidgetID] {
        try matcher.find(app: Self.app, payload: payload, limit: limit, with: &scanner).widgets
    }

    /// Adds pushes to the batch, tagged with their numbers.
    mutating func enqueue(
        _ batch: PushTexts,
        in bytes: ByteView,
        app: AppID
    ) throws(PayloadError) {
        scanner.follow(matcher)
        for tag in batch.parts.indices {
            let push = try scan(batch, tag: tag, in: bytes, app: app)
            matcher.enqueue(push, tag: UInt32(tag))
        }
    }

    /// Scans one of several pushes.
    mutating func scan(
        _ batch: PushTexts,
        tag: Int,
        in bytes: ByteView,
        app: AppID = Self.app
    ) throws(PayloadError) -> ScannedPush {
        let part = batch.parts[tag]
        let names = bytes.slice(part.names.lowerBound, to: part.names.upperBound)
        return try scanner.scan(
            app: app,
            payload: bytes.slice(part.names.upperBound, to: part.end),
            kinds: part.isNarrowed ? KindNames(names) : nil
        )
    }

    /// What the pushes of one batch find, tagged with their numbers, as the matcher reports it.
    ///
    /// The pushes are written like `PushText`.
    mutating func rawMatches(_ payloads: [String], app: AppID) throws -> [WidgetMatch] {
        let batch = PushTexts(payloads)
        return try batch.bytes.withByteView { bytes throws(PayloadError) in
            try enqueue(batch, in: bytes, app: app)
            matcher.matchQueued()
            return (0..<matcher.matchCount).map { matcher.match(at: $0) }
        }
    }

    /// Whether a push with this payload concerns a widget of a kind with this rule.
    static func matches(
        _ rule: EventPattern?,
        _ configuration: String,
        _ payload: String
    ) throws -> Bool {
        var harness = MatcherHarness(rule: rule)
        let widget = try harness.insert(configuration)
        let matches = try harness.match(payload)
        return matches == [widget]
    }

    /// Whether a push with this payload concerns a widget of a kind with this rule, as text.
    static func matches(
        _ pattern: String,
        _ configuration: String,
        _ payload: String
    ) throws -> Bool {
        try matches(EventPattern(pattern), configuration, payload)
    }
}
