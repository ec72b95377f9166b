package import Basics
package import RouterCore

/// An app in the list of all, with counts and quotas.
extension AppView: ListedEntry {
    /// The name of the list.
    package static var list: String { "apps" }

    /// Writes its members into an open object.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("app", value: app)
        json.member("isPaused", value: isPaused)
        json.member("kinds", value: kinds)
        json.member("devices", value: devices)
        json.member("widgets", value: widgets)
        json.member("pushes", value: pushes)
        json.member("reloads", value: reloads)
        json.members(used: used, quotas: quotas)
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
                if name != "apps" { json.member(name, json: value) }
            }
            json.key("apps")
            json.beginArray()
            AppFileText(source).forEachApp { app in
                json.beginObject()
                AppFileText.forEachMember(of: app) { name, value in
                    json.member(name, json: value)
                }
                json.endObject()
            }
            json.endArray()
        }
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
