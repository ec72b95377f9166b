import Basics
import EventPatterns
import TestSupport
import WidgetMatching

/// A matcher with one app, and memory for the pushes that it is given again and again.
@safe struct MatcherBench: ~Copyable {
    private var matcher = WidgetMatcher(seed: 1)
    private var scanner = PayloadScanner(hashKey: HashKey(low: 1, high: 1))
    private let texts = UnsafeMutableRawPointer.allocate(byteCount: 1 << 20, alignment: 8)
    /// Where the kinds of each text end, if a push is narrowed to some, and where the text ends.
    private var ends: [(kinds: Int?, text: Int)] = []
    private(set) var matchCount = 0
    private(set) var refusedCount = 0
    private(set) var stepCount = 0

    /// - Parameter patterns: the rules of the app's kinds, which are named `k0`, `k1` …; nil for
    ///   none.
    /// - Throws: what is wrong with a rule.
    init(patterns: [String?]) throws {
        let kinds = try patterns.enumerated().map { number, text in
            var rule: EventPattern?
            if let text {
                rule = try text.withByteView { text throws(PatternError) in
                    try PatternParser.parse(text)
                }
            }
            return WidgetMatcher.Kind(kind: KindID(index: number), name: "k\(number)", rule: rule)
        }
        matcher.install(apps: [WidgetMatcher.App(app: 0, kinds: kinds)])
    }

    deinit {
        unsafe texts.deallocate()
    }

    mutating func insert(_ configuration: String, kind: KindID) throws -> WidgetID {
        try configuration.withByteView { text throws(ConfigurationError) in
            try matcher.insert(kind: kind, configuration: text)
        }
    }

    /// Notes a push, written like `PushText`, or a configuration to store.
    mutating func add(_ text: String) {
        let start = ends.last?.text ?? 0
        let push = PushText(text)
        let kinds = push.names ?? []
        let bytes = kinds + Array(push.payload.utf8)
        precondition(start + bytes.count <= 1 << 20, "the texts fit in their memory")
        bytes.withByteView { unsafe $0.copy(to: texts + start) }
        ends.append((push.kinds == nil ? nil : start + kinds.count, start + bytes.count))
    }

    /// How many texts were noted.
    var textCount: Int { ends.count }

    private func bytes(_ start: Int, to end: Int) -> ByteView {
        unsafe ByteView(base: UnsafeRawPointer(texts) + start, count: end - start)
    }

    private func start(_ number: Int) -> Int { number == 0 ? 0 : ends[number - 1].text }

    private func kinds(_ number: Int) -> KindNames? {
        guard let end = ends[number].kinds else { return nil }
        return KindNames(bytes(start(number), to: end))
    }

    private func text(_ number: Int) -> ByteView {
        bytes(ends[number].kinds ?? start(number), to: ends[number].text)
    }

    /// Pushes every text in one batch, and matches it in steps of so much work or so many widgets.
    mutating func push(work: Int = .max, limit: Int = .max) {
        for number in 0..<ends.count {
            do throws(PayloadError) {
                try matcher.enqueue(
                    app: 0,
                    payload: text(number),
                    kinds: kinds(number),
                    tag: UInt32(number),
                    with: &scanner
                )
            } catch {
                refusedCount += 1
            }
        }
        var isFinished = false
        while !isFinished {
            isFinished = matcher.matchQueued(work: work, limit: limit)
            matchCount += matcher.matchCount
            stepCount += 1
        }
    }

    /// Gives a widget one of the texts as its configuration.
    mutating func replace(_ widget: WidgetID, kind: KindID, with number: Int) {
        do throws(ConfigurationError) {
            try matcher.replace(widget, kind: kind, configuration: text(number))
        } catch {
            refusedCount += 1
        }
    }

    /// Removes a widget and stores another, with one of the texts as its configuration.
    mutating func exchange(_ widget: WidgetID, kind: KindID, with number: Int) -> WidgetID {
        matcher.remove(widget)
        do throws(ConfigurationError) {
            return try matcher.insert(kind: kind, configuration: text(number))
        } catch {
            preconditionFailure(error.message)
        }
    }
}
