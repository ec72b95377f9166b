internal import Foundation
internal import StrictJSON

/// Any JSON, as a scenario has it.
package indirect enum JSONValue: Decodable, Equatable, Sendable {
    case null
    case truth(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .truth(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// A number, true or false as JSON has them; anything else is null.
    package init(literal: String) {
        let value = try? JSONDecoder().decode(JSONValue.self, from: Data(literal.utf8))
        self = value ?? .null
    }

    /// Writes it, with the members of objects in the order of their names.
    func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.null()
        case .truth(let truth): writer.boolean(truth)
        case .integer(let integer): writer.integer(integer)
        case .number(let number): writer.number(number)
        case .text(let text): writer.string(text)
        case .list(let values):
            writer.beginArray()
            for value in values { value.write(to: &writer) }
            writer.endArray()
        case .object(let members):
            writer.beginObject()
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                writer.key(name)
                value.write(to: &writer)
            }
            writer.endObject()
        }
    }

    /// The name in `${name}`, if the text is that and nothing else.
    var variable: Substring? {
        guard case .text(let text) = self, text.hasPrefix("${"), text.hasSuffix("}") else {
            return nil
        }
        return text.dropFirst(2).dropLast()
    }
}
