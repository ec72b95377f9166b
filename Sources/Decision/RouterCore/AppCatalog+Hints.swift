internal import EventPatterns
package import ReloadModel

/// What a valid app file declares that its author can hardly have meant, because it has no effect.
extension AppCatalog {
    /// A sentence, without its full stop, for each such declaration, with its app and kind.
    package var hints: [String] {
        apps.flatMap { app in
            app.kinds.flatMap { kind in
                kind.hints.map { "\(quotation(app.app)), kind \(quotation(kind.kind)): \($0)" }
            }
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
