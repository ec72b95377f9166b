internal import Foundation

/// The app file of a scenario: the fleet starts its own router with it, and takes its tokens from
/// it.
struct AppFileText {
    private var file: [String: Any]

    /// - Throws: `ScenarioError` if it is no JSON object with apps.
    init(_ data: Data) throws(ScenarioError) {
        let parsed = try? JSONSerialization.jsonObject(with: data)
        guard let file = parsed as? [String: Any], file["apps"] is [[String: Any]] else {
            throw ScenarioError("apps", problem: "the file is not an app file")
        }
        self.file = file
    }

    private var apps: [[String: Any]] { file["apps"] as? [[String: Any]] ?? [] }

    /// The first token of an app for a role.
    ///
    /// - Parameters:
    ///   - role: `publisher`, `device` or `gateway`.
    ///   - app: the name of the app.
    /// - Returns: the token; nil if the app has none.
    func token(_ role: String, of app: String) -> String? {
        let found = apps.first { $0["app"] as? String == app }
        return (found?["\(role)Tokens"] as? [String])?.first
    }

    /// True if an app is declared.
    func has(_ app: String) -> Bool { apps.contains { $0["app"] as? String == app } }

    /// The first of these kinds that an app does not declare; nil if it declares all.
    func missing(_ kinds: [String], in app: String) -> String? {
        let found = apps.first { $0["app"] as? String == app }
        let declared = (found?["kinds"] as? [[String: Any]] ?? []).map { $0["kind"] as? String }
        return kinds.first { !declared.contains($0) }
    }

    /// Sets the spreading of dates for all kinds: the mode, and, unless it is nil, the window in s.
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

    /// The app file as JSON; empty if it cannot be written.
    var bytes: [UInt8] {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        return (try? JSONSerialization.data(withJSONObject: file, options: options)).map(Array.init)
            ?? []
    }
}
