internal import Basics

/// The result of one alternative of a field, with texts for people; see `RuleExplainer`.
struct TestVerdict {
    /// Whether the test holds for the field.
    var holds: Bool
    /// The test, with the widget's values for its parameters.
    var test: String
    /// The value that passes the test, if it is a single one.
    var passing: JSONValue?
    /// Why values of the widget are unusable in this test.
    var notes: [String] = []
}
