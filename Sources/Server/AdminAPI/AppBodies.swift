internal import DataStructures
package import RouterCore
package import StrictJSON

/// The list of all apps, with counts and quotas.
package struct AppsBody: AdminBody {
    private let apps: [AppView]

    /// Makes a list of the apps, in this order.
    package init(_ apps: [AppView]) {
        self.apps = apps
    }

    /// Writes the body as one JSON object.
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.list("apps", of: apps) { app, json in
            json.beginObject()
            json.member("app", value: app.app)
            json.member("isPaused", value: app.isPaused)
            json.member("kinds", value: app.kinds)
            json.member("devices", value: app.devices)
            json.member("widgets", value: app.widgets)
            json.member("pushes", value: app.pushes)
            json.member("reloads", value: app.reloads)
            json.members(used: app.used, quotas: app.quotas)
            json.endObject()
        }
        json.endObject()
    }
}

/// One app: its declaration in the app file, with its tokens replaced by their number, and counts
/// of what is stored.
package struct AppBody: AdminBody {
    private let view: AppView
    private let source: [UInt8]

    /// - Parameters:
    ///   - view: counts of an app that the app file declares.
    ///   - source: text of the app file in force.
    package init(_ view: AppView, source: [UInt8]) {
        self.view = view
        self.source = source
    }

    /// Writes the body as one JSON object.
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        source.withByteView { source in
            AppFileText(source).forEachApp { app in
                if AppFileText.name(of: app) != view.app { return }
                AppFileText.forEachMember(of: app) { name, value in
                    // The declared quotas are skipped: those in force are written below.
                    if name == "quotas" { return }
                    json.key(name)
                    let isList = JSONReader(value).peek() == .array
                    if AppFileText.accessMembers.contains(name) && isList {
                        json.integer(AppFileText.elementCount(value))
                    } else {
                        json.raw(value)
                    }
                }
            }
        }
        json.member("isPaused", value: view.isPaused)
        json.member("devices", value: view.devices)
        json.member("widgets", value: view.widgets)
        json.member("pushes", value: view.pushes)
        json.member("reloads", value: view.reloads)
        json.members(used: view.used, quotas: view.quotas)
        json.endObject()
    }
}

/// The app file in force, with every token redacted.
package struct AppFileBody: AdminBody {
    private let source: [UInt8]

    /// Makes a body from the text of the app file in force.
    package init(source: [UInt8]) {
        self.source = source
    }

    /// Writes the body as one JSON object.
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
            json.raw(value)
        }
        json.endObject()
    }
}

/// The answer to an app file that was installed.
package struct ReplacedAppsBody: AdminBody {
    private let apps: Int
    private let kinds: Int
    private let undeclaredWidgets: Int
    private let warnings: [String]

    /// - Parameters:
    ///   - apps: the number of apps that the file declares.
    ///   - kinds: the number of kinds that it declares.
    ///   - undeclaredWidgets: the widgets whose kind it does not declare.
    ///   - warnings: what it says and seldom means.
    package init(apps: Int, kinds: Int, undeclaredWidgets: Int, warnings: [String]) {
        self.apps = apps
        self.kinds = kinds
        self.undeclaredWidgets = undeclaredWidgets
        self.warnings = warnings
    }

    /// Writes the body as one JSON object.
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("apps", value: apps)
        json.member("kinds", value: kinds)
        json.member("undeclaredWidgets", value: undeclaredWidgets)
        json.list("warnings", of: warnings) { warning, json in json.string(warning) }
        json.member(
            "note",
            value: "the next SIGHUP and the next start read the app file of --apps again"
        )
        json.endObject()
    }
}

/// The answer to pausing or resuming an app.
package struct PausedBody: AdminBody {
    private let app: String
    private let isPaused: Bool

    /// Makes an answer from the state that the app is in now.
    package init(app: String, isPaused: Bool) {
        self.app = app
        self.isPaused = isPaused
    }

    /// Writes the body as one JSON object.
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("app", value: app)
        json.member("isPaused", value: isPaused)
        json.endObject()
    }
}

/// Walks through the text of an app file that was parsed before, and so is valid.
private struct AppFileText {
    static let accessMembers: Set = ["publishers", "devices", "gateways"]

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

    static func forEachMember(of object: ByteView, body: (String, ByteView) -> Void) {
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
