internal import ByteStorage
package import ReloadModel
internal import WidgetMatching

/// The numbers of apps and kinds, of which there are 65,536 each.
///
/// Whoever was ever declared keeps its number, because what is stored and what the journal says name
/// it by that. Only when all numbers of kinds are given away, those are used again that nothing names:
/// no app file that holds, and no widget. Not before: a journal that was written by a version that
/// gives each kind a number of its own must mean the same.
extension Router {
    /// Why an app file cannot be installed, as a sentence; nil if it can.
    ///
    /// - Complexity: in proportion to the file; if it needs numbers that are used again, also to all
    ///   kinds that were ever declared.
    package func problem(with catalog: AppCatalog) -> String? {
        if let app = catalog.apps.first(where: { $0.kinds.count > limits.kindsPerApp }) {
            return
                "the file declares \(app.kinds.count) kinds of app \"\(quotation(app.app))\"; an app may "
                + "have \(limits.kindsPerApp) (max-kinds-per-app)"
        }
        return problemOfNumbers(with: catalog)
    }

    /// Why the router has no number for everything that an app file declares, as a sentence; nil if it
    /// has.
    func problemOfNumbers(with catalog: AppCatalog) -> String? {
        let newApps = catalog.apps.count { appsByName[Array($0.app.utf8)] == nil }
        if newApps > limits.appNumbers - apps.count {
            return "the file declares \(newApps) apps that are new here, and "
                + "\(limits.appNumbers - apps.count) of \(limits.appNumbers) numbers are left: every app "
                + "that was ever declared keeps its own"
        }
        let more = missingKindNumbers(catalog)
        if more == 0 { return nil }
        let free = reusableKinds(catalog).count
        if free >= more { return nil }
        return "the file declares \(newKindCount(catalog)) kinds that are new here, which is "
            + "\(more - free) more than there are numbers for: of \(limits.kindNumbers) numbers "
            + "\(kinds.count - free) are those of kinds that the file declares, or that have widgets"
    }

    /// How many new kinds of a file have no number that was never given away.
    func missingKindNumbers(_ catalog: AppCatalog) -> Int {
        let new = newKindCount(catalog)
        return new == 0 ? 0 : max(0, kinds.count + new - limits.kindNumbers)
    }

    /// Kinds that a file does not declare and that have no widgets, by number.
    ///
    /// What is stored decides, so a replay finds the same ones.
    func reusableKinds(_ catalog: AppCatalog) -> [KindID] {
        var isDeclared = [Bool](repeating: false, count: kinds.count)
        for app in catalog.apps {
            guard let number = appsByName[Array(app.app.utf8)] else { continue }
            for kind in app.kinds {
                if let kind = apps[Int(number)].kindsByName[Array(kind.kind.utf8)] {
                    isDeclared[Int(kind)] = true
                }
            }
        }
        return kinds.indices.filter { kind in
            !isDeclared[kind] && matcher.storedCost(of: KindID(kind)) == 0
        }
        .map { KindID($0) }
    }

    private func newKindCount(_ catalog: AppCatalog) -> Int {
        catalog.apps.reduce(0) { count, app in
            let number = appsByName[Array(app.app.utf8)]
            let known = number.map { apps[Int($0)].kindsByName } ?? [:]
            return count + app.kinds.count { known[Array($0.kind.utf8)] == nil }
        }
    }

    /// Stores a kind that is new here.
    ///
    /// - Parameters:
    ///   - kind: what it is.
    ///   - name: its id.
    ///   - reusable: numbers to be used again when there are no others, the last one first.
    /// - Returns: its number.
    mutating func insertKind(_ kind: Kind, _ name: String, _ reusable: inout [KindID]) -> KindID {
        let number: KindID
        if kinds.count < limits.kindNumbers {
            number = KindID(kinds.count)
            kinds.append(kind)
        } else {
            number = reusable.removeLast()
            forgetKind(number)
            kinds[Int(number)] = kind
        }
        apps[Int(kind.app)].kindsByName[Array(name.utf8)] = number
        return number
    }

    /// Takes a number from a kind that has no widgets.
    private mutating func forgetKind(_ number: KindID) {
        let kind = kinds[Int(number)]
        precondition(matcher.storedCost(of: number) == 0, "kind \(number) has widgets")
        let name = delivery.names.view(kind.name, kind.nameCount).array
        apps[Int(kind.app)].kindsByName[name] = nil
        declareFields(number, of: kind.app, shows: [], carries: [])
        delivery.names.free(kind.name, kind.nameCount)
    }
}
