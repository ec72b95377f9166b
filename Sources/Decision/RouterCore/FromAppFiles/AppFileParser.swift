internal import Basics
internal import Credentials
internal import EventPatterns

/// Reads an app file that `JSONScanner` has accepted as JSON.
///
/// `AppFileParser+Access.swift` reads who may have a role, `AppFileParser+Policy.swift` the policy
/// of a kind, `AppFileParser+Budget.swift` its budget, `AppFileParser+Quotas.swift` the quotas of
/// an app, `AppFileParser+APNs.swift` its settings for APNs, and `AppFileParser+Values.swift` the
/// objects, lists and values of all of them. The parser stands at a value, which each reading
/// function reads; it is a class because functions and the bodies that they call move it in turn.
final class AppFileParser {
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
    /// Stands at the value that is read.
    var reader: JSONReader
    /// The path of the value that is read, for errors.
    private(set) var path = ""
    /// The offset of that value's first byte.
    private(set) var start = 0
    /// The most apps, and the most kinds of all apps together; a file with more is refused.
    private static var numberLimit: Int { 65_000 }
    /// The most origins of one app; a file with more is refused.
    static var originLimit: Int { 256 }

    init(_ bytes: ByteView, isStored: Bool) {
        self.bytes = bytes
        reader = JSONReader(bytes)
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

    /// An error at the value that is read.
    func mistake(_ sentence: String) -> AppFileError {
        error(at: start, path: path, message: sentence)
    }

    /// Reads with `body` the value at which the reader stands now, whose path is given.
    func atValue<Value>(
        _ path: String,
        read body: () throws(AppFileError) -> Value
    ) throws(AppFileError) -> Value {
        let outer = (path: self.path, start: start)
        defer { (self.path, start) = outer }
        (self.path, start) = (path, reader.offset)
        return try body()
    }

    /// An app, and who may have its roles.
    private struct ParsedApp {
        var declaration: AppDeclaration
        var access: AppAccess
    }

    /// Reads the whole file.
    func file() throws(AppFileError) -> AppFile {
        var apps: [ParsedApp]?
        try members { (name) throws(AppFileError) in
            guard name == "apps" else { throw unknownMember(known: "apps") }
            apps = try uniqueElements(
                each: { () throws(AppFileError) in try named("app", read: app) },
                name: \.declaration.app
            )
        }
        guard let apps else { throw mistake("the file has no member apps") }
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

    /// Reads an object with `body`; an error gets the name that the object gives itself as `what`,
    /// for people who look for it in a file of many.
    private func named<Value>(
        _ what: String,
        read body: () throws(AppFileError) -> Value
    ) throws(AppFileError) -> Value {
        let object = reader
        do throws(AppFileError) {
            return try body()
        } catch {
            throw error.naming(what, name: ownName(of: object, as: what))
        }
    }

    /// The name that an object has as a member; nil if it has none.
    func ownName(of object: JSONReader, as member: String) -> String? {
        var reader = object
        if reader.peek() != .object { return nil }
        reader.enterObject()
        while let key = reader.nextKey() {
            if key.string == member, reader.peek() == .string { return reader.readString().string }
            reader.skipValue()
        }
        return nil
    }

    // MARK: - Apps

    private func app() throws(AppFileError) -> ParsedApp {
        var app: String?
        var access = AppAccess(app: "")
        var declaration = AppDeclaration(app: "", kinds: [])
        var kinds: [ParsedKind] = []
        try members { (name) throws(AppFileError) in
            switch name {
            case "app": app = try identifier()
            case _ where isStored && Self.isAccess(name): reader.skipValue()
            case "publishers": access.publishers = try roleAccess(namesMember: "producers")
            case "devices": access.devices = try roleAccess(namesMember: "devices")
            case "gateways": access.gateways = try roleAccess(namesMember: "devices")
            case "publisherTokens", "deviceTokens", "gatewayTokens": throw formerTokens(name)
            case "apns": declaration.apns = try apns()
            case "quotas": declaration.quotas = try quotas()
            case "origins": declaration.origins = try origins()
            case "kinds":
                kinds = try uniqueElements(
                    each: { () throws(AppFileError) in try named("kind", read: kind) },
                    name: \.declaration.kind
                )
            default:
                throw unknownMember(
                    known: "app, publishers, devices, gateways, apns, quotas, origins and kinds"
                )
            }
        }
        guard let app else { throw mistake("the app has no member app, its id") }
        try checkOrigins(of: kinds, against: declaration.origins)
        declaration.app = app
        declaration.kinds = kinds.map(\.declaration)
        access.app = app
        return ParsedApp(declaration: declaration, access: access)
    }

    private func origins() throws(AppFileError) -> [OriginDeclaration] {
        let origins = try uniqueElements(each: origin, name: \.origin)
        if origins.count > Self.originLimit {
            throw mistake(
                "there are \(origins.count) origins; an app may have \(Self.originLimit)"
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
                    message: "the app's origins have no \(quotation(origin)); declare it there, "
                        + "with its perSecond"
                )
            }
        }
    }

    // MARK: - Kinds

    private func kind() throws(AppFileError) -> ParsedKind {
        var kind: String?
        var read = ParsedKind(declaration: KindDeclaration(kind: ""))
        var fields: Set<[UInt8]> = []
        try members { (name) throws(AppFileError) in
            switch name {
            case "kind": kind = try identifier()
            case "match": read.declaration.rule = try rule()
            case "origin":
                (read.originOffset, read.originPath) = (start, path)
                read.declaration.policy.origin = try identifier()
            default: try policyMember(name, into: &read.declaration.policy, fields: &fields)
            }
        }
        guard let kind else { throw mistake("the kind has no member kind, its id") }
        read.declaration.kind = kind
        return read
    }

    private func rule() throws(AppFileError) -> EventPattern {
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
