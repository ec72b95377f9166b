package import Basics
internal import EventPatterns
internal import WidgetMatching

/// What a kind declares that its author can hardly have meant.
package struct KindHint: Equatable, Sendable {
    /// The app's name.
    package let app: String
    /// The kind's name.
    package let kind: String
    /// What it is; a sentence without capital and full stop.
    package let sentence: String

    /// The sentence with its app and kind.
    package var text: String { "\(quotation(app)), kind \(quotation(kind)): \(sentence)" }
}

/// A member of payloads that a kind's rule names.
package struct ExpectedMember: Equatable, Sendable {
    /// The app's name.
    package let app: String
    /// The kind's name.
    package let kind: String
    /// The names that lead to the member from the payload inwards.
    package let path: [String]
    /// The names of the app and the path as bytes, since members are looked up again and again.
    fileprivate let bytes: (app: [UInt8], path: [[UInt8]])

    fileprivate init(app: String, kind: String, path: [String]) {
        self.app = app
        self.kind = kind
        self.path = path
        bytes = (Array(app.utf8), path.map { Array($0.utf8) })
    }

    /// Compares the names.
    package static func == (left: ExpectedMember, right: ExpectedMember) -> Bool {
        (left.app, left.kind) == (right.app, right.kind) && left.path == right.path
    }

    /// That none of the last pushes had it.
    package func hint(pushes: UInt64) -> KindHint {
        let path = path.map { quotation($0) }.joined(separator: ".")
        let sentence =
            "the rule names \(path), which none of the last \(pushes) pushes of the app had"
        return KindHint(app: app, kind: kind, sentence: sentence)
    }
}

/// What a valid app file declares that its author can hardly have meant, because it has no effect.
extension AppCatalog {
    /// A sentence, without its full stop, for each such declaration, with its app and kind.
    package var hints: [String] { kindHints.map(\.text) }

    /// What kinds declare to no effect, in the order of the file.
    package var kindHints: [KindHint] {
        apps.flatMap { app in
            app.kinds.flatMap { kind in
                kind.hints.map { KindHint(app: app.app, kind: kind.kind, sentence: $0) }
            }
        }
    }

    /// The members that rules name, in the order of the file, as far as the limit allows.
    package func expectedMembers(limit: Int) -> [ExpectedMember] {
        var members: [ExpectedMember] = []
        for app in apps {
            for kind in app.kinds where members.count < limit {
                for path in (kind.rule?.expectedPaths ?? []).prefix(limit - members.count) {
                    members.append(ExpectedMember(app: app.app, kind: kind.kind, path: path))
                }
            }
        }
        return members
    }
}

extension Router {
    /// Those of some members that recent pushes lack, so that rules that name them match nothing.
    package mutating func missed(_ members: [ExpectedMember]) -> [KindHint] {
        intake.scanner.value.follow(state.matcher)
        return members.compactMap { member in
            guard let app = state.reloads.catalog.appsByName[member.bytes.app] else { return nil }
            return intake.scanner.value.pushesWithout(member.bytes.path, app: app)
                .map { member.hint(pushes: $0) }
        }
    }
}

extension KindDeclaration {
    fileprivate var hints: [String] {
        (rule?.hints ?? []) + pathHints(policy.observes, of: "observes")
            + pathHints(policy.inlines, of: "inlines")
    }

    /// Hints about names of fields that look like paths; a name that the rule has too is a name.
    private func pathHints(_ names: [String], of list: String) -> [String] {
        names.filter(Self.looksLikePath).filter { rule?.memberNames.contains($0) != true }.map {
            "\(list) has \"\(quotation($0))\", which is read as the name of a member at the top of a "
                + "payload and not as a path: what a payload has elsewhere is not compared, and a "
                + "push without that member changes nothing; name the member that holds the value"
                + Self.first($0).map { ", perhaps \"\(quotation($0))\"" }.joined()
        }
    }

    /// Whether a name is written as a path in JSON is: `a.b`, `/a/b`, `$.a`, `a[0]`.
    private static func looksLikePath(_ name: String) -> Bool {
        name.utf8.contains { ".[/".utf8.contains($0) } && name.utf8.count > 1
    }

    /// The member with which a path begins, if there is one.
    private static func first(_ path: String) -> [String] {
        path.split { "$./[]".contains($0) }.prefix(1).map(String.init)
    }
}
