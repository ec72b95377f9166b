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
        let body = BodyReader(bytes, of: .widgets)
        var device: JSONText?
        var pushToken: JSONText?
        var appPushToken: JSONText?
        var environment = APNsEnvironment.production
        var widgets: ByteView?
        try body.members { (name, reader) throws(ProtocolError) in
            if name == "device" {
                device = try body.string(&reader, at: "device")
            } else if name == "pushToken" {
                pushToken = try body.string(&reader, at: "pushToken")
            } else if name == "appPushToken" {
                appPushToken = try body.string(&reader, at: "appPushToken")
            } else if name == "environment" {
                environment = try Self.environment(&reader, of: body)
            } else if name == "widgets" {
                widgets = try body.array(&reader, at: "widgets")
            } else {
                return false
            }
            return true
        }
        self.device = try body.required(device, at: "device")
        self.widgets = try body.required(widgets, at: "widgets")
        self.pushToken = pushToken
        self.appPushToken = appPushToken
        self.environment = environment
    }

    /// Reads the name of a service.
    private static func environment(
        _ reader: inout JSONReader,
        of body: BodyReader
    ) throws(ProtocolError) -> APNsEnvironment {
        let name = try body.string(&reader, at: "environment").string
        if let environment = APNsEnvironment(rawValue: name) { return environment }
        throw ProtocolError(
            .bodyInvalid,
            message: "environment of WIDGETS is production or sandbox, and not \(quotation(name))"
        )
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
    private var reader: JSONReader
    private var index = 0

    init(_ bytes: ByteView) {
        reader = JSONReader(bytes)
        reader.enterArray()
    }

    /// The next widget; nil after the last.
    ///
    /// - Throws: `body-invalid`.
    package mutating func next() throws(ProtocolError) -> WidgetEntry? {
        guard reader.nextElement() else { return nil }
        let location = "widgets[\(index)]"
        index += 1
        guard reader.peek() == .object else {
            throw ProtocolError(
                .bodyInvalid,
                message: "\(location) of WIDGETS must be an object, and is \(reader.peek())"
            )
        }
        let body = BodyReader(reader.rawValue(), of: .widgets)
        var id: JSONText?
        var kind: JSONText?
        var family: JSONText?
        var configuration: ByteView?
        var pushToken: JSONText?
        try body.members { (name, reader) throws(ProtocolError) in
            if name == "id" {
                id = try body.string(&reader, at: location + ".id")
            } else if name == "kind" {
                kind = try body.string(&reader, at: location + ".kind")
            } else if name == "family" {
                family = try body.string(&reader, at: location + ".family")
            } else if name == "pushToken" {
                pushToken = try body.string(&reader, at: location + ".pushToken")
            } else if name == "configuration" {
                configuration = try Self.configuration(
                    &reader,
                    of: body,
                    at: location + ".configuration"
                )
            } else {
                return false
            }
            return true
        }
        return WidgetEntry(
            id: try body.required(id, at: location + ".id"),
            kind: try body.required(kind, at: location + ".kind"),
            family: family,
            configuration: configuration,
            pushToken: pushToken
        )
    }

    /// Reads an object; nil for an empty list, which is how PHP and others write an object without
    /// members.
    private static func configuration(
        _ reader: inout JSONReader,
        of body: BodyReader,
        at path: String
    ) throws(ProtocolError) -> ByteView? {
        if reader.peek() == .array {
            var ahead = reader
            ahead.enterArray()
            if !ahead.nextElement() {
                reader.skipValue()
                return nil
            }
        }
        return try body.object(&reader, at: path)
    }
}
