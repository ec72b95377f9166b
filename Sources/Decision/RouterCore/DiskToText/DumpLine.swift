internal import Basics
internal import FrameCodec
package import StoreFormat

/// A line that `store dump` prints: the contents of a record, as a JSON object.
package struct DumpLine {
    /// The JSON object as UTF-8, without a line feed at its end.
    package let text: [UInt8]
    /// Why the rest of the record cannot be read, which the line says too; nil if all was read.
    package let problem: StoreError?

    init(_ json: JSONWriter, problem: StoreError? = nil) {
        text = json.bytes
        self.problem = problem
    }

    /// A line for a record of which nothing can be read.
    package init(_ problem: StoreError) {
        var json = JSONWriter()
        json.beginObject()
        json.problem(problem)
        json.endObject()
        self.init(json, problem: problem)
    }
}

/// Text in a record that should be a JSON object and is not.
struct JSONProblem: Error {
    /// What is wrong, as a clause to which the place in the record is added.
    var sentence: String
}

extension JSONWriter {
    /// Writes a member whose text comes from a store; bytes that are not UTF-8 are replaced.
    mutating func member(_ name: String, value text: ByteView) { member(name, value: text.string) }

    /// Writes the last members of a line: the code and the message of an error.
    mutating func problem(_ error: StoreError) {
        member("problem", value: error.code.rawValue)
        member("message", value: error.message)
    }

    // MARK: - What devices and producers have sent

    /// Writes a JSON object as a peer sent it, but on one line.
    mutating func object(_ json: ByteView) throws(JSONProblem) {
        try Self.validate(json)
        line(json)
    }

    /// Writes the members of a push that a home has accepted.
    mutating func accepted(_ push: AcceptedPush) throws(JSONProblem) {
        let parts: PushBody
        do throws(ProtocolError) {
            parts = try PushBody(push.body, flags: push.flags)
        } catch {
            throw JSONProblem(sentence: "a push cannot be read (\(error.message))")
        }
        member("seq", value: push.seq)
        member("isUrgent", value: push.flags & PushFlags.urgent != 0)
        if let date = parts.expiresAt { member("voidAt", value: date) }
        if let kinds = parts.kinds { list("kinds", of: kinds.strings) }
        key("payload")
        try object(parts.payload)
    }

    /// Writes the body of a device's frame on one line, without its push tokens, which are secrets.
    mutating func body(_ json: ByteView) throws(JSONProblem) {
        try Self.validate(json)
        var reader = JSONReader(json)
        withoutTokens(&reader, isBody: true)
    }

    /// Writes an object without its push tokens, those of a body's widgets included.
    private mutating func withoutTokens(_ reader: inout JSONReader, isBody: Bool) {
        reader.enterObject()
        beginObject()
        while let name = reader.nextKey() {
            key(name.string)
            if name == "pushToken" || name == "appPushToken" {
                reader.skipValue()
                string("(secret)")
            } else if isBody && name == "widgets" && reader.peek() == .array {
                reader.enterArray()
                beginArray()
                while reader.nextElement() {
                    if reader.peek() == .object {
                        withoutTokens(&reader, isBody: false)
                    } else {
                        line(reader.rawValue())
                    }
                }
                endArray()
            } else {
                line(reader.rawValue())
            }
        }
        endObject()
    }

    private static func validate(_ json: ByteView) throws(JSONProblem) {
        var scanner = JSONScanner(depthLimit: RouterLimits.jsonDepth)
        do throws(JSONError) {
            try validateJSON(json, using: &scanner)
        } catch {
            throw JSONProblem(
                sentence: "what should be a JSON object is not one (\(error.message))"
            )
        }
    }

    /// Writes JSON with spaces in place of line ends, which JSON has between values only.
    private mutating func line(_ json: ByteView) {
        json.array.map { $0 == 0x0a || $0 == 0x0d ? 0x20 : $0 }.withByteView { raw($0) }
    }

    // MARK: - App files

    /// Writes the apps of an app file and their kinds.
    mutating func apps(_ catalog: AppCatalog, source: ByteView) {
        member("bytes", value: source.count)
        list("apps", of: catalog.apps) { app, json in
            json.object {
                $0.member("app", value: app.app)
                $0.list("kinds", of: app.kinds.map(\.kind))
            }
        }
    }
}
