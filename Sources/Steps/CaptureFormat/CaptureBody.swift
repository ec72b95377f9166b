internal import Basics

/// Reads members of recorded bodies. The router accepted the frames, but the file may be damaged: a
/// body that is not a JSON object counts as one without members.
struct CaptureBody: ~Copyable {
    private var scanner = CaptureLine.scanner()

    /// Calls `take` with each member's name and a reader at its value, which `take` must consume.
    mutating func members(of body: ByteView, take: (JSONText, inout JSONReader) -> Void) {
        defer { scanner.resetScratch() }
        if (try? validateJSON(body, using: &scanner)) == nil { return }
        var reader = JSONReader(body)
        reader.enterObject()
        while let name = reader.nextKey() { take(name, &reader) }
    }

    /// Consumes a value; returns it if it is a string, else an empty one.
    static func string(_ reader: inout JSONReader) -> String {
        if reader.peek() == .string { return reader.readString().string }
        reader.skipValue()
        return ""
    }
}

/// The client at the other end of a recorded session.
package struct CaptureClient: Equatable, Sendable {
    /// `publisher`, `device` or `gateway`.
    package var role = ""
    /// The app that HELLO names; empty if it names none.
    package var app = ""
    /// The name of a publisher's producer, or the id of a device; empty for a gateway.
    package var name = ""

    /// - Parameter hello: the body of the session's HELLO.
    package init(hello: [UInt8]) {
        var bodies = CaptureBody()
        var client = (role: "", app: "", name: "")
        hello.withByteView { view in
            bodies.members(of: view) { member, reader in
                if member == "role" {
                    client.role = CaptureBody.string(&reader)
                } else if member == "app" {
                    client.app = CaptureBody.string(&reader)
                } else if member == "producer" || member == "device" {
                    client.name = CaptureBody.string(&reader)
                } else {
                    reader.skipValue()
                }
            }
        }
        (role, app, name) = client
    }
}

/// The body of an ATTACH of devices.
package func attachBody(_ devices: [String]) -> [UInt8] {
    JSONWriter.object { json in
        json.key("devices")
        json.beginArray()
        for device in devices { json.string(device) }
        json.endArray()
    }
}

/// The body of a HELLO by which a gateway of an app begins a session.
package func gatewayHello(app: String) -> [UInt8] {
    JSONWriter.object { json in
        json.member("v", value: 1)
        json.member("role", value: "gateway")
        json.member("app", value: app)
    }
}
