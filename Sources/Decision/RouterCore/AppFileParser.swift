internal import DataStructures
internal import EventPatterns
internal import ReloadModel
internal import StrictJSON

/// Reads a text that the scanner has accepted.
///
/// `AppFileParser+Policy.swift` has what a kind's policy is read from, `AppFileParser+Budget.swift`
/// its budget, `AppFileParser+Values.swift` what all of them are made of.
struct AppFileParser {
    /// A kind, and where its origin is named: the app may declare its origins behind its kinds.
    private struct ReadKind {
        var declaration: KindDeclaration
        var originOffset = 0
        var originPath = ""
    }

    private let bytes: ByteView
    /// Whether the file comes from a store or a recording.
    let isStored: Bool
    /// Most apps, and most kinds of all apps together.
    private static var numberLimit: Int { 65_000 }
    /// Most origins of an app.
    static var originLimit: Int { 256 }

    init(_ bytes: ByteView, isStored: Bool = false) {
        self.bytes = bytes
        self.isStored = isStored
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

    // MARK: - Apps

    private func app(
        _ reader: inout JSONReader,
        _ path: String
    ) throws(AppFileError) -> AppDeclaration {
        let start = reader.offset
        var app: String?
        var declaration = AppDeclaration(app: "", kinds: [])
        var kinds: [ReadKind] = []
        try members(&reader, path) { (name, reader, path) throws(AppFileError) in
            switch name {
            case "app": app = try identifier(&reader, path)
            case "publisherTokens":
                declaration.publisherTokens = try elements(&reader, path, token)
            case "deviceTokens": declaration.deviceTokens = try elements(&reader, path, token)
            case "gatewayTokens": declaration.gatewayTokens = try elements(&reader, path, token)
            case "quotas": declaration.quotas = try quotas(&reader, path)
            case "origins": declaration.origins = try origins(&reader, path)
            case "kinds": kinds = try uniqueElements(&reader, path, kind, name: \.declaration.kind)
            default:
                throw unknown(
                    reader,
                    path,
                    "app, publisherTokens, deviceTokens, gatewayTokens, quotas, origins and kinds"
                )
            }
        }
        guard let app else { throw error(at: start, path, "the app has no member app, its id") }
        try checkOrigins(of: kinds, declaration.origins)
        declaration.app = app
        declaration.kinds = kinds.map(\.declaration)
        return declaration
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

    private func origins(
        _ reader: inout JSONReader,
        _ path: String
    ) throws(AppFileError) -> [OriginDeclaration] {
        let start = reader.offset
        let origins = try uniqueElements(&reader, path, origin, name: \.origin)
        if origins.count > Self.originLimit {
            throw error(
                at: start,
                path,
                "there are \(origins.count) origins; an app may have \(Self.originLimit)"
            )
        }
        return origins
    }

    /// Names are compared by their bytes, as everywhere.
    private func checkOrigins(
        of kinds: [ReadKind],
        _ origins: [OriginDeclaration]
    ) throws(AppFileError) {
        let declared = Set(origins.map { Array($0.origin.utf8) })
        for kind in kinds {
            guard let origin = kind.declaration.policy.origin else { continue }
            if !declared.contains(Array(origin.utf8)) {
                throw error(
                    at: kind.originOffset,
                    kind.originPath,
                    "the app's origins have no \(quotation(origin)); declare it there, with its perSecond"
                )
            }
        }
    }

    // MARK: - Kinds

    private func kind(
        _ reader: inout JSONReader,
        _ path: String
    ) throws(AppFileError) -> ReadKind {
        let start = reader.offset
        var kind: String?
        var read = ReadKind(declaration: KindDeclaration(kind: ""))
        var fields: Set<[UInt8]> = []
        try members(&reader, path) { (name, reader, path) throws(AppFileError) in
            switch name {
            case "kind": kind = try identifier(&reader, path)
            case "match": read.declaration.rule = try rule(&reader, path)
            case "origin":
                read.originOffset = reader.offset
                read.originPath = path
                read.declaration.policy.origin = try identifier(&reader, path)
            default:
                try policyMember(name, &reader, path, &read.declaration.policy, &fields)
            }
        }
        guard let kind else { throw error(at: start, path, "the kind has no member kind, its id") }
        read.declaration.kind = kind
        return read
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
}
