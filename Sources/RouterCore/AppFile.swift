package import ByteStorage
internal import EventPatterns
internal import FrameCodec
package import ReloadModel
internal import StrictJSON

/// Why an app file was refused: where, and what would be right.
package struct AppFileError: Error, Equatable, Sendable, CustomStringConvertible {
    /// From 1.
    package let line: Int
    /// From 1.
    package let column: Int
    /// The member that is wrong, such as `apps[0].kinds[2].match.character[0]`; empty for the file.
    package let path: String
    /// One sentence.
    package let message: String
    /// If it is a rule that is wrong, which way: a code of `protocol/patterns.md`.
    package let code: String?

    package var description: String {
        let place = "line \(line), column \(column)\(path.isEmpty ? "" : ", " + path)"
        return place + (code.map { ": " + $0 } ?? "") + ": " + message
    }
}

/// The app file: which apps there are, who may speak for them, and their kinds' rules.
///
/// Strict, because a slip in it would go unnoticed until a widget stays stale: unknown members,
/// wrong types and empty rules are refused, with line and column.
package enum AppFile {
    /// Reads an app file.
    package static func parse(_ bytes: ByteView) throws(AppFileError) -> AppCatalog {
        let parser = AppFileParser(bytes)
        var scanner = JSONScanner(depthLimit: RouterLimits.jsonDepth)
        do throws(JSONError) {
            try validateJSON(bytes, using: &scanner)
        } catch {
            throw parser.error(at: error.offset, "", error.sentence)
        }
        return try parser.catalog()
    }
}

/// Reads a text that the scanner has accepted.
struct AppFileParser {
    private let bytes: ByteView
    /// Most apps, and most kinds of all apps together.
    private static var numberLimit: Int { 65_000 }

    init(_ bytes: ByteView) {
        self.bytes = bytes
    }

    func error(
        at offset: Int,
        _ path: String,
        _ message: String,
        _ code: String? = nil
    ) -> AppFileError {
        let position = sourcePosition(of: offset, in: bytes)
        return AppFileError(
            line: position.line,
            column: position.column,
            path: path,
            message: message,
            code: code
        )
    }

    // MARK: - Apps and kinds

    func catalog() throws(AppFileError) -> AppCatalog {
        var reader = JSONReader(bytes)
        var apps: [AppDeclaration]?
        try members(&reader, "") { (name, reader, path) throws(AppFileError) in
            guard name == "apps" else { throw unknown(reader, path, "apps") }
            apps = try uniqueElements(&reader, path, app, name: \.app)
        }
        guard let apps else { throw error(at: 0, "", "the file has no member apps") }
        let kinds = apps.reduce(0) { $0 + $1.kinds.count }
        if apps.count > Self.numberLimit || kinds > Self.numberLimit {
            throw error(
                at: 0,
                "apps",
                "there are \(apps.count) apps and \(kinds) kinds; of each there may "
                    + "be \(Self.numberLimit)"
            )
        }
        return AppCatalog(apps: apps)
    }

    private func app(
        _ reader: inout JSONReader,
        _ path: String
    ) throws(AppFileError) -> AppDeclaration {
        let start = reader.offset
        var app: String?
        var declaration = AppDeclaration(app: "", kinds: [])
        try members(&reader, path) { (name, reader, path) throws(AppFileError) in
            switch name {
            case "app": app = try identifier(&reader, path)
            case "publisherTokens":
                declaration.publisherTokens = try elements(&reader, path, token)
            case "deviceTokens": declaration.deviceTokens = try elements(&reader, path, token)
            case "gatewayTokens": declaration.gatewayTokens = try elements(&reader, path, token)
            case "kinds": declaration.kinds = try uniqueElements(&reader, path, kind, name: \.kind)
            default:
                throw unknown(
                    reader,
                    path,
                    "app, publisherTokens, deviceTokens, gatewayTokens and kinds"
                )
            }
        }
        guard let app else { throw error(at: start, path, "the app has no member app, its id") }
        declaration.app = app
        return declaration
    }

    private func kind(
        _ reader: inout JSONReader,
        _ path: String
    ) throws(AppFileError) -> KindDeclaration {
        let start = reader.offset
        var kind: String?
        var rule: EventPattern?
        try members(&reader, path) { (name, reader, path) throws(AppFileError) in
            switch name {
            case "kind": kind = try identifier(&reader, path)
            case "match": rule = try self.rule(&reader, path)
            default: throw unknown(reader, path, "kind and match")
            }
        }
        guard let kind else { throw error(at: start, path, "the kind has no member kind, its id") }
        return KindDeclaration(kind: kind, rule: rule)
    }

    private func rule(
        _ reader: inout JSONReader,
        _ path: String
    ) throws(AppFileError) -> EventPattern {
        do throws(PatternError) {
            return try PatternParser.parse(&reader, path: path)
        } catch {
            throw self.error(at: error.offset, error.path, error.message, error.code.rawValue)
        }
    }

    // MARK: - Reading

    private func members(
        _ reader: inout JSONReader,
        _ path: String,
        _ body: (String, inout JSONReader, String) throws(AppFileError) -> Void
    ) throws(AppFileError) {
        guard reader.peek() == .object else { throw wrong(reader, path, "an object") }
        reader.enterObject()
        while let key = reader.nextKey() {
            let name = key.string
            try body(name, &reader, path.isEmpty ? name : "\(path).\(name)")
        }
    }

    private func elements<Element>(
        _ reader: inout JSONReader,
        _ path: String,
        _ body: (inout JSONReader, String) throws(AppFileError) -> Element
    ) throws(AppFileError) -> [Element] {
        guard reader.peek() == .array else { throw wrong(reader, path, "an array") }
        reader.enterArray()
        var elements: [Element] = []
        while reader.nextElement() {
            elements.append(try body(&reader, "\(path)[\(elements.count)]"))
        }
        return elements
    }

    private func string(
        _ reader: inout JSONReader,
        _ path: String
    ) throws(AppFileError) -> String {
        guard reader.peek() == .string else { throw wrong(reader, path, "a string") }
        return reader.readString().string
    }

    private func identifier(
        _ reader: inout JSONReader,
        _ path: String
    ) throws(AppFileError) -> String {
        let start = reader.offset
        let text = try string(&reader, path)
        do throws(ProtocolError) {
            try checkIdentifier(text, "the id")
        } catch {
            throw self.error(at: start, path, error.message)
        }
        return text
    }

    /// Reads a list whose elements must have different names.
    private func uniqueElements<Element>(
        _ reader: inout JSONReader,
        _ path: String,
        _ body: (inout JSONReader, String) throws(AppFileError) -> Element,
        name: (Element) -> String
    ) throws(AppFileError) -> [Element] {
        var seen: Set<[UInt8]> = []
        return try elements(&reader, path) { (reader, path) throws(AppFileError) in
            let start = reader.offset
            let element = try body(&reader, path)
            if !seen.insert(Array(name(element).utf8)).inserted {
                throw error(at: start, path, "\(name(element)) is declared a second time")
            }
            return element
        }
    }

    private func token(
        _ reader: inout JSONReader,
        _ path: String
    ) throws(AppFileError) -> String {
        let start = reader.offset
        let text = try string(&reader, path)
        if text.isEmpty {
            throw error(
                at: start,
                path,
                "the token is empty; leave the list out if the role needs none"
            )
        }
        return text
    }

    private func unknown(
        _ reader: JSONReader,
        _ path: String,
        _ known: String
    ) -> AppFileError {
        error(at: reader.offset, path, "the member is not known here; known are \(known)")
    }

    private func wrong(
        _ reader: JSONReader,
        _ path: String,
        _ expected: String
    ) -> AppFileError {
        error(at: reader.offset, path, "the value is \(reader.peek()); it must be \(expected)")
    }
}
