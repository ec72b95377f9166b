package import Basics

/// Reads members of recorded bodies. The router accepted the frames, but the file may be damaged: a
/// body that is not a JSON object counts as one without members.
struct CaptureBody: ~Copyable {
    private var scanner = CaptureLine.scanner()

    /// A reader within the object, before its first member; nil for any other body.
    mutating func open(_ body: ByteView) -> JSONReader? {
        defer { scanner.resetScratch() }
        if (try? validateJSON(body, using: &scanner)) == nil { return nil }
        var reader = JSONReader(body)
        reader.enterObject()
        return reader
    }
}

extension JSONReader {
    /// Consumes a value; returns it if it is a string, else an empty one.
    mutating func readText() -> String {
        if peek() == .string { return readString().string }
        skipValue()
        return ""
    }

    /// Consumes an object, and returns its member of this name as `readText` does; empty for any
    /// other value.
    mutating func readText(ofMember wanted: StaticString) -> String {
        guard peek() == .object else {
            skipValue()
            return ""
        }
        var found = ""
        enterObject()
        while let name = nextKey() {
            if name == wanted { found = readText() } else { skipValue() }
        }
        return found
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
    package init(hello: ByteView) {
        var bodies = CaptureBody()
        guard var reader = bodies.open(hello) else { return }
        while let member = reader.nextKey() {
            switch member {
            case "role": role = reader.readText()
            case "app": app = reader.readText()
            case "producer", "device": name = reader.readText()
            default: reader.skipValue()
            }
        }
    }
}
