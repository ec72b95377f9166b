import ByteStorage
import ReloadModel
import StrictJSON

@testable import WidgetMatching

/// A matcher with one app, and words to drive it with.
struct MatcherHarness: ~Copyable {
    var matcher: WidgetMatcher
    static let app: AppID = 0

    init(seed: UInt64 = 1) {
        matcher = WidgetMatcher(seed: seed)
    }

    /// A harness with one kind, number 0, named "k".
    init(rule: MatchRule?) {
        self.init()
        install([("k", rule)])
    }

    /// Installs the kinds of the one app; they are numbered in order.
    mutating func install(_ kinds: [(name: String, rule: MatchRule?)]) {
        let kinds = kinds.enumerated().map { number, kind in
            WidgetMatcher.Kind(kind: KindID(number), name: kind.name, rule: kind.rule)
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

    /// The widgets that a push concerns, ascending.
    mutating func match(_ payload: String, app: AppID = Self.app) throws -> [WidgetID] {
        try match([payload], app: app)[0]
    }

    /// The widgets that each of the pushes of one batch concerns, ascending.
    mutating func match(_ payloads: [String], app: AppID = Self.app) throws -> [[WidgetID]] {
        var bytes: [UInt8] = []
        var ends: [Int] = []
        for payload in payloads {
            bytes += Array(payload.utf8)
            ends.append(bytes.count)
        }
        return try bytes.withByteView { bytes throws(PayloadError) in
            var start = 0
            for (tag, end) in ends.enumerated() {
                try matcher.enqueue(
                    app: app,
                    payload: bytes.slice(start, end),
                    tag: UInt32(tag)
                )
                start = end
            }
            return collect(payloads.count)
        }
    }

    private mutating func collect(_ count: Int) -> [[WidgetID]] {
        matcher.matchQueued()
        var matches: [[WidgetID]] = Array(repeating: [], count: count)
        for position in 0..<matcher.matchCount {
            let match = matcher.match(at: position)
            matches[Int(match.tag)].append(match.widget)
        }
        return matches.map { $0.sorted() }
    }

    /// Whether a push with this payload concerns a widget of a kind with this rule.
    static func matches(
        _ rule: MatchRule?,
        _ configuration: String,
        _ payload: String
    ) throws -> Bool {
        var harness = MatcherHarness(rule: rule)
        let widget = try harness.insert(configuration)
        let matches = try harness.match(payload)
        return matches == [widget]
    }
}

/// What the matcher holds for its widgets and rules: all of it must come back.
struct MatcherUsage: Equatable {
    var keys: Int
    var indexBytes: Int
    var configurationBytes: Int
    var attributes: Int
    var names: Int

    init(_ matcher: borrowing WidgetMatcher) {
        keys = matcher.index.keyCount
        indexBytes = matcher.index.usedByteCount
        configurationBytes = matcher.configurations.usedByteCount
        attributes = matcher.reader.vocabulary.attributeCount
        names = matcher.reader.vocabulary.names.count
    }

    /// What an empty matcher has: the name `kinds`.
    static var empty: MatcherUsage { MatcherUsage(WidgetMatcher(seed: 1)) }
}

extension MatchRule {
    /// A rule from fields with dots for nesting: `["place.region": [.parameter("region")]]`.
    init(_ fields: KeyValuePairs<String, [MatchAlternative]>) {
        self.init(
            conditions: fields.map { path, alternatives in
                MatchCondition(
                    path: path.split(separator: ".").map(String.init),
                    alternatives: alternatives
                )
            }
        )
    }
}
