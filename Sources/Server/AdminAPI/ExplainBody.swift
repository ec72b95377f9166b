package import RouterCore
package import StrictJSON

/// What a push would lead to: the explained widgets that it matches, and near misses (see
/// `ExplainWork.nearMisses`).
package struct ExplainBody: AdminBody {
    private let matchCount: Int
    private let isWhole: Bool
    private let widgets: [ExplainedWidget]
    private let nearMisses: [ExplainedWidget]

    /// Makes a body from a finished explanation.
    package init(_ work: ExplainWork) {
        matchCount = work.matchCount
        isWhole = work.isWhole
        widgets = work.widgets
        nearMisses = work.nearMisses
    }

    /// Writes the body as one JSON object.
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        if isWhole {
            json.member("concerned", value: matchCount)
        } else {
            json.member("concerned", value: "more than \(matchCount)")
        }
        json.list("widgets", of: widgets) { widget, json in Self.write(widget, to: &json) }
        json.list("near", of: nearMisses) { widget, json in Self.write(widget, to: &json) }
        json.endObject()
    }

    private static func write(_ widget: ExplainedWidget, to json: inout JSONWriter) {
        json.beginObject()
        json.member("device", value: widget.device)
        json.member("widget", value: widget.widget)
        json.member("kind", value: widget.kind)
        json.member("outcome", value: widget.outcome)
        json.member("reloadsAt", value: widget.reloadsAt)
        json.member("text", value: widget.text)
        json.list("tests", of: widget.tests) { test, json in
            json.beginObject()
            json.member("field", value: test.field)
            json.member("value", value: test.value)
            json.member("test", value: test.test)
            json.member("isHeld", value: test.isMet)
            json.endObject()
        }
        json.endObject()
    }
}
