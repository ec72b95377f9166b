internal import Foundation

/// The app file of a scenario, with which the fleet starts its own router.
struct FleetAppFile {
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

    /// True if an app is declared.
    func has(_ app: String) -> Bool { apps.contains { $0["app"] as? String == app } }

    /// The first of these kinds that an app does not declare; nil if it declares all.
    func missing(_ kinds: [String], in app: String) -> String? {
        let found = apps.first { $0["app"] as? String == app }
        let declared = (found?["kinds"] as? [[String: Any]] ?? []).map { $0["kind"] as? String }
        return kinds.first { !declared.contains($0) }
    }

    /// True if a kind of an app names a member of payloads: in its rule, or among those fields that
    /// it observes, inlines or compares.
    func reads(_ member: String, in app: String) -> Bool {
        func names(_ value: Any) -> Bool {
            if let members = value as? [String: Any] {
                return members[member] != nil || members.values.contains(where: names)
            }
            return (value as? [Any])?.contains(where: names) ?? (value as? String == member)
        }
        let found = apps.first { $0["app"] as? String == app }
        return (found?["kinds"] as? [[String: Any]] ?? []).contains { names($0) }
    }

    /// Opens all roles of all apps: the fleet's own router has no other clients.
    mutating func openRoles() {
        file["apps"] = apps.map { app in
            let open = ["publishers": "open", "devices": "open", "gateways": "open"]
            return app.merging(open) { _, open in open }
        }
    }

    /// Lets the router reach an app's devices by APNs, unless the file says how.
    mutating func reachByAPNs(_ app: String) {
        let settings = ["team": "FLEETTEAM1", "key": "FLEETKEY01", "bundle": app]
        file["apps"] = apps.map { entry in
            guard entry["app"] as? String == app else { return entry }
            return entry.merging(["apns": settings]) { given, _ in given }
        }
    }

    /// The ids of all apps' keys for APNs.
    var keys: Set<String> {
        Set(apps.compactMap { ($0["apns"] as? [String: Any])?["key"] as? String })
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
