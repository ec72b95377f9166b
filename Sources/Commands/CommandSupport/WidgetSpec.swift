package import Basics
import FrameCodec

/// One widget from the command line: `KIND:ID:NAME=VALUE,NAME=VALUE`. `device` and `screen`
/// register such widgets.
package struct WidgetSpec: Equatable {
    /// The kind, which the app file must declare.
    package var kind: String
    /// The id, unique on the device.
    package var id: String
    /// The parameters with their types, which matter to the router: 30 is not "30".
    package var parameters: [JSONValue.Member]

    /// Reads `KIND:ID`, or the same with parameters, `KIND:ID:NAME=VALUE,NAME=VALUE`.
    package init(_ text: String) throws {
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
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
            let name = String(parameter[..<equals])
            parameters.append(JSONValue.Member(name: name, value: Self.value(value)))
        }
    }

    /// Encodes the body of a WIDGETS frame that registers the widgets of a device.
    package static func body(device: String, widgets: [WidgetSpec]) -> [UInt8] {
        let widgets = widgets.map {
            WidgetsMessage.Widget(id: $0.id, kind: $0.kind, configuration: $0.parameters)
        }
        return WidgetsMessage.encode(device: device, widgets: widgets)
    }

    /// Reads a parameter's value: a number, true or false as JSON writes it keeps its type, and
    /// everything else is text. Quotation marks around a value make it text.
    private static func value(_ text: String) -> JSONValue {
        if text.count >= 2 && text.hasPrefix("\"") && text.hasSuffix("\"") {
            return .string(String(text.dropFirst().dropLast()))
        }
        if text == "true" || text == "false" { return .boolean(text == "true") }
        guard let first = text.utf8.first, first == 0x2d || (0x30...0x39).contains(first) else {
            return .string(text)
        }
        var scanner = JSONScanner()
        let isNumber = "{\"n\":\(text)}".withByteView { view in
            (try? validateJSON(view, using: &scanner)) != nil
        }
        // The text cannot smuggle in a second member: that would need a comma, and specs split
        // there.
        return isNumber ? .number(text) : .string(text)
    }
}
