internal import DataStructures
internal import ReloadModel
package import StoreFormat
internal import StrictJSON

/// A line of `store dump`: what a record has, as a JSON object.
package struct DumpLine {
    /// Without the line's end.
    package let text: [UInt8]
    /// What keeps the rest of the record from being read; the line says so too.
    package let problem: StoreError?

    init(_ json: JSONWriter, _ problem: StoreError? = nil) {
        text = json.bytes
        self.problem = problem
    }

    /// Of something that cannot be read at all.
    package init(_ problem: StoreError) {
        var json = JSONWriter()
        json.beginObject()
        json.problem(problem)
        json.endObject()
        self.init(json, problem)
    }
}

/// What should be a JSON object is none.
struct JSONProblem: Error {
    /// The begin of a sentence.
    var sentence: String
}

extension JSONWriter {
    /// Bytes of a store need not be UTF-8; what is not is replaced.
    mutating func member(_ name: String, _ text: ByteView) {
        member(name, text.string)
    }

    /// The elements are written by `body`.
    mutating func list(_ name: String, _ body: (inout JSONWriter) -> Void) {
        key(name)
        beginArray()
        body(&self)
        endArray()
    }

    /// What is wrong, as the last member of a line.
    mutating func problem(_ error: StoreError) {
        member("problem", error.code.rawValue)
        member("message", error.message)
    }

    // MARK: - What devices and producers have sent

    /// A JSON object as it was sent, on one line.
    mutating func object(_ json: ByteView) throws(JSONProblem) {
        try Self.validate(json)
        line(json)
    }

    /// The same of a frame's body, without the secret that may be in it.
    mutating func body(_ json: ByteView) throws(JSONProblem) {
        try Self.validate(json)
        var members = JSONReader(json)
        members.enterObject()
        beginObject()
        while let name = members.nextKey() {
            key(name.string)
            if name == "pushToken" {
                members.skipValue()
                string("(secret)")
            } else {
                line(members.rawValue())
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
                sentence: "what should be a JSON object is none (\(error.message))"
            )
        }
    }

    /// Ends of lines stand between values only: they are escaped in strings.
    private mutating func line(_ json: ByteView) {
        json.array.map { $0 == 0x0a || $0 == 0x0d ? 0x20 : $0 }.withByteView { raw($0) }
    }

    // MARK: - App files

    /// The apps of an app file, with their kinds; their tokens are only counted.
    mutating func apps(_ catalog: AppCatalog, _ source: ByteView) {
        member("bytes", source.count)
        list("apps") { json in
            for app in catalog.apps { json.app(app) }
        }
    }

    private mutating func app(_ app: AppDeclaration) {
        beginObject()
        member("app", app.app)
        let tokens = [
            ("publisherTokens", app.publisherTokens), ("deviceTokens", app.deviceTokens),
            ("gatewayTokens", app.gatewayTokens),
        ]
        for (name, tokens) in tokens {
            if let tokens { member(name, "(\(tokens.count), secret)") }
        }
        list("kinds") { json in
            for kind in app.kinds { json.string(kind.kind) }
        }
        endObject()
    }
}
