package import Foundation

/// What a load test found, as a program reads it.
package protocol JSONReport: Codable {}

extension JSONReport {
    /// The report as a line of JSON, its names in order.
    package func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }

    /// A report that `json` has written.
    package init(json: Data) throws {
        self = try JSONDecoder().decode(Self.self, from: json)
    }
}
