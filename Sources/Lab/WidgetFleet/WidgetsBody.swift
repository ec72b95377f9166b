internal import DeviceSimulation
internal import Foundation
internal import StrictJSON
internal import WidgetTimelines

/// The body of WIDGETS.
enum WidgetsBody {
    static func write(
        device: String,
        token: Data?,
        _ widgets: [(kind: String, widget: SimulatedWidget)]
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("device", device)
        if let token {
            writer.key("pushToken")
            writer.string(token.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
        }
        writer.key("widgets")
        writer.beginArray()
        for (kind, widget) in widgets { write(kind, widget, to: &writer) }
        writer.endArray()
        writer.endObject()
        return writer.bytes
    }

    private static func write(
        _ kind: String,
        _ widget: SimulatedWidget,
        to writer: inout JSONWriter
    ) {
        writer.beginObject()
        writer.member("id", widget.id)
        writer.member("kind", kind)
        writer.member("family", widget.family.description)
        let parameters = widget.choice.parameters
        if !parameters.isEmpty {
            writer.key("configuration")
            writer.beginObject()
            for (name, value) in parameters {
                writer.key(name)
                write(value, to: &writer)
            }
            writer.endObject()
        }
        writer.endObject()
    }

    private static func write(_ value: ParameterValue, to writer: inout JSONWriter) {
        switch value {
        case .text(let text): writer.string(text)
        case .integer(let integer): writer.integer(integer)
        case .number(let number): writer.number(number)
        case .truth(let truth): writer.boolean(truth)
        case .list(let values):
            writer.beginArray()
            for value in values { write(value, to: &writer) }
            writer.endArray()
        }
    }
}
