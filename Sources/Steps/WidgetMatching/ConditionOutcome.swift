/// How one condition of a rule fared against a push, in words.
package struct ConditionOutcome: Equatable, Sendable {
    /// Where in the payload, such as `place.region`, or `lines[2].stop` in a list; `$or` at its end
    /// for a choice.
    package var path: String
    /// What the rule wants there, with the widget's values put in for parameters:
    /// `prefix "dra"`, `"${configuration.region}" = "north"`.
    package var test: String
    /// What the payload has there as JSON, cut to 64 characters, or `missing`.
    package var value: String
    package var holds: Bool
    /// Of a condition that holds for one value by one alternative: that value, as JSON.
    package var passingValue: String?
    /// Of a condition that holds: the alternative by which it does.
    package var passingTest: String?
    /// What else is to be known: parameters that are missing, or of no use at their place.
    package var notes: [String] = []
    /// Of a `$or`: how the conditions of each of its patterns fared.
    package var branches: [[ConditionOutcome]] = []

    /// One sentence without its full stop.
    package var sentence: String {
        let reasons = notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))"
        return (holds ? whyItHolds : whyItFails) + reasons
    }

    private var whyItHolds: String {
        if let branch = closestBranch {
            return "\(path): " + branch.map(\.sentence).joined(separator: " and ")
        }
        return "\(path): \(passingValue ?? value) passes \(passingTest ?? test)"
    }

    private var whyItFails: String {
        if let branch = closestBranch {
            let failed = branch.filter { !$0.holds }.map(\.sentence).joined(separator: " and ")
            let closest = failed.isEmpty ? "" : "; the closest fails at \(failed)"
            return "\(path): none of \(branches.count) patterns holds\(closest)"
        }
        let found = value == Self.missing ? "the push lacks it" : "the push has \(value)"
        return "\(path): \(found), the rule wants \(test)"
    }

    /// The pattern of a `$or` in which the fewest conditions fail, the first of several.
    private var closestBranch: [ConditionOutcome]? {
        branches.min { left, right in left.failedCount < right.failedCount }
    }

    /// What stands for the value of a field that the payload does not have.
    static let missing = "missing"
}

extension [ConditionOutcome] {
    /// How many of the conditions fail; a `$or` is one.
    var failedCount: Int { count { !$0.holds } }
}
