internal import Basics
package import RouterCore

extension ObjectBody {
    /// One app: its declaration in the app file, with its tokens replaced by their number, and
    /// counts of what is stored.
    package static func app(_ view: AppView, source: [UInt8]) -> ObjectBody {
        ObjectBody { json in
            source.withByteView { source in
                for app in source.appsOfFile.map(\.valuesByName)
                where app.contains(where: { $0.name == "app" && $0.value.text == view.app }) {
                    // Quotas in force may be others than those of the file; `devices` is the number
                    // of those that are stored.
                    for (name, value) in app where !["quotas", "devices"].contains(name) {
                        json.key(name)
                        if hasCredentials(name), JSONReader(value).peek() == .array {
                            json.integer(Int64(value.elements.count))
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
            json.member("used", value: view.used)
            json.member("quotas", value: view.quotas)
        }
    }

    /// The app file in force, of this text, with every token redacted.
    package static func appFile(source: [UInt8]) -> ObjectBody {
        ObjectBody { json in
            source.withByteView { source in
                for (name, value) in source.valuesByName where name != "apps" {
                    json.member(name, json: value)
                }
                json.objects("apps", of: source.appsOfFile) { app, json in
                    for (name, value) in app.valuesByName { json.member(name, json: value) }
                }
            }
        }
    }

    private static func hasCredentials(_ member: String) -> Bool {
        ["publishers", "gateways"].contains(member)
    }
}

/// The parts of a text of JSON that was parsed before, and so is valid.
extension ByteView {
    /// The declarations of apps in an app file.
    fileprivate var appsOfFile: [ByteView] {
        valuesByName.filter { $0.name == "apps" }.flatMap(\.value.elements)
    }

    /// The members of an object, in their order.
    fileprivate var valuesByName: [(name: String, value: ByteView)] {
        var reader = JSONReader(self)
        reader.enterObject()
        var found: [(name: String, value: ByteView)] = []
        while let name = reader.nextKey() { found.append((name.string, reader.rawValue())) }
        return found
    }

    /// The elements of a list.
    fileprivate var elements: [ByteView] {
        var reader = JSONReader(self)
        reader.enterArray()
        var found: [ByteView] = []
        while reader.nextElement() { found.append(reader.rawValue()) }
        return found
    }

    /// The text of a string.
    fileprivate var text: String {
        var reader = JSONReader(self)
        return reader.readString().string
    }
}
