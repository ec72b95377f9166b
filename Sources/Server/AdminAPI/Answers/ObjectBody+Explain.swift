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
            json.list("widgets", of: result.widgets)
            json.list("near", of: result.nearMisses)
            json.list("hints", of: hints)
        }
    }
}
