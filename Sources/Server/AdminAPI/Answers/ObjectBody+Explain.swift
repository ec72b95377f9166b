internal import Basics
package import RouterCore

extension ObjectBody {
    /// What a push would lead to: the explained widgets that it matches, and near misses (see
    /// `Explanation.Result`). They are compared with the push when the body is written.
    package static func explanation(_ explanation: Explanation, hints: [String]) -> ObjectBody {
        ObjectBody { json in
            let result = explanation.result()
            if result.isWhole {
                json.member("concerned", value: result.matchCount)
            } else {
                json.member("concerned", value: "more than \(result.matchCount)")
            }
            json.objects("widgets", of: result.widgets) { $0.writeMembers(to: &$1) }
            json.objects("near", of: result.nearMisses) { $0.writeMembers(to: &$1) }
            json.list("hints", of: hints)
        }
    }
}

extension ExplainedWidget {
    fileprivate func writeMembers(to json: inout JSONWriter) {
        json.member("device", value: device)
        json.member("widget", value: widget)
        json.member("kind", value: kind)
        json.member("outcome", value: outcome)
        json.member("reloadsAt", value: reloadsAt)
        json.member("text", value: text)
        json.objects("tests", of: tests) { test, json in
            json.member("field", value: test.field)
            json.member("value", value: test.value)
            json.member("test", value: test.test)
            json.member("isHeld", value: test.isMet)
        }
    }
}
