import Basics
import CommandSupport
import FrameCodec
import ReloadRouterClient

/// The widgets given to the `device` command, as bodies of WIDGETS frames.
struct DeviceRegistrations {
    /// A body, its device, and the file and line it comes from.
    struct Body: Sendable {
        var device: String
        var json: [UInt8]
        var location: String
    }

    private let device: String?
    private(set) var bodies: [Body] = []

    /// Reads the file and the specifications of the command line.
    init(device: String?, file: String?, specs: [String]) throws {
        self.device = device
        if let file {
            var lines = try LineReader(file)
            while let line = try lines.nextNonBlank() {
                let location = "\(lines.name):\(line.number)"
                let name = try Self.device(of: line.bytes, at: location)
                bodies.append(Body(device: name, json: line.bytes, location: location))
            }
        }
        if let device, !specs.isEmpty {
            let widgets = try specs.map { try WidgetSpec($0) }
            bodies.append(
                Body(
                    device: device,
                    json: WidgetSpec.body(device: device, widgets: widgets),
                    location: "--widget"
                )
            )
        }
    }

    /// The role that the session needs: a single device, or a gateway if there are several.
    func role(isGateway: Bool) -> DeviceRole {
        var devices = Set(bodies.map(\.device))
        if let device { devices.insert(device) }
        if !isGateway, devices.count == 1, let only = devices.first { return .device(only) }
        return .gateway
    }

    /// The ids of the widgets in a body that the router has accepted.
    static func widgets(in body: [UInt8]) -> [String] {
        body.withByteView { view in
            guard var widgets = try? WidgetsMessage(view).makeWidgets() else { return [] }
            var ids: [String] = []
            while let widget = try? widgets.next() { ids.append(widget.id.string) }
            return ids
        }
    }

    private static func device(of body: [UInt8], at location: String) throws -> String {
        do throws(ClientError) {
            return try DeviceBodies.device(ofWidgets: body)
        } catch {
            throw SettingsProblem("\(location): \(error)")
        }
    }
}
