package import Basics

/// What leads from the app file in force to another one, in portions, so that no tick installs more
/// than a few kinds.
///
///     portion ─► portion ─► …      kinds that are gone, then those that are new or differ;
///                                  apps that are new
///     the end                      apps, their quotas, origins and settings, and the file's text
///
/// Files are compared by their texts, kind by kind: what is the same by its bytes is not touched.
/// A pure value, made on any thread. It is right as long as the file that it was made from is in
/// force and whole.
package struct CatalogChange: Equatable, Sendable {
    /// Kinds that are declared or withdrawn together, and apps that have none.
    package struct Portion: Equatable, Sendable {
        /// Kinds that are new or differ, in their apps, with the origins of these.
        package fileprivate(set) var declared = AppCatalog(apps: [])
        /// Kinds that are declared no more, by their names.
        package fileprivate(set) var withdrawn = AppCatalog(apps: [])
        /// The app files of which these are read, for the journal; empty for none.
        fileprivate(set) var declaredSource: [UInt8] = []
        fileprivate(set) var withdrawnSource: [UInt8] = []
    }

    /// The portions, in the order in which they are applied.
    package private(set) var portions: [Portion] = []
    /// The apps that are new or differ in any way, as the new file declares them.
    package private(set) var apps: [AppDeclaration] = []
    /// The names of apps that the new file does not declare.
    package private(set) var removedApps: [String] = []
    /// The number of kinds in `portions` that are declared; at least as many as are new.
    package private(set) var declaredKindCount = 0

    /// Whether both files declare the same.
    package var isEmpty: Bool { apps.isEmpty && removedApps.isEmpty }

    /// Compares two app files, both without secrets.
    ///
    /// - Parameters:
    ///   - former: the text of the file in force, which is valid.
    ///   - declarations: what the new file declares.
    ///   - source: the text of the new file, which is valid.
    ///   - limit: the most kinds of a portion.
    package init(
        from former: ByteView,
        to declarations: AppCatalog,
        source: ByteView,
        kindsPerPortion limit: Int
    ) {
        let new = AppText.all(in: source)
        precondition(new.count == declarations.apps.count, "the text is of another file")
        var old: [[UInt8]: AppText] = [:]
        for app in AppText.all(in: former) { old[app.name] = app }
        var withdrawn = PortionWriter(limit: limit)
        var declared = PortionWriter(limit: limit)
        for (text, declaration) in zip(new, declarations.apps) {
            let before = old.removeValue(forKey: text.name)
            if let before, before.whole == text.whole { continue }
            apps.append(declaration)
            let kinds = text.kinds
            precondition(kinds.count == declaration.kinds.count, "the text is of another file")
            var formerKinds: [[UInt8]: ByteView] = [:]
            for kind in before?.kinds ?? [] { formerKinds[kind.name] = kind.text }
            // Making an app takes about as long as making a kind.
            if before == nil && kinds.isEmpty { declared.add((text, declaration)) }
            // A kind's rules depend on its origin's.
            let haveOriginsChanged = !Self.isSame(before?.origins, as: text.origins)
            for (kind, declaration) in zip(kinds, declaration.kinds) {
                let same = formerKinds.removeValue(forKey: kind.name)
                if haveOriginsChanged || !Self.isSame(same, as: kind.text) {
                    declared.add(declaration, text: kind.text, of: (text, apps[apps.count - 1]))
                    declaredKindCount += 1
                }
            }
            for kind in before?.kinds ?? [] where formerKinds[kind.name] != nil {
                withdrawn.withdraw(kind.name, of: text.name)
            }
        }
        for app in AppText.all(in: former) where old[app.name] != nil {
            removedApps.append(app.name.withByteView(\.string))
            for kind in app.kinds { withdrawn.withdraw(kind.name, of: app.name) }
        }
        portions =
            withdrawn.finished.map { (catalog, source) in
                var portion = Portion()
                (portion.withdrawn, portion.withdrawnSource) = (catalog, source)
                return portion
            }
            + declared.finished.map { (catalog, source) in
                var portion = Portion()
                (portion.declared, portion.declaredSource) = (catalog, source)
                return portion
            }
    }

    private static func isSame(_ one: ByteView?, as other: ByteView?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return one == other
    }
}

/// Collects kinds into app files of at most `limit` kinds.
private struct PortionWriter {
    let limit: Int
    private var catalogs: [(catalog: AppCatalog, source: [UInt8])] = []
    private var apps: [AppDeclaration] = []
    private var json = JSONWriter()
    private var count = 0
    /// The app whose kinds are being written; nil before the first.
    private var app: [UInt8]?

    init(limit: Int) {
        self.limit = limit
    }

    /// Adds an app without kinds.
    mutating func add(_ app: (text: AppText, declaration: AppDeclaration)) {
        begin(app.text.name, declaration: app.declaration.withoutKinds, origins: app.text.origins)
        end()
    }

    /// Adds a kind as a file declares it.
    mutating func add(
        _ kind: KindDeclaration,
        text: ByteView,
        of app: (text: AppText, declaration: AppDeclaration)
    ) {
        begin(app.text.name, declaration: app.declaration.withoutKinds, origins: app.text.origins)
        apps[apps.count - 1].kinds.append(kind)
        json.raw(text)
        end()
    }

    /// Adds the name of a kind.
    mutating func withdraw(_ kind: [UInt8], of app: [UInt8]) {
        let name = kind.withByteView(\.string)
        let declaration = AppDeclaration(app: app.withByteView(\.string), kinds: [])
        begin(app, declaration: declaration, origins: nil)
        apps[apps.count - 1].kinds.append(KindDeclaration(kind: name))
        json.object { $0.member("kind", value: name) }
        end()
    }

    /// The app files.
    var finished: [(catalog: AppCatalog, source: [UInt8])] {
        var all = self
        all.close()
        return all.catalogs
    }

    private mutating func begin(
        _ name: [UInt8],
        declaration: AppDeclaration,
        origins: ByteView?
    ) {
        if app == name { return }
        if app == nil {
            json.beginObject()
            json.key("apps")
            json.beginArray()
        } else {
            closeApp()
        }
        app = name
        apps.append(declaration)
        json.beginObject()
        json.member("app", value: declaration.app)
        if let origins {
            json.key("origins")
            json.raw(origins)
        }
        json.key("kinds")
        json.beginArray()
    }

    private mutating func end() {
        count += 1
        if count == limit { close() }
    }

    private mutating func closeApp() {
        json.endArray()
        json.endObject()
    }

    private mutating func close() {
        if count == 0 { return }
        closeApp()
        json.endArray()
        json.endObject()
        catalogs.append((AppCatalog(apps: apps), json.bytes))
        (apps, json, count, app) = ([], JSONWriter(), 0, nil)
    }
}

extension AppDeclaration {
    /// The app with its origins alone.
    fileprivate var withoutKinds: AppDeclaration {
        AppDeclaration(app: app, origins: origins, kinds: [])
    }
}

/// The text of one app in an app file that was parsed before, and so is valid.
private struct AppText {
    /// The whole object.
    let whole: ByteView
    /// Its name, as UTF-8 without escapes.
    let name: [UInt8]
    /// The list of its origins; nil if there is none.
    let origins: ByteView?
    private let kindList: ByteView?

    private init(_ whole: ByteView) {
        self.whole = whole
        var (name, origins, kinds): ([UInt8], ByteView?, ByteView?) = ([], nil, nil)
        var reader = JSONReader(whole)
        reader.enterObject()
        while let key = reader.nextKey() {
            if key == "app" {
                name = Array(reader.readString().string.utf8)
            } else {
                let value = reader.rawValue()
                if key == "origins" { origins = value }
                if key == "kinds" { kinds = value }
            }
        }
        (self.name, self.origins, kindList) = (name, origins, kinds)
    }

    /// All apps of a file, in their order; none of an empty text.
    static func all(in source: ByteView) -> [AppText] {
        if source.count == 0 { return [] }
        var apps: [AppText] = []
        var reader = JSONReader(source)
        reader.enterObject()
        while let key = reader.nextKey() {
            if key == "apps" {
                reader.enterArray()
                while reader.nextElement() { apps.append(AppText(reader.rawValue())) }
            } else {
                reader.skipValue()
            }
        }
        return apps
    }

    /// The kinds, in their order.
    var kinds: [(name: [UInt8], text: ByteView)] {
        guard let kindList else { return [] }
        var kinds: [(name: [UInt8], text: ByteView)] = []
        var reader = JSONReader(kindList)
        reader.enterArray()
        while reader.nextElement() {
            let text = reader.rawValue()
            var members = JSONReader(text)
            members.enterObject()
            var name: [UInt8] = []
            while let key = members.nextKey() {
                if key == "kind" {
                    name = Array(members.readString().string.utf8)
                } else {
                    members.skipValue()
                }
            }
            kinds.append((name, text))
        }
        return kinds
    }
}
