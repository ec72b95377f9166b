internal import Basics
internal import Credentials
internal import EventPatterns

/// Reads an app file that `JSONScanner` has accepted as JSON.
///
/// `AppFileParser+Access.swift` reads who may have a role, `AppFileParser+Policy.swift` the policy
/// of a kind, `AppFileParser+Budget.swift` its budget, `AppFileParser+Quotas.swift` the quotas of
/// an app, `AppFileParser+APNs.swift` its settings for APNs, and `AppFileParser+Values.swift` the
/// objects, lists and values of all of them. Each reading function gets the reader, which stands at
/// the value, and the value's path for error messages.
struct AppFileParser {
    /// A kind, and where it names its origin: that can be checked only once the app's origins are
    /// read, which may be declared after its kinds.
    private struct ParsedKind {
        var declaration: KindDeclaration
        var originOffset = 0
        var originPath = ""
    }

    private let bytes: ByteView
    /// Whether the file comes from a store or a recording; see `checkIdentifier`.
    let isStored: Bool
    /// The most apps, and the most kinds of all apps together; a file with more is refused.
    private static var numberLimit: Int { 65_000 }
    /// The most origins of one app; a file with more is refused.
    static var originLimit: Int { 256 }

    init(_ bytes: ByteView, isStored: Bool = false) {
        self.bytes = bytes
        self.isStored = isStored
    }

    /// Makes an error with the line and column of a byte offset in the file.
    func error(at offset: Int, path: String, message: String, code: String? = nil) -> AppFileError {
        let position = sourcePosition(of: offset, in: bytes)
        return AppFileError(
            line: position.line,
            column: position.column,
            path: path,
            message: message,
            code: code
        )
    }

    /// An app, and who may have its roles.
    private struct ParsedApp {
        var declaration: AppDeclaration
        var access: AppAccess
    }

    /// Reads the whole file.
    func file() throws(AppFileError) -> AppFile {
        var reader = JSONReader(bytes)
        var apps: [ParsedApp]?
        try members(&reader, path: "") { (name, reader, path) throws(AppFileError) in
            guard name == "apps" else { throw unknownMember(reader, path: path, known: "apps") }
            apps = try uniqueElements(&reader, path: path, each: app, name: \.declaration.app)
        }
        guard let apps else { throw error(at: 0, path: "", message: "the file has no member apps") }
        let kinds = apps.reduce(0) { $0 + $1.declaration.kinds.count }
        if apps.count > Self.numberLimit || kinds > Self.numberLimit {
            throw error(
                at: 0,
                path: "apps",
                message: "there are \(apps.count) apps and \(kinds) kinds; of each there may "
                    + "be \(Self.numberLimit)"
            )
        }
        return AppFile(
            catalog: AppCatalog(apps: apps.map(\.declaration)),
            access: apps.map(\.access),
            source: isStored ? [] : appFileWithoutSecrets(bytes)
        )
    }

    // MARK: - Apps

    private func app(_ reader: inout JSONReader, path: String) throws(AppFileError) -> ParsedApp {
        let start = reader
        do throws(AppFileError) {
            return try unnamedApp(&reader, path: path)
        } catch {
            throw error.naming("app", name: name(of: start, as: "app"))
        }
    }

    /// The name that an object gives itself, for people who look for it in a file of many; nil if
    /// it gives none.
    private func name(of object: JSONReader, as member: String) -> String? {
        var reader = object
        if reader.peek() != .object { return nil }
        reader.enterObject()
        while let key = reader.nextKey() {
            if key.string == member, reader.peek() == .string { return reader.readString().string }
            reader.skipValue()
        }
        return nil
    }

    private func unnamedApp(
        _ reader: inout JSONReader,
        path: String
    ) throws(AppFileError) -> ParsedApp {
        let start = reader.offset
        var app: String?
        var access = AppAccess(app: "")
        var declaration = AppDeclaration(app: "", kinds: [])
        var kinds: [ParsedKind] = []
        try members(&reader, path: path) { (name, reader, path) throws(AppFileError) in
            switch name {
            case "app": app = try identifier(&reader, path: path)
            case _ where isStored && Self.isAccess(name): reader.skipValue()
            case "publishers", "devices", "gateways":
                try self.access(&reader, path: path, member: name, into: &access)
            case "publisherTokens", "deviceTokens", "gatewayTokens":
                throw formerTokens(reader, path: path, member: name)
            case "apns": declaration.apns = try apns(&reader, path: path)
            case "quotas": declaration.quotas = try quotas(&reader, path: path)
            case "origins": declaration.origins = try origins(&reader, path: path)
            case "kinds":
                kinds = try uniqueElements(
                    &reader,
                    path: path,
                    each: kind,
                    name: \.declaration.kind
                )
            default:
                throw unknownMember(
                    reader,
                    path: path,
                    known:
                        "app, publishers, devices, gateways, apns, quotas, origins and kinds"
                )
            }
        }
        guard let app else {
            throw error(at: start, path: path, message: "the app has no member app, its id")
        }
        try checkOrigins(of: kinds, against: declaration.origins)
        declaration.app = app
        declaration.kinds = kinds.map(\.declaration)
        access.app = app
        return ParsedApp(declaration: declaration, access: access)
    }

    private func origins(
        _ reader: inout JSONReader,
        path: String
    ) throws(AppFileError) -> [OriginDeclaration] {
        let start = reader.offset
        let origins = try uniqueElements(&reader, path: path, each: origin, name: \.origin)
        if origins.count > Self.originLimit {
            throw error(
                at: start,
                path: path,
                message: "there are \(origins.count) origins; an app may have \(Self.originLimit)"
            )
        }
        return origins
    }

    /// Checks that every origin named by a kind is declared; names are compared by their bytes.
    private func checkOrigins(
        of kinds: [ParsedKind],
        against origins: [OriginDeclaration]
    ) throws(AppFileError) {
        let declared = Set(origins.map { Array($0.origin.utf8) })
        for kind in kinds {
            guard let origin = kind.declaration.policy.origin else { continue }
            if !declared.contains(Array(origin.utf8)) {
                throw error(
                    at: kind.originOffset,
                    path: kind.originPath,
                    message:
                        "the app's origins have no \(quotation(origin)); declare it there, with its perSecond"
                )
            }
        }
    }

    // MARK: - Kinds

    private func kind(_ reader: inout JSONReader, path: String) throws(AppFileError) -> ParsedKind {
        let start = reader
        do throws(AppFileError) {
            return try unnamedKind(&reader, path: path)
        } catch {
            throw error.naming("kind", name: name(of: start, as: "kind"))
        }
    }

    private func unnamedKind(
        _ reader: inout JSONReader,
        path: String
    ) throws(AppFileError) -> ParsedKind {
        let start = reader.offset
        var kind: String?
        var read = ParsedKind(declaration: KindDeclaration(kind: ""))
        var fields: Set<[UInt8]> = []
        try members(&reader, path: path) { (name, reader, path) throws(AppFileError) in
            switch name {
            case "kind": kind = try identifier(&reader, path: path)
            case "match": read.declaration.rule = try rule(&reader, path: path)
            case "origin":
                read.originOffset = reader.offset
                read.originPath = path
                read.declaration.policy.origin = try identifier(&reader, path: path)
            default:
                try policyMember(
                    name,
                    from: &reader,
                    path: path,
                    into: &read.declaration.policy,
                    fields: &fields
                )
            }
        }
        guard let kind else {
            throw error(at: start, path: path, message: "the kind has no member kind, its id")
        }
        read.declaration.kind = kind
        return read
    }

    private func rule(
        _ reader: inout JSONReader,
        path: String
    ) throws(AppFileError) -> EventPattern {
        do throws(PatternError) {
            return try PatternParser.parse(&reader, path: path, isStored: isStored)
        } catch {
            throw self.error(
                at: error.offset,
                path: error.path,
                message: error.message,
                code: error.code.rawValue
            )
        }
    }
}
