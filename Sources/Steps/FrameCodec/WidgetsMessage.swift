package import Basics

/// The body of WIDGETS: all the widgets that a device has now.
///
/// A view of the frame: nothing is copied before the router stores it.
package struct WidgetsMessage {
    /// The id of the device.
    package var device: JSONText
    /// The token by which a push service reaches the device; nil if the device has none now.
    package var pushToken: JSONText?
    /// The token of the app itself, for background pushes; nil if it has none now.
    package var appPushToken: JSONText?
    /// The service that the tokens are for.
    package var environment = APNsEnvironment.production
    private var widgets: ByteView

    /// Reads a body that the scanner has accepted; `makeWidgets` reads the widgets themselves.
    ///
    /// - Throws: `body-invalid`.
    package init(_ bytes: ByteView) throws(ProtocolError) {
        var body = BodyReader(bytes, of: .widgets)
        var device: JSONText?
        var widgets: ByteView?
        while let name = body.next() {
            switch name {
            case "device": device = try body.string()
            case "pushToken": pushToken = try body.string()
            case "appPushToken": appPushToken = try body.string()
            case "environment": environment = try body.choice(of: APNsEnvironment.self)
            case "widgets": widgets = try body.array()
            default: body.skip()
            }
        }
        self.device = try body.required(device, at: "device")
        self.widgets = try body.required(widgets, at: "widgets")
    }

    /// A widget that a client registers.
    package struct Widget {
        var id: String
        var kind: String
        var family: String?
        /// The parameters and their values; nil to leave the member out.
        var configuration: [JSONValue.Member]?

        /// Makes a widget to register. A member that is nil is left out of the body.
        package init(
            id: String,
            kind: String,
            family: String? = nil,
            configuration: [JSONValue.Member]?
        ) {
            self.id = id
            self.kind = kind
            self.family = family
            self.configuration = configuration
        }
    }

    /// The body as a client sends it.
    package static func encode(
        device: String,
        pushToken: String? = nil,
        environment: APNsEnvironment = .production,
        widgets: [Widget]
    ) -> [UInt8] {
        JSONWriter.object { json in
            json.member("device", value: device)
            if let pushToken { json.member("pushToken", value: pushToken) }
            if environment != .production {
                json.member("environment", value: environment.rawValue)
            }
            json.list("widgets", of: widgets) { widget, json in
                json.object { json in
                    json.member("id", value: widget.id)
                    json.member("kind", value: widget.kind)
                    if let family = widget.family { json.member("family", value: family) }
                    if let configuration = widget.configuration {
                        json.member("configuration", value: .object(configuration))
                    }
                }
            }
        }
    }

    /// A reader of the widgets, in their order.
    package func makeWidgets() -> WidgetList { WidgetList(widgets) }
}

/// One widget of a WIDGETS body.
package struct WidgetEntry {
    /// The id of the widget on its device.
    package var id: JSONText
    /// What the widget is, such as `com.mygame.character-detail`.
    package var kind: JSONText
    /// The widget's size, such as `systemSmall`; nil if the client did not send it.
    package var family: JSONText?
    /// The JSON object of the configuration; nil if the widget has no parameters.
    package var configuration: ByteView?
    /// The token of a control; nil for a widget.
    package var pushToken: JSONText?
}

/// Reads the widgets of a WIDGETS body one by one.
package struct WidgetList {
    private var list: BodyReader

    init(_ bytes: ByteView) { list = BodyReader(list: bytes, named: "widgets", of: .widgets) }

    /// The next widget; nil after the last.
    ///
    /// - Throws: `body-invalid`.
    package mutating func next() throws(ProtocolError) -> WidgetEntry? {
        guard list.nextElement() else { return nil }
        var body = try list.members()
        var id: JSONText?
        var kind: JSONText?
        var family: JSONText?
        var configuration: ByteView?
        var pushToken: JSONText?
        while let name = body.next() {
            switch name {
            case "id": id = try body.string()
            case "kind": kind = try body.string()
            case "family": family = try body.string()
            case "pushToken": pushToken = try body.string()
            case "configuration":
                // An empty list is how PHP and others write an object without members.
                configuration = try body.skipsEmptyArray() ? nil : body.object()
            default: body.skip()
            }
        }
        return WidgetEntry(
            id: try body.required(id, at: "id"),
            kind: try body.required(kind, at: "kind"),
            family: family,
            configuration: configuration,
            pushToken: pushToken
        )
    }
}
