import Basics
import CaptureFiles
import CaptureFormat
import CommandSupport
import EventPatterns
import RouterCore
import WidgetMatching

/// `check --capture`: which members that rules name the pushes of a recording lack.
struct CaptureMembers: ~Copyable {
    /// The most members of rules that are compared; those of later kinds are not.
    private static let memberLimit = 65_536

    private let members: [ExpectedMember]
    private var apps: [String: AppID] = [:]
    private var matcher = WidgetMatcher(hashKey: .ofRuntime)
    private var scanner = PayloadScanner(hashKey: .ofRuntime)
    /// The apps of the recording's connections.
    private var sessions: [UInt32: AppID] = [:]

    init(_ catalog: AppCatalog) throws {
        members = catalog.expectedMembers(limit: Self.memberLimit)
        var installed: [WidgetMatcher.App] = []
        var kindCount = 0
        for (index, app) in catalog.apps.enumerated() {
            let number = AppID(index: index)
            apps[app.app] = number
            let kinds = app.kinds.map { kind in
                defer { kindCount += 1 }
                return WidgetMatcher.Kind(
                    kind: KindID(index: kindCount),
                    name: kind.kind,
                    rule: kind.rule
                )
            }
            installed.append(WidgetMatcher.App(app: number, kinds: kinds))
        }
        matcher.install(apps: installed)
        for app in installed {
            for kind in app.kinds { try addWidget(kind) }
        }
        // From now on, members are watched.
        _ = hints()
    }

    /// Adds a widget of a kind, with a value for each of the parameters that its rule has: rules of
    /// kinds without widgets name nothing.
    private mutating func addWidget(_ kind: WidgetMatcher.Kind) throws {
        let names = Set(kind.rule?.parameterNames ?? [])
        let configuration = JSONWriter.object { json in
            for name in names.sorted() { json.member(name, value: "") }
        }
        _ = try configuration.withByteView { (view) throws(ConfigurationError) in
            try matcher.insert(kind: kind.kind, configuration: view)
        }
    }

    /// Reads a recording, and returns the number of its pushes to apps of the app file.
    mutating func read(_ paths: [String]) throws -> Int {
        let reader = try CaptureReader(paths: paths)
        var count = 0
        try reader.each { record in
            if take(record) { count += 1 }
            return true
        }
        return count
    }

    /// Those members that no push had, as sentences with app and kind.
    mutating func hints() -> [String] {
        scanner.follow(matcher)
        return members.compactMap { member in
            guard let app = apps[member.app] else { return nil }
            let path = member.path.map { Array($0.utf8) }
            return scanner.pushesWithout(path, app: app, fewest: 1, recent: .max)
                .map { member.hint(pushes: $0).text }
        }
    }

    /// Takes a record; true if it is a push to an app of the app file.
    private mutating func take(_ record: CaptureRecord) -> Bool {
        switch record.kind {
        case .hello:
            let hello = try? JSONValue(parsing: record.body)
            let app = hello?.members.first { $0.name == "app" }?.value
            if case .string(let name)? = app { sessions[record.connection] = apps[name] }
            return false
        case .ended:
            sessions[record.connection] = nil
            return false
        case .push:
            guard let app = sessions[record.connection], let parts = record.pushParts else {
                return false
            }
            do throws(PayloadError) {
                try matcher.enqueue(app: app, payload: parts.payload, tag: 0, with: &scanner)
            } catch {
                // A payload that is refused now, or was then, is none that rules have seen.
                return false
            }
            // The payload is valid only as long as its block.
            matcher.matchQueued()
            return true
        case .widgets, .timeline, .state, .request, .attach, .apps, .lost: return false
        }
    }
}
