import Basics
import EventPatterns
import TestSupport
import Testing

@testable import WidgetMatching

/// Rules, configurations and payloads that nobody wrote: none may crash the matcher, and nothing
/// of them may stay.
@Suite("Mutated rules, configurations and payloads")
struct MatcherFuzzTests {
    /// One run: a matcher, and what makes its input.
    private struct Run: ~Copyable {
        let seed: UInt64
        var generator: ModelGenerator
        var harness: MatcherHarness
        var widgets: [WidgetID] = []
        var acceptedRules = 0
        var acceptedConfigurations = 0
        var acceptedPayloads = 0
        var refusedPayloads = 0
        var matchCount = 0

        init(seed: UInt64) {
            self.seed = seed
            generator = ModelGenerator(seed: seed)
            harness = MatcherHarness(seed: seed)
        }

        /// The text with some bytes exchanged, removed or repeated; or as it is.
        private mutating func mutated(_ text: String, onceIn: Int) -> [UInt8] {
            var bytes = Array(text.utf8)
            if !generator.happens(onceIn: onceIn) { return bytes }
            for _ in 0...generator.random.below(3) { mutate(&bytes) }
            return bytes
        }

        private mutating func mutate(_ bytes: inout [UInt8]) {
            if bytes.isEmpty { return }
            let position = generator.random.below(bytes.count)
            let end = min(bytes.count, position + 1 + generator.random.below(12))
            switch generator.random.below(6) {
            case 0: bytes[position] = UInt8(generator.random.below(256))
            case 1: bytes.remove(at: position)
            case 2: bytes[position] = generator.random.pick(Array(#"{}[]",:0a1-.*\"#.utf8))
            case 3:
                let there = generator.random.below(bytes.count)
                bytes.insert(contentsOf: bytes[position..<end], at: there)
            case 4: bytes.removeSubrange(position..<end)
            default: bytes.insert(contentsOf: Array("ab*é".utf8), at: position)
            }
        }

        mutating func install() {
            let rules = (0..<10).map { _ -> EventPattern? in
                if generator.happens(onceIn: 8) { return nil }
                let bytes = mutated(generator.pattern().json, onceIn: 2)
                return bytes.withByteView { try? PatternParser.parse($0) }
            }
            acceptedRules += rules.count { $0 != nil }
            harness.install(rules.enumerated().map { ("k\($0)", $1) })
        }

        mutating func insert() {
            let widget = generator.widget([])
            let text = ModelValue.object(widget.parameters).json
            let bytes = mutated(text, onceIn: 3)
            bytes.withByteView { json in
                var scanner = JSONScanner(depthLimit: RouterLimits.jsonDepth)
                guard (try? validateJSON(json, using: &scanner)) != nil else { return }
                let kind = KindID(index: generator.random.below(11))
                if !widgets.isEmpty && generator.happens(onceIn: 3) {
                    let one = generator.one(widgets)
                    try? harness.matcher.replace(one, kind: kind, configuration: json)
                    return
                }
                guard let new = try? harness.matcher.insert(kind: kind, configuration: json)
                else { return }
                widgets.append(new)
                acceptedConfigurations += 1
            }
        }

        /// A batch of payloads in memory of their own lengths, so that a sanitizer sees reads
        /// beyond them.
        mutating func push() {
            var payloads: [UnsafeMutableRawBufferPointer] = []
            defer { for payload in payloads { payload.deallocate() } }
            for tag in 0..<1 + generator.random.below(8) {
                let text = generator.payload().json
                let bytes = mutated(text, onceIn: 2)
                let memory = UnsafeMutableRawBufferPointer.allocate(
                    byteCount: max(1, bytes.count),
                    alignment: 1
                )
                memory.copyBytes(from: bytes)
                payloads.append(memory)
                let base = UnsafeRawPointer(memory.baseAddress!)
                let view = ByteView(base: base, count: bytes.count)
                do throws(PayloadError) {
                    try harness.enqueue(view, tag: UInt32(tag))
                    acceptedPayloads += 1
                } catch {
                    refusedPayloads += 1
                }
            }
            let work = generator.one([1, 300, .max])
            let limit = generator.one([1, 3, .max])
            while !harness.matcher.matchQueued(work: work, limit: limit) {
                matchCount += harness.matcher.matchCount
            }
            matchCount += harness.matcher.matchCount
        }

        mutating func clear() {
            for widget in widgets { harness.matcher.remove(widget) }
            widgets = []
            if generator.happens(onceIn: 2) { harness.install([]) }
        }
    }

    @Test(
        "crash nothing and leave nothing, from the text of the rule to the last removal",
        arguments: 1...10 as ClosedRange<UInt64>
    )
    func mutations(seed: UInt64) {
        var run = Run(seed: seed)
        for _ in 0..<8 * MatcherModelTests.rounds {
            run.install()
            for _ in 0..<12 { run.insert() }
            for _ in 0..<3 { run.push() }
            run.install()
            for _ in 0..<3 { run.push() }
            run.clear()
        }
        run.harness.install([])
        #expect(MatcherUsage(run.harness.matcher) == .empty, "seed \(seed)")
        // Mutations that never or always leave something to go on with would test nothing.
        let accepted = [run.acceptedRules, run.acceptedConfigurations, run.acceptedPayloads]
        #expect(accepted.allSatisfy { $0 > 20 } && run.refusedPayloads > 10, "seed \(seed)")
        #expect(run.matchCount > 5, "seed \(seed)")
    }

    @Test(
        "Payloads that are cut at any byte are refused, and the batch continues",
        arguments: 1...4 as ClosedRange<UInt64>
    )
    func cuts(seed: UInt64) throws {
        var generator = ModelGenerator(seed: seed)
        var harness = MatcherHarness(seed: seed)
        let kinds = generator.kinds()
        harness.install(kinds.enumerated().map { ("k\($0)", $1?.rule) })
        for _ in 0..<40 {
            let widget = generator.widget(kinds)
            _ = try harness.insert(ModelValue.object(widget.parameters).json, kind: widget.kind)
        }
        for round in 0..<6 {
            let bytes = Array(generator.payload().json.utf8)
            let whole = try bytes.withByteView { bytes throws(PayloadError) in
                try matches(&harness, bytes)
            }
            for count in bytes.indices {
                // Memory that ends with the cut, so that a sanitizer sees reads beyond it.
                Array(bytes[..<count]).withByteView { cut in
                    _ = #expect(throws: PayloadError.self, "seed \(seed), cut at \(count)") {
                        try harness.enqueue(cut, tag: 1)
                    }
                }
            }
            let after = try bytes.withByteView { bytes throws(PayloadError) in
                try matches(&harness, bytes)
            }
            #expect(after == whole, "seed \(seed), round \(round)")
        }
    }

    private func matches(
        _ harness: inout MatcherHarness,
        _ payload: ByteView
    ) throws(PayloadError) -> [WidgetMatch] {
        try harness.enqueue(payload, tag: 0)
        harness.matcher.matchQueued()
        return (0..<harness.matcher.matchCount).map { harness.matcher.match(at: $0) }
    }
}
