internal import Foundation

/// An app file as a fleet uses it: to start its own router with, and to learn its tokens from.
struct AppFileText {
    private var file: [String: Any]

    /// - Throws: `ScenarioError` if it is no JSON object with apps.
    init(_ data: Data) throws(ScenarioError) {
        let parsed = try? JSONSerialization.jsonObject(with: data)
        guard let file = parsed as? [String: Any], file["apps"] is [[String: Any]] else {
            throw ScenarioError("apps", "the file is no app file")
        }
        self.file = file
    }

    private var apps: [[String: Any]] { file["apps"] as? [[String: Any]] ?? [] }

    /// The first token of an app for a role.
    ///
    /// - Parameters:
    ///   - role: `publisher`, `device` or `gateway`.
    ///   - app: the app's name.
    /// - Returns: the token; nil if it has none.
    func token(_ role: String, of app: String) -> String? {
        let found = apps.first { $0["app"] as? String == app }
        return (found?["\(role)Tokens"] as? [String])?.first
    }

    /// Whether it has an app.
    func has(_ app: String) -> Bool { apps.contains { $0["app"] as? String == app } }

    /// The first of some kinds that an app does not declare.
    func missing(_ kinds: [String], in app: String) -> String? {
        let found = apps.first { $0["app"] as? String == app }
        let declared = (found?["kinds"] as? [[String: Any]] ?? []).map { $0["kind"] as? String }
        return kinds.first { !declared.contains($0) }
    }

    /// Spreads the dates of all kinds in a mode, each over its own window or over one for all.
    mutating func spread(_ mode: String, window: Int?) {
        file["apps"] = apps.map { app in
            var app = app
            app["kinds"] = (app["kinds"] as? [[String: Any]] ?? []).map { kind in
                var kind = kind
                var spread = kind["spread"] as? [String: Any] ?? [:]
                spread["mode"] = mode
                if let window { spread["window"] = window }
                kind["spread"] = spread
                return kind
            }
            return app
        }
    }

    var bytes: [UInt8] {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        return (try? JSONSerialization.data(withJSONObject: file, options: options)).map(Array.init)
            ?? []
    }
}
