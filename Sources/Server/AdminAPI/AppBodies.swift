internal import DataStructures
package import RouterCore
package import StrictJSON

/// The list of all apps, with counts and quotas.
package struct AppsBody: AdminBody {
    private let apps: [AppFacts]

    package init(_ apps: [AppFacts]) {
        self.apps = apps
    }

    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.list("apps", of: apps) { app, json in
            json.beginObject()
            json.member("app", app.app)
            json.member("isPaused", app.isPaused)
            json.member("kinds", app.kinds)
            json.member("devices", app.devices)
            json.member("widgets", app.widgets)
            json.member("pushes", app.pushes)
            json.member("reloads", app.reloads)
            json.members(used: app.used, quotas: app.quotas)
            json.endObject()
        }
        json.endObject()
    }
}

/// One app: its declaration in the app file, with its tokens replaced by their number, and counts
/// of what is stored.
package struct AppBody: AdminBody {
    private let facts: AppFacts
    private let source: [UInt8]

    /// - Parameters:
    ///   - facts: counts of an app that the app file declares.
    ///   - source: text of the app file in force.
    package init(_ facts: AppFacts, source: [UInt8]) {
        self.facts = facts
        self.source = source
    }

    package func write(to json: inout JSONWriter) {
        json.beginObject()
        source.withByteView { source in
            AppFileText(source).forEachApp { app in
                if AppFileText.name(of: app) != facts.app { return }
                AppFileText.forEachMember(of: app) { name, value in
                    // The declared quotas are skipped: those in force are written below.
                    if name == "quotas" { return }
                    json.key(name)
                    if AppFileText.tokenLists.contains(name) {
                        json.integer(AppFileText.elementCount(value))
                    } else {
                        json.raw(value)
                    }
                }
            }
        }
        json.member("isPaused", facts.isPaused)
        json.member("devices", facts.devices)
        json.member("widgets", facts.widgets)
        json.member("pushes", facts.pushes)
        json.member("reloads", facts.reloads)
        json.members(used: facts.used, quotas: facts.quotas)
        json.endObject()
    }
}

/// The app file in force, with every token redacted.
package struct AppFileBody: AdminBody {
    private let source: [UInt8]

    package init(source: [UInt8]) {
        self.source = source
    }

    package func write(to json: inout JSONWriter) {
        json.beginObject()
        source.withByteView { source in
            AppFileText.forEachMember(of: source) { name, value in
                if name != "apps" {
                    json.key(name)
                    json.raw(value)
                }
            }
            json.key("apps")
            json.beginArray()
            AppFileText(source).forEachApp { app in write(app: app, to: &json) }
            json.endArray()
        }
        json.endObject()
    }

    private func write(app: ByteView, to json: inout JSONWriter) {
        json.beginObject()
        AppFileText.forEachMember(of: app) { name, value in
            json.key(name)
            if !AppFileText.tokenLists.contains(name) { return json.raw(value) }
            json.beginArray()
            for _ in 0..<AppFileText.elementCount(value) { json.string("(secret)") }
            json.endArray()
        }
        json.endObject()
    }
}

/// The answer to an app file that was installed.
package struct ReplacedAppsBody: AdminBody {
    private let apps: Int
    private let kinds: Int

    package init(apps: Int, kinds: Int) {
        self.apps = apps
        self.kinds = kinds
    }

    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("apps", apps)
        json.member("kinds", kinds)
        json.member("note", "the next SIGHUP and the next start read the app file of --apps again")
        json.endObject()
    }
}

/// The answer to pausing or resuming an app.
package struct PausedBody: AdminBody {
    private let app: String
    private let isPaused: Bool

    package init(app: String, isPaused: Bool) {
        self.app = app
        self.isPaused = isPaused
    }

    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("app", app)
        json.member("isPaused", isPaused)
        json.endObject()
    }
}

/// Walks through the text of an app file that was parsed before, and so is valid.
private struct AppFileText {
    static let tokenLists: Set = ["publisherTokens", "deviceTokens", "gatewayTokens"]

    private let source: ByteView

    init(_ source: ByteView) {
        self.source = source
    }

    func forEachApp(_ body: (ByteView) -> Void) {
        Self.forEachMember(of: source) { name, value in
            if name != "apps" { return }
            var reader = JSONReader(value)
            reader.enterArray()
            while reader.nextElement() { body(reader.rawValue()) }
        }
    }

    static func forEachMember(of object: ByteView, _ body: (String, ByteView) -> Void) {
        var reader = JSONReader(object)
        reader.enterObject()
        while let name = reader.nextKey() { body(name.string, reader.rawValue()) }
    }

    static func name(of app: ByteView) -> String? {
        var reader = JSONReader(app)
        reader.enterObject()
        while let name = reader.nextKey() {
            if name == "app" { return reader.readString().string }
            reader.skipValue()
        }
        return nil
    }

    static func elementCount(_ list: ByteView) -> Int64 {
        var reader = JSONReader(list)
        reader.enterArray()
        var count: Int64 = 0
        while reader.nextElement() {
            reader.skipValue()
            count += 1
        }
        return count
    }
}
