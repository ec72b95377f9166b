package import Basics
internal import Foundation

/// Decodes any JSON value, for the payloads and configurations of scenarios.
extension JSONValue: Decodable {
    /// Decodes any JSON value; a number that is not an `Int64` is kept as a double.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .double(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// The name in `${name}`, if the value is a string of that form.
    var variable: Substring? {
        guard case .string(let text) = self, text.hasPrefix("${"), text.hasSuffix("}") else {
            return nil
        }
        return text.dropFirst(2).dropLast()
    }
}
