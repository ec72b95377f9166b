internal import Basics
package import RouterCore

extension ObjectBody {
    /// One app: its declaration in the app file, with its tokens replaced by their number, and
    /// counts of what is stored.
    package static func app(_ view: AppView, source: [UInt8]) -> ObjectBody {
        ObjectBody { json in
            source.withByteView { source in
                AppFileText(source).forEachApp { app in
                    if AppFileText.name(of: app) == view.app {
                        AppFileText.write(declarationOf: app, to: &json)
                    }
                }
            }
            json.member("isPaused", value: view.isPaused)
            json.member("devices", value: view.devices)
            json.member("widgets", value: view.widgets)
            json.member("pushes", value: view.pushes)
            json.member("reloads", value: view.reloads)
            json.member("used", value: view.used)
            json.member("quotas", value: view.quotas)
        }
    }

    /// The app file in force, of this text, with every token redacted.
    package static func appFile(source: [UInt8]) -> ObjectBody {
        ObjectBody { json in
            source.withByteView { source in
                AppFileText.forEachMember(of: source) { name, value in
                    if name != "apps" { json.member(name, json: value) }
                }
                json.key("apps")
                json.beginArray()
                AppFileText(source).forEachApp { app in
                    json.object { json in
                        AppFileText.forEachMember(of: app) { name, value in
                            json.member(name, json: value)
                        }
                    }
                }
                json.endArray()
            }
        }
    }
}

/// Walks through the text of an app file that was parsed before, and so is valid.
private struct AppFileText {
    static let accessMembers: Set = ["publishers", "devices", "gateways"]

    private let source: ByteView

    init(_ source: ByteView) { self.source = source }

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

    /// Writes the members of an app but its quotas: those in force may be others.
    static func write(declarationOf app: ByteView, to json: inout JSONWriter) {
        forEachMember(of: app) { name, value in
            if name == "quotas" { return }
            json.key(name)
            let isList = JSONReader(value).peek() == .array
            if accessMembers.contains(name) && isList {
                json.integer(elementCount(value))
            } else {
                json.raw(value)
            }
        }
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
