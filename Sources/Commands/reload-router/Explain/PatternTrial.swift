import Basics
import EventPatterns
import FrameCodec
import WidgetMatching

/// Judges whether a pattern matches an event as the router does: by storing one widget in a matcher
/// and pushing the event. `match` uses it.
struct PatternTrial: ~Copyable {
    /// The result for one pair.
    enum Verdict: Equatable {
        case matches
        case differs
        case refused(Refusal)

        /// The verdict on one line: control characters, which names may have, are written as JSON
        /// escapes.
        var line: String {
            switch self {
            case .matches: "true"
            case .differs: "false"
            case .refused(let refusal): Self.escaped(refusal.text)
            }
        }

        private static func escaped(_ text: String) -> String {
            text.unicodeScalars.reduce(into: "") { line, scalar in
                if scalar.properties.generalCategory == .control {
                    let digits = String(scalar.value, radix: 16)
                    line += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                } else {
                    line.unicodeScalars.append(scalar)
                }
            }
        }
    }

    /// Why a pair cannot be judged: an error code, the path in the JSON, and a sentence.
    struct Refusal: Error, Equatable {
        var code: String
        var path = ""
        var sentence: String

        var text: String { "error \(code)\(path.isEmpty ? "" : " " + path): \(sentence)" }
    }

    private static let app = AppID.first
    private static let kind = KindID.first

    private var matcher = WidgetMatcher(hashKey: .ofRuntime)
    private var scanner = PayloadScanner(hashKey: .ofRuntime)
    private var json = JSONScanner(depthLimit: RouterLimits.jsonDepth)
    /// The text of the pattern in the matcher: files often try one pattern many times.
    private var installed: [UInt8]?
    /// What the pattern in the matcher says and can hardly mean; sentences.
    private(set) var hints: [String] = []

    // MARK: - Pairs

    /// Judges a line: a pattern, an event and perhaps a configuration, separated by tabs.
    mutating func judge(line: [UInt8]) -> Verdict {
        let parts = line.split(separator: 0x09, omittingEmptySubsequences: false).map(Array.init)
        guard parts.count == 2 || parts.count == 3 else {
            return .refused(
                Refusal(
                    code: "pair-fields",
                    sentence:
                        "the line must be a pattern, a tab and an event, optionally a tab and a "
                        + "configuration; tabs within JSON are written \\t"
                )
            )
        }
        return judge(
            pattern: parts[0],
            event: parts[1],
            configuration: parts.count == 3 ? parts[2] : Array("{}".utf8)
        )
    }

    mutating func judge(pattern: [UInt8], event: [UInt8], configuration: [UInt8]) -> Verdict {
        do throws(Refusal) {
            try install(pattern)
            let widget = try configuration.withByteView { bytes throws(Refusal) in
                try insert(bytes)
            }
            defer { matcher.remove(widget) }
            let matches = try event.withByteView { bytes throws(Refusal) in try push(bytes) }
            return matches ? .matches : .differs
        } catch {
            return .refused(error)
        }
    }

    // MARK: - Steps

    /// Parses a pattern and makes it the rule of the only kind.
    private mutating func install(_ text: [UInt8]) throws(Refusal) {
        if installed == text { return }
        let pattern: EventPattern
        do throws(PatternError) {
            pattern = try text.pattern()
        } catch {
            throw Refusal(code: error.code.rawValue, path: error.path, sentence: error.message)
        }
        let kind = WidgetMatcher.Kind(kind: Self.kind, name: "k", rule: pattern)
        matcher.install(apps: [WidgetMatcher.App(app: Self.app, kinds: [kind])])
        installed = text
        hints = pattern.hints
    }

    private mutating func insert(_ configuration: ByteView) throws(Refusal) -> WidgetID {
        let code = ErrorCode.configurationInvalid.rawValue
        do throws(JSONError) {
            defer { json.resetScratch() }
            try validateJSON(configuration, using: &json)
        } catch {
            throw Refusal(code: code, sentence: error.message)
        }
        do throws(ConfigurationError) {
            return try matcher.insert(kind: Self.kind, configuration: configuration)
        } catch {
            throw Refusal(code: code, path: error.parameter, sentence: error.message)
        }
    }

    /// Pushes an event; true if it matches the widget.
    private mutating func push(_ event: ByteView) throws(Refusal) -> Bool {
        do throws(PayloadError) {
            try matcher.enqueue(app: Self.app, payload: event, tag: 0, with: &scanner)
        } catch {
            switch error {
            case .json(let error):
                let refused = ProtocolError(error)
                throw Refusal(code: refused.code.rawValue, sentence: refused.message)
            case .tooManyProbes:
                let code = ErrorCode.payloadCombinations.rawValue
                throw Refusal(code: code, sentence: error.message)
            case .textCost:
                throw Refusal(code: ErrorCode.patternCost.rawValue, sentence: error.message)
            }
        }
        matcher.matchQueued()
        return matcher.matchCount > 0
    }
}
