internal import Basics
internal import DeviceSimulation
internal import Foundation
internal import FrameCodec
internal import WidgetTimelines

/// Encodes the body of a WIDGETS frame for a simulated device.
enum WidgetsBody {
    /// A token's bytes as hexadecimal digits.
    static func digits(_ token: Data) -> String {
        token.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    static func write(
        device: String,
        token: Data?,
        widgets: [(kind: String, widget: SimulatedWidget)]
    ) -> [UInt8] {
        let widgets = widgets.map { kind, widget in
            let parameters = widget.choice.parameters.map {
                JSONValue.Member(name: $0.name, value: JSONValue($0.value))
            }
            return WidgetsMessage.Widget(
                id: widget.id,
                kind: kind,
                family: widget.family.description,
                configuration: parameters.isEmpty ? nil : parameters
            )
        }
        return WidgetsMessage.encode(device: device, pushToken: token.map(digits), widgets: widgets)
    }
}

extension JSONValue {
    fileprivate init(_ value: ParameterValue) {
        self =
            switch value {
            case .text(let text): .string(text)
            case .integer(let integer): .integer(integer)
            case .number(let number): .double(number)
            case .boolean(let boolean): .boolean(boolean)
            case .list(let values): .list(values.map { JSONValue($0) })
            }
    }
}
