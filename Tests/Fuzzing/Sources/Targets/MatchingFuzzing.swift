import Basics
import EventPatterns
import TestSupport

@testable import WidgetMatching

/// Whichever rule, configurations and payloads: the matcher finds the widgets that the explanation
/// of each names, and keeps nothing when they are gone.
///
///     a rule, or an empty line for none │ lines: a payload, or behind a + a configuration
final class MatchingFuzzing: FuzzTarget {
    private static let widgetLimit = 8
    private static let payloadLimit = 4

    func run(_ input: ByteView) {
        var input = FuzzInput(input)
        let text = input.line()
        let rule = text.count == 0 ? nil : try? PatternParser.parse(text)
        if rule == nil && text.count > 0 { return }
        var harness = MatcherHarness()
        harness.install([("k", rule)])
        var widgets: [WidgetID] = []
        var payloads: [[UInt8]] = []
        while !input.isAtEnd {
            let line = input.line()
            if line.count > 0 && line[0] == UInt8(ascii: "+") {
                insert(line.slice(1, to: line.count), &harness, &widgets)
            } else if payloads.count < Self.payloadLimit {
                payloads.append(line.array)
            }
        }
        harness.matcher.checkInvariants()
        match(payloads, &harness, widgets)
        for widget in widgets {
            harness.matcher.remove(widget)
            harness.matcher.checkInvariants()
        }
        harness.install([])
        harness.matcher.checkInvariants()
        require(MatcherUsage(harness.matcher) == .empty, "something is left")
    }

    private func insert(
        _ configuration: ByteView,
        _ harness: inout MatcherHarness,
        _ widgets: inout [WidgetID]
    ) {
        var scanner = JSONScanner(depthLimit: RouterLimits.jsonDepth)
        if widgets.count == Self.widgetLimit { return }
        guard (try? validateJSON(configuration, using: &scanner)) != nil else { return }
        let widget = configuration.withCopy { configuration in
            try? harness.matcher.insert(kind: 0, configuration: configuration)
        }
        if let widget { widgets.append(widget) }
    }

    /// All payloads in one batch, so that what one leaves could be seen by the next.
    private func match(
        _ payloads: [[UInt8]],
        _ harness: inout MatcherHarness,
        _ widgets: [WidgetID]
    ) {
        var accepted: [Int] = []
        let bytes = payloads.flatMap { $0 }
        var found: [Set<WidgetID>] = payloads.map { _ in [] }
        bytes.withByteView { view in
            var start = 0
            for (tag, payload) in payloads.enumerated() {
                let end = start + payload.count
                defer { start = end }
                do throws(PayloadError) {
                    try harness.enqueue(view.slice(start, to: end), tag: UInt32(tag))
                    accepted.append(tag)
                } catch {
                    require(!error.message.isEmpty, "an error without a message")
                }
            }
            harness.matcher.checkInvariants()
            while !harness.matcher.matchQueued(work: 400, limit: 3) {
                harness.matcher.checkInvariants()
                collect(harness, &found)
            }
            collect(harness, &found)
        }
        for tag in accepted { explain(payloads[tag], found[tag], harness, widgets) }
    }

    private func collect(_ harness: borrowing MatcherHarness, _ found: inout [Set<WidgetID>]) {
        for index in 0..<harness.matcher.matchCount {
            let match = harness.matcher.match(at: index)
            require(found[Int(match.tag)].insert(match.widget).inserted, "a widget is found twice")
        }
    }

    private func explain(
        _ payload: [UInt8],
        _ found: Set<WidgetID>,
        _ harness: borrowing MatcherHarness,
        _ widgets: [WidgetID]
    ) {
        guard let parsed = payload.withByteView({ try? WidgetMatcher.parsed($0) }) else {
            fail("a payload that is accepted has no tree")
        }
        for widget in widgets {
            let explanation = harness.matcher.index.explain(
                app: MatcherHarness.app,
                push: ExplainedPush(parsed),
                widget: widget
            )
            require(
                explanation.isMatch == found.contains(widget),
                "widget \(widget) is \(explanation.sentence)"
            )
        }
    }
}
