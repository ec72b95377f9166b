package import Foundation

/// The result of a load test in a form that programs read.
package protocol JSONReport: Codable {}

extension JSONReport {
    /// The report as one line of JSON with sorted keys.
    package func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }

    /// Reads a report that `json` has written.
    package init(json: Data) throws { self = try JSONDecoder().decode(Self.self, from: json) }
}
