internal import StrictJSON

/// Whether one alternative of a field holds, and in what words.
struct TestVerdict {
    var holds: Bool
    /// The test with the widget's values put in.
    var test: String
    /// The value that passes, if it is a single one.
    var passing: JSONValue?
    /// Why values of the widget are of no use here.
    var notes: [String] = []
}
