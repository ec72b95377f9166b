import Testing

/// A rule, widgets and pushes of which every round is matched without an allocation.
struct MatchCase: CustomTestStringConvertible {
    let name: String
    let pattern: String?
    let configurations: [String]
    let payloads: [String]
    /// Matches of all pushes together.
    let matches: Int

    init(
        _ name: String,
        _ pattern: String?,
        _ configurations: [String],
        _ payloads: [String],
        matches: Int
    ) {
        self.name = name
        self.pattern = pattern
        self.configurations = configurations
        self.payloads = payloads
        self.matches = matches
    }

    /// A case of one widget without parameters.
    init(_ name: String, _ pattern: String?, _ payloads: [String], matches: Int) {
        self.init(name, pattern, ["{}"], payloads, matches: matches)
    }

    var testDescription: String { name }

    /// A list of so many elements, as JSON.
    static func list(_ count: Int, _ element: (Int) -> String) -> String {
        "[" + (0..<count).map(element).joined(separator: ",") + "]"
    }
}
