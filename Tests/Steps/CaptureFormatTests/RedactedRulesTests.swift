import Basics
import CaptureFormat
import Foundation
import RouterCore
import TestSupport
import Testing
import WidgetMatching

/// Rules, configurations and events of `protocol/vectors/patterns.json`, before and after
/// redaction.
@Suite("Redacted rules")
struct RedactedRulesTests {
    private struct Vector: Decodable {
        let name: String
        let pattern: String
        let event: String
        let configuration: String?
        let result: Outcome
    }

    /// Whether the pattern matches, if that can be said.
    private struct Outcome: Decodable {
        let matches: Bool?

        init(from decoder: any Decoder) throws {
            matches = try? decoder.singleValueContainer().decode(Bool.self)
        }
    }

    private let redaction = CaptureRedaction(key: (3, 4))
    /// What compares otherwise than for equality.
    private static let otherOperators = [
        "prefix", "suffix", "equals-ignore-case", "wildcard", "regexp", "numeric", "cidr",
    ]

    private static func vectors() throws -> [Vector] {
        try JSONDecoder().decode([Vector].self, from: ProtocolFiles.data("vectors/patterns.json"))
    }

    private func redacted(_ kind: CaptureKind, _ text: String) -> [UInt8] {
        text.withByteView { body in
            var found: [UInt8] = []
            redaction.withRedacted(CaptureRecord(time: 0, connection: 1, kind: kind, body: body)) {
                found = $0.body.array
            }
            return found
        }
    }

    private func rule(_ pattern: String) throws -> EventPattern? {
        let file = #"{"apps":[{"app":"a","kinds":[{"kind":"k","match":\#(pattern)}]}]}"#
        let catalog = try redacted(.apps, file).withByteView { try AppFile.parse($0).catalog }
        return catalog.apps[0].kinds[0].rule
    }

    private func configuration(_ text: String) throws -> [UInt8] {
        let body = redacted(
            .widgets,
            #"{"device":"d","widgets":[{"id":"w","kind":"k","configuration":\#(text)}]}"#
        )
        return try #require(
            body.withByteView { view in
                var reader = JSONReader(view)
                reader.enterObject()
                while let name = reader.nextKey() {
                    guard name == "widgets" else {
                        reader.skipValue()
                        continue
                    }
                    reader.enterArray()
                    _ = reader.nextElement()
                    reader.enterObject()
                    while let name = reader.nextKey() {
                        if name == "configuration" { return reader.rawValue().array }
                        reader.skipValue()
                    }
                }
                return nil
            }
        )
    }

    private func matches(
        _ rule: EventPattern?,
        _ configuration: [UInt8],
        _ event: [UInt8]
    ) throws -> Bool {
        var matcher = WidgetMatcher(hashKey: HashKey(low: 1, high: 1))
        var scanner = PayloadScanner(hashKey: HashKey(low: 1, high: 1))
        let kind = WidgetMatcher.Kind(kind: 0, name: "k", rule: rule)
        matcher.install(apps: [WidgetMatcher.App(app: 0, kinds: [kind])])
        _ = try configuration.withByteView { try matcher.insert(kind: 0, configuration: $0) }
        try event.withByteView {
            try matcher.enqueue(app: 0, payload: $0, tag: 0, with: &scanner)
            matcher.matchQueued()
        }
        return matcher.matchCount > 0
    }

    @Test func `are rules`() throws {
        for vector in try Self.vectors() where vector.result.matches != nil {
            #expect(throws: Never.self, "\(vector.name)") { try rule(vector.pattern) }
        }
    }

    @Test func `match what they matched where equality decides`() throws {
        var count = 0
        for vector in try Self.vectors() {
            guard let expected = vector.result.matches else { continue }
            // The payload's own kinds are no values.
            if vector.pattern.contains("\"kinds\"") { continue }
            if Self.otherOperators.contains(where: { vector.pattern.contains("\"\($0)\":") }) {
                continue
            }
            let found = try matches(
                rule(vector.pattern),
                configuration(vector.configuration ?? "{}"),
                redacted(.push, vector.event)
            )
            #expect(found == expected, "\(vector.name)")
            count += 1
        }
        #expect(count > 200)
    }
}
