package import Basics
package import RouterCore

/// What a push would lead to: the explained widgets that it matches, and near misses (see
/// `Explanation.Result`). They are compared with the push when the body is written.
package struct ExplainBody: AdminBody {
    private let explanation: Explanation
    private let hints: [String]

    /// Makes a body from an explanation for which the router has found everything.
    ///
    /// - Parameters:
    ///   - explanation: what was found.
    ///   - hints: what the kinds declare that has no effect, as sentences.
    package init(_ explanation: Explanation, hints: [String]) {
        self.explanation = explanation
        self.hints = hints
    }

    /// Writes the body as one JSON object.
    package func write(to json: inout JSONWriter) {
        let result = explanation.result()
        json.object { json in
            if result.isWhole {
                json.member("concerned", value: result.matchCount)
            } else {
                json.member("concerned", value: "more than \(result.matchCount)")
            }
            json.objects("widgets", of: result.widgets) { widget, json in
                Self.write(widget, to: &json)
            }
            json.objects("near", of: result.nearMisses) { widget, json in
                Self.write(widget, to: &json)
            }
            json.list("hints", of: hints)
        }
    }

    private static func write(_ widget: ExplainedWidget, to json: inout JSONWriter) {
        json.member("device", value: widget.device)
        json.member("widget", value: widget.widget)
        json.member("kind", value: widget.kind)
        json.member("outcome", value: widget.outcome)
        json.member("reloadsAt", value: widget.reloadsAt)
        json.member("text", value: widget.text)
        json.objects("tests", of: widget.tests) { test, json in
            json.member("field", value: test.field)
            json.member("value", value: test.value)
            json.member("test", value: test.test)
            json.member("isHeld", value: test.isMet)
        }
    }
}
