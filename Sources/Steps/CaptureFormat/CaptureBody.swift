internal import DataStructures
internal import StrictJSON

/// Finds members of bodies that were accepted once; in what is no JSON object there are none.
struct CaptureBody: ~Copyable {
    private var scanner = CaptureLine.scanner()

    /// Calls `take` at the value of each member, unless it is no JSON object.
    mutating func members(
        of body: ByteView,
        _ take: (JSONText, inout JSONReader) -> Void
    ) {
        defer { scanner.resetScratch() }
        if (try? validateJSON(body, using: &scanner)) == nil { return }
        var reader = JSONReader(body)
        reader.enterObject()
        while let name = reader.nextKey() { take(name, &reader) }
    }

    /// The string that the value is, or an empty one.
    static func string(_ reader: inout JSONReader) -> String {
        if reader.peek() == .string { return reader.readString().string }
        reader.skipValue()
        return ""
    }
}

/// Who speaks in a session.
package struct CaptureSpeaker: Equatable, Sendable {
    /// `publisher`, `device` or `gateway`.
    package var role = ""
    package var app = ""
    /// The producer or the device, if it has one.
    package var name = ""

    /// - Parameter hello: the body of a HELLO.
    package init(hello: [UInt8]) {
        var bodies = CaptureBody()
        var speaker = (role: "", app: "", name: "")
        hello.withByteView { view in
            bodies.members(of: view) { member, reader in
                if member == "role" {
                    speaker.role = CaptureBody.string(&reader)
                } else if member == "app" {
                    speaker.app = CaptureBody.string(&reader)
                } else if member == "producer" || member == "device" {
                    speaker.name = CaptureBody.string(&reader)
                } else {
                    reader.skipValue()
                }
            }
        }
        (role, app, name) = speaker
    }
}

/// The body of the HELLO of a gateway that speaks for devices of an app.
package func gatewayHello(app: String) -> [UInt8] {
    JSONWriter.object { json in
        json.member("v", 1)
        json.member("role", "gateway")
        json.member("app", app)
    }
}
