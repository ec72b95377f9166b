package import RouterCore
package import StrictJSON

/// What a push would lead to: the explained widgets that it concerns, and near misses.
package struct ExplainBody: AdminBody {
    private let concernedCount: Int
    private let isWhole: Bool
    private let widgets: [ExplainedWidget]
    private let near: [ExplainedWidget]

    package init(_ work: ExplainWork) {
        concernedCount = work.concernedCount
        isWhole = work.isWhole
        widgets = work.widgets
        near = work.near
    }

    package func write(to json: inout JSONWriter) {
        json.beginObject()
        if isWhole {
            json.member("concerned", concernedCount)
        } else {
            json.member("concerned", "more than \(concernedCount)")
        }
        json.list("widgets", of: widgets) { widget, json in Self.write(widget, to: &json) }
        json.list("near", of: near) { widget, json in Self.write(widget, to: &json) }
        json.endObject()
    }

    private static func write(_ widget: ExplainedWidget, to json: inout JSONWriter) {
        json.beginObject()
        json.member("device", widget.device)
        json.member("widget", widget.widget)
        json.member("kind", widget.kind)
        json.member("outcome", widget.outcome)
        json.member("reloadsAt", widget.reloadsAt)
        json.member("text", widget.text)
        json.list("tests", of: widget.tests) { test, json in
            json.beginObject()
            json.member("field", test.field)
            json.member("value", test.value)
            json.member("test", test.test)
            json.member("isHeld", test.isHeld)
            json.endObject()
        }
        json.endObject()
    }
}
