import ByteStorage
import StrictJSON

/// One widget from the command line: `KIND:ID:NAME=VALUE,NAME=VALUE`.
package struct WidgetSpec: Equatable {
    /// A parameter's value; types matter to the router: 30 is not "30".
    package enum Value: Equatable {
        case text(String)
        /// A number, true or false, as JSON.
        case literal(String)
    }

    package var kind: String
    package var id: String
    package var parameters: [(name: String, value: Value)]

    package init(_ text: String) throws {
        let parts = text.split(
            separator: ":",
            maxSplits: 2,
            omittingEmptySubsequences: false
        )
        guard parts.count >= 2, !parts[0].isEmpty, !parts[1].isEmpty else {
            throw SettingsProblem("--widget is \(text); it must be KIND:ID:NAME=VALUE,…")
        }
        kind = String(parts[0])
        id = String(parts[1])
        parameters = []
        guard parts.count == 3, !parts[2].isEmpty else { return }
        for parameter in parts[2].split(separator: ",", omittingEmptySubsequences: false) {
            guard let equals = parameter.firstIndex(of: "="), equals > parameter.startIndex else {
                throw SettingsProblem("--widget \(text): \(parameter) is not NAME=VALUE")
            }
            let value = String(parameter[parameter.index(after: equals)...])
            parameters.append((String(parameter[..<equals]), Self.value(value)))
        }
    }

    package static func == (left: WidgetSpec, right: WidgetSpec) -> Bool {
        left.kind == right.kind && left.id == right.id
            && left.parameters.elementsEqual(right.parameters) {
                $0.name == $1.name && $0.value == $1.value
            }
    }

    /// The body of a WIDGETS frame.
    package static func body(device: String, _ widgets: [WidgetSpec]) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("device", device)
        writer.key("widgets")
        writer.beginArray()
        for widget in widgets { widget.write(to: &writer) }
        writer.endArray()
        writer.endObject()
        return writer.bytes
    }

    private func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", id)
        writer.member("kind", kind)
        writer.key("configuration")
        writer.beginObject()
        for (name, value) in parameters {
            writer.key(name)
            switch value {
            case .text(let text): writer.string(text)
            case .literal(let literal): literal.withByteView { writer.raw($0) }
            }
        }
        writer.endObject()
        writer.endObject()
    }

    /// Text in quotation marks is text; what JSON reads as a number, true or false is that.
    private static func value(_ text: String) -> Value {
        if text.count >= 2 && text.hasPrefix("\"") && text.hasSuffix("\"") {
            return .text(String(text.dropFirst().dropLast()))
        }
        if text == "true" || text == "false" { return .literal(text) }
        guard let first = text.utf8.first, first == 0x2d || (0x30...0x39).contains(first) else {
            return .text(text)
        }
        var scanner = JSONScanner()
        let isNumber = "{\"n\":\(text)}".withByteView { view in
            (try? validateJSON(view, using: &scanner)) != nil
        }
        // Behind a digit or minus sign only a comma could smuggle in more, and specs split there.
        return isNumber ? .literal(text) : .text(text)
    }
}
