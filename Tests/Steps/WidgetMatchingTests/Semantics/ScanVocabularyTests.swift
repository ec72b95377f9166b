import Basics
import TestSupport
import Testing

@testable import WidgetMatching

@Suite("What scans go by")
struct ScanVocabularyTests {
    /// What a scan makes of a payload, without places in memory.
    private struct Result: Equatable {
        var error: PayloadError?
        var values: [[UInt8]] = []
        var places: [[UInt32]] = []
        var contexts: [[UInt32]] = []
        var probes: [[UInt64]] = []
        var combined: [UInt32] = []

        init(_ payload: [UInt8], with scanner: inout PayloadScanner) {
            payload.withByteView { payload in
                do throws(PayloadError) {
                    copy(try scanner.scan(app: 0, payload: payload))
                } catch {
                    self.error = error
                }
            }
        }

        private mutating func copy(_ push: ScannedPush) {
            for number in 0..<push.fields.count {
                let field = push.fields[number]
                values.append(push.bytes[field].array)
                places.append([field.attribute.rawValue, field.context.rawValue, field.head])
            }
            for number in 0..<push.contexts.count {
                let context = push.contexts[number]
                let (parent, last) = (context.parent.rawValue, context.last.rawValue)
                contexts.append([context.attribute.rawValue, parent, last])
            }
            for number in 0..<push.probes.count {
                let probe = push.probes[number]
                let space = UInt64(probe.space.rawValue)
                probes.append([probe.hash, probe.word, UInt64(probe.field), space])
            }
            combined = (0..<push.combinedFields.count).map { push.combinedFields[$0] }
        }
    }

    /// A scanner with the vocabulary of a moment, and what it made of some payloads then.
    private final class Snapshot {
        private var scanner: PayloadScanner
        private let payloads: [[UInt8]]
        private let results: [Result]

        init(_ harness: borrowing MatcherHarness, seed: UInt64, payloads: [[UInt8]]) {
            var scanner = PayloadScanner(hashKey: HashKey(seed: seed))
            scanner.follow(harness.matcher)
            self.payloads = payloads
            results = payloads.map { Result($0, with: &scanner) }
            self.scanner = scanner
        }

        /// Whether it still makes the same of them.
        var isUnchanged: Bool {
            zip(payloads, results).allSatisfy { Result($0, with: &scanner) == $1 }
        }

        var probeCount: Int { results.reduce(0) { $0 + $1.probes.count } }
    }

    @Test(
        "A snapshot makes the same of a payload, whatever comes and goes after it",
        arguments: 1...8 as ClosedRange<UInt64>
    )
    func snapshots(seed: UInt64) throws {
        var run = ModelRun(seed: seed)
        run.install(run.generator.kinds())
        var snapshots: [Snapshot] = []
        var probeCount = 0
        for round in 0..<40 {
            if run.generator.happens(onceIn: 3) { run.changeRules() }
            let isGrowing = round / 8 % 2 == 0
            for _ in 0..<12 {
                if isGrowing { try run.insert() } else { run.remove() }
            }
            try run.push()
            let payloads = run.generator.many(6) { Array($0.payload().json.utf8) }
            snapshots.append(Snapshot(run.harness, seed: seed, payloads: payloads))
            probeCount += snapshots.last!.probeCount
            if snapshots.count > 6 { snapshots.remove(at: run.generator.random.below(6)) }
            let areUnchanged = snapshots.allSatisfy { $0.isUnchanged }
            #expect(areUnchanged, "seed \(seed), round \(round)")
        }
        #expect(probeCount > 300, "seed \(seed): \(probeCount) probes say little")
    }

    @Test("A registration makes no new one unless it brings a field or a space, or takes the last")
    func revisions() throws {
        var harness = MatcherHarness()
        harness.install([
            ("ruled", try EventPattern(#"{"f":["${configuration.p}"]}"#)), ("plain", nil),
        ])
        func revision(_ harness: borrowing MatcherHarness) -> UInt64 {
            harness.matcher.vocabularyRevision
        }
        var widgets = [try harness.insert(#"{"p":"x"}"#)]
        let before = revision(harness)
        for number in 0..<100 { widgets.append(try harness.insert(#"{"p":"\#(number)"}"#)) }
        try harness.replace(widgets[7], #"{"p":"other"}"#)
        for widget in widgets.dropFirst(2) { harness.matcher.remove(widget) }
        #expect(revision(harness) == before)
        let plain = try harness.insert(#"{"g":1}"#, kind: 1)
        #expect(revision(harness) > before, "the field g is new")
        let between = revision(harness)
        harness.matcher.remove(plain)
        #expect(revision(harness) > between, "the field g is gone")
    }

    // MARK: - Long texts

    private static func refuses(_ rules: [String], _ payload: String) throws -> Bool {
        var harness = MatcherHarness()
        harness.install(
            try rules.enumerated().map { ("k\($0)", try EventPattern($1)) }
        )
        for kind in rules.indices { _ = try harness.insert("{}", kind: KindID(index: kind)) }
        do {
            _ = try harness.match(payload)
            return false
        } catch {
            #expect(error as? PayloadError == .textCost)
            return true
        }
    }

    /// As long as eight wildcards of rules may read, and not nine.
    private static let text = String(repeating: "x", count: 60_000)

    @Test("A long text is refused for the rules of its own field alone, equal ones once")
    func textTests() throws {
        let long = #"{"f":"\#(Self.text)","g":"x"}"#
        func wildcards(_ numbers: Range<Int>, _ field: String = "f") -> [String] {
            numbers.map { #"{"\#(field)":[{"wildcard":"*a\#($0)"}]}"# }
        }
        #expect(try !Self.refuses(wildcards(0..<8), long))
        #expect(try Self.refuses(wildcards(0..<9), long))
        #expect(try !Self.refuses(wildcards(0..<8) + wildcards(0..<8), long))
        #expect(try !Self.refuses(wildcards(0..<8) + wildcards(8..<99, "g"), long))
        #expect(try Self.refuses([#"{"f":[{"regexp":"a"},{"regexp":"b"},{"regexp":"c"}]}"#], long))
        let either = #"{"f":[{"anything-but":{"wildcard":"a*"}}]}"#
        #expect(try Self.refuses(wildcards(0..<8) + [either], long))
    }

    @Test("A rule whose last widget is gone refuses no text any more")
    func goneRules() throws {
        var harness = MatcherHarness()
        harness.install(
            try (0..<9).map { ("k\($0)", try EventPattern(#"{"f":[{"wildcard":"*a\#($0)"}]}"#)) }
        )
        let widgets = try (0..<9).map { try harness.insert("{}", kind: KindID(index: $0)) }
        let payload = #"{"f":"\#(Self.text)"}"#
        #expect(throws: PayloadError.textCost) { try harness.match(payload) }
        harness.matcher.remove(widgets[4])
        #expect(try harness.match(payload) == [])
    }
}
