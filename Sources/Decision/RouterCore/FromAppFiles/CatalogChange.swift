package import Basics

/// What leads from the app file in force to another one, in portions, so that no tick installs more
/// than a few kinds or apps.
///
///     portion ─► portion ─► …      kinds that are gone, then those that are new or differ;
///                                  apps that are new or differ, then those that are gone
///     the end                      the file's text, and what follows from settings for APNs
///
/// Files are compared by their texts, kind by kind: what is the same by its bytes is not touched.
/// A pure value, made on any thread. It is right as long as the file that it was made from is in
/// force and whole.
package struct CatalogChange: Equatable, Sendable {
    /// Kinds or apps that are declared or withdrawn together. An app that is listed without kinds
    /// stands for itself: for its quotas, origins and settings.
    package struct Portion: Equatable, Sendable {
        /// Kinds that are new or differ, in their apps, with the origins of these; or such apps.
        package fileprivate(set) var declared = AppCatalog(apps: [])
        /// Kinds that are declared no more, by their names; or such apps.
        package fileprivate(set) var withdrawn = AppCatalog(apps: [])
        /// The kinds of each app of `declared`, if these stand for themselves. The journal has them
        /// in the file as a whole.
        fileprivate(set) var kinds: [[KindDeclaration]] = []
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
    /// The number of kinds that the former file does not declare: at most as many need a number.
    package private(set) var newKindCount = 0
    /// The number of apps that the former file does not declare.
    package private(set) var newAppCount = 0
    /// Whether kinds are declared or withdrawn.
    private(set) var hasKinds = false

    /// Whether both files declare the same.
    package var isEmpty: Bool { apps.isEmpty && removedApps.isEmpty }

    /// Compares two valid app files, both without secrets: the text of the file in force, and the
    /// new one. A portion has at most `limit` kinds.
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
        var changed = PortionWriter(limit: limit)
        for (text, declaration) in zip(new, declarations.apps) {
            let before = old.removeValue(forKey: text.name)
            if let before, before.whole == text.whole { continue }
            apps.append(declaration)
            if before == nil { newAppCount += 1 }
            let kinds = text.kinds
            precondition(kinds.count == declaration.kinds.count, "the text is of another file")
            var formerKinds: [[UInt8]: ByteView] = [:]
            for kind in before?.kinds ?? [] { formerKinds[kind.name] = kind.text }
            // An app takes about as long as a kind.
            changed.add((text, declaration))
            // A kind's rules depend on its origin's.
            let haveOriginsChanged = !Self.isSame(before?.origins, as: text.origins)
            for (kind, declaration) in zip(kinds, declaration.kinds) {
                let same = formerKinds.removeValue(forKey: kind.name)
                if haveOriginsChanged || !Self.isSame(same, as: kind.text) {
                    declared.add(declaration, text: kind.text, of: (text, apps[apps.count - 1]))
                    if same == nil { newKindCount += 1 }
                }
            }
            for kind in before?.kinds ?? [] where formerKinds[kind.name] != nil {
                withdrawn.withdraw(kind.name, of: text.name)
            }
        }
        var removed = PortionWriter(limit: limit)
        for app in AppText.all(in: former) where old[app.name] != nil {
            removedApps.append(app.name.withByteView(\.string))
            for kind in app.kinds { withdrawn.withdraw(kind.name, of: app.name) }
            removed.withdraw(app.name)
        }
        portions = withdrawn.finished.map { Portion(withdrawn: $0, withdrawnSource: $1) }
        portions += declared.finished.map { Portion(declared: $0, declaredSource: $1) }
        hasKinds = !portions.isEmpty
        portions += changed.finished.map { Portion(declared: $0, declaredSource: $1) }
        portions += removed.finished.map { Portion(withdrawn: $0, withdrawnSource: $1) }
        addKinds()
    }

    /// Adds the kinds of the apps that stand for themselves, which are those of `apps` in order.
    private mutating func addKinds() {
        var rest = apps[...]
        for index in portions.indices {
            for app in portions[index].declared.apps where app.kinds.isEmpty {
                portions[index].kinds.append(rest.removeFirst().kinds)
                assert(app.app == apps[rest.startIndex - 1].app, "the apps are in another order")
            }
        }
    }

    private static func isSame(_ one: ByteView?, as other: ByteView?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return one == other
    }
}

/// Collects kinds, or apps, into app files of at most `limit` of them. Origins count, too, but no
/// more than half of the limit: all of an app's are declared with its first kind in each file.
private struct PortionWriter {
    let limit: Int
    private var catalogs: [(catalog: AppCatalog, source: [UInt8])] = []
    private var apps: [AppDeclaration] = []
    private var json = JSONWriter()
    private var count = 0
    /// The app whose kinds are being written; nil before the first.
    private var app: [UInt8]?

    init(limit: Int) { self.limit = limit }

    /// Adds an app, which stands for itself.
    mutating func add(_ app: (text: AppText, declaration: AppDeclaration)) {
        var declaration = app.declaration
        declaration.kinds = []
        begin(app.text.name, declaration: declaration, members: app.text.settings)
        end()
    }

    /// Adds a kind as a file declares it.
    mutating func add(
        _ kind: KindDeclaration,
        text: ByteView,
        of app: (text: AppText, declaration: AppDeclaration)
    ) {
        let declaration = AppDeclaration(
            app: app.declaration.app,
            origins: app.declaration.origins,
            kinds: []
        )
        begin(app.text.name, declaration: declaration, members: app.text.ofOrigins)
        apps[apps.count - 1].kinds.append(kind)
        json.raw(text)
        end()
    }

    /// Adds the name of a kind.
    mutating func withdraw(_ kind: [UInt8], of app: [UInt8]) {
        let name = kind.withByteView(\.string)
        begin(app)
        apps[apps.count - 1].kinds.append(KindDeclaration(kind: name))
        json.object { $0.member("kind", value: name) }
        end()
    }

    /// Adds the name of an app.
    mutating func withdraw(_ app: [UInt8]) {
        begin(app)
        end()
    }

    /// The app files.
    var finished: [(catalog: AppCatalog, source: [UInt8])] {
        var all = self
        all.close()
        return all.catalogs
    }

    private mutating func begin(_ name: [UInt8]) {
        let declaration = AppDeclaration(app: name.withByteView(\.string), kinds: [])
        begin(name, declaration: declaration, members: [])
    }

    /// Begins an app, unless it is the last one. The declaration is without kinds; `members` is the
    /// same as text.
    private mutating func begin(
        _ name: [UInt8],
        declaration: AppDeclaration,
        members: [AppText.Member]
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
        for member in members { json.member(member.name, json: member.value) }
        count += min(declaration.origins.count, limit / 2)
        json.key("kinds")
        json.beginArray()
    }

    private mutating func end() {
        count += 1
        if count >= limit { close() }
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

/// The text of one app in an app file that was parsed before, and so is valid.
private struct AppText {
    /// The whole object.
    let whole: ByteView
    /// Its name, as UTF-8 without escapes.
    let name: [UInt8]
    /// What it says of the app itself, as the router decides by it.
    private(set) var settings: [Member] = []
    private var kindList: ByteView?

    /// A member of the app, and its value.
    typealias Member = (name: String, value: ByteView)

    /// The list of its origins; nil if there is none.
    var origins: ByteView? { ofOrigins.first?.value }
    /// The member that lists its origins, if there is one.
    var ofOrigins: [Member] { settings.filter { $0.name == "origins" } }

    private init(_ whole: ByteView) {
        self.whole = whole
        var name: [UInt8] = []
        var reader = JSONReader(whole)
        reader.enterObject()
        while let key = reader.nextKey() {
            switch key.string {
            case "app": name = Array(reader.readString().string.utf8)
            case "kinds": kindList = reader.rawValue()
            case "apns", "quotas", "origins": settings.append((key.string, reader.rawValue()))
            default: reader.skipValue()
            }
        }
        self.name = name
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
