internal import Basics
internal import WidgetMatching

/// The numbers of apps and kinds, of which there are 65,536 each.
///
/// An app or a kind that was ever declared keeps its number, because the table and the journal
/// refer to it by that number. Only when all 65,536 numbers of kinds have been given is a number
/// used again, of a kind that the present app file does not declare and that has no widgets. Not
/// earlier, because journals of older versions, which give each kind a number of its own, must keep
/// their meaning.
extension Catalog {
    /// Why an app file cannot be installed, as a sentence; nil if it can.
    ///
    /// - Complexity: proportional to the file; if numbers have to be used again, also to all kinds
    ///   that were ever declared.
    func problem(
        with declarations: AppCatalog,
        limits: RouterLimits,
        matcher: borrowing WidgetMatcher
    ) -> String? {
        if let app = declarations.apps.first(where: { $0.kinds.count > limits.kindsPerApp }) {
            return
                "the file declares \(app.kinds.count) kinds of app \"\(quotation(app.app))\"; an app may "
                + "have \(limits.kindsPerApp) (max-kinds-per-app)"
        }
        return problemOfNumbers(with: declarations, limits: limits, matcher: matcher)
    }

    /// Why there are not enough numbers for everything that an app file declares, as a sentence;
    /// nil if there are.
    func problemOfNumbers(
        with declarations: AppCatalog,
        limits: RouterLimits,
        matcher: borrowing WidgetMatcher
    ) -> String? {
        let newApps = newAppCount(declarations.apps)
        if newApps > limits.appNumbers - apps.count {
            return "the file declares \(newApps) apps that are new here, and "
                + "\(limits.appNumbers - apps.count) of \(limits.appNumbers) numbers are left: every app "
                + "that was ever declared keeps its own"
        }
        let new = newKindCount(declarations.apps)
        let more = missingKindNumbers(declarations, limit: limits.kindNumbers)
        if more == 0 { return nil }
        let free = reusableKinds(declarations, matcher: matcher).count
        if free >= more { return nil }
        return "the file declares \(new) kinds that are new here, which is "
            + "\(more - free) more than there are numbers for: of \(limits.kindNumbers) numbers "
            + "\(kinds.count - free) are those of kinds that the file declares, or that have widgets"
    }

    /// Whether there are numbers for all that a change declares, if none is used again; nil while
    /// that is not known, because more is to be counted: most of what looks new may have been
    /// declared before, and have its number.
    ///
    /// - Complexity: proportional to `limit`, and to the kinds of one app.
    func hasNumbers(
        for change: CatalogChange,
        limits: RouterLimits,
        counting count: inout NumberCount,
        kinds limit: Int
    ) -> Bool? {
        let freeApps = limits.appNumbers - apps.count
        let freeKinds = limits.kindNumbers - kinds.count
        if change.newAppCount <= freeApps && change.newKindCount <= freeKinds { return true }
        var looked = 0
        while count.next < change.apps.count && looked < limit {
            let app = change.apps[count.next]
            count.apps += newAppCount([app])
            count.kinds += newKindCount([app])
            count.next += 1
            looked += 1 + app.kinds.count
        }
        if count.apps > freeApps || count.kinds > freeKinds { return false }
        return count.next == change.apps.count ? true : nil
    }

    /// The number of a file's new kinds that need a number which another kind had before.
    func missingKindNumbers(_ declarations: AppCatalog, limit: Int) -> Int {
        let new = newKindCount(declarations.apps)
        return new == 0 ? 0 : max(0, kinds.count + new - limit)
    }

    /// The kinds that a file does not declare and that have no widgets, in the order of their
    /// numbers.
    ///
    /// Depends on the stored state alone, so that a replay finds the same kinds.
    func reusableKinds(
        _ declarations: AppCatalog,
        matcher: borrowing WidgetMatcher
    ) -> [KindID] {
        var isDeclared = NumberedArray<KindID, Bool>(
            repeating: false,
            count: kinds.count
        )
        for app in declarations.apps {
            guard let number = appsByName[Array(app.app.utf8)] else { continue }
            for kind in app.kinds {
                if let kind = apps[number].kindsByName[Array(kind.kind.utf8)] {
                    isDeclared[kind] = true
                }
            }
        }
        return kinds.ids.filter { kind in
            !isDeclared[kind] && matcher.index.storedCost(of: kind) == 0
        }
    }

    private func newAppCount(_ declarations: [AppDeclaration]) -> Int {
        declarations.count { appsByName[Array($0.app.utf8)] == nil }
    }

    private func newKindCount(_ declarations: [AppDeclaration]) -> Int {
        declarations.reduce(0) { count, app in
            let number = appsByName[Array(app.app.utf8)]
            let known = number.map { apps[$0].kindsByName } ?? [:]
            return count + app.kinds.count { known[Array($0.kind.utf8)] == nil }
        }
    }

    /// Stores a kind that has no number yet, and returns its number. If no new number is left, the
    /// last of `reusable` is used first, which has no widgets.
    mutating func insertKind(
        _ kind: Kind,
        named name: String,
        reusing reusable: inout [KindID],
        limit: Int,
        fields: inout FieldTable,
        names: inout ByteArena
    ) -> KindID {
        let number: KindID
        if kinds.count < limit {
            number = kinds.append(kind)
        } else {
            number = reusable.removeLast()
            forgetKind(number, fields: &fields, names: &names)
            kinds[number] = kind
        }
        apps[kind.app].kindsByName[Array(name.utf8)] = number
        return number
    }

    /// Forgets a kind that has no widgets, so that its number can be used again.
    private mutating func forgetKind(
        _ number: KindID,
        fields: inout FieldTable,
        names: inout ByteArena
    ) {
        let kind = kinds[number]
        let name = unsafe names.view(kind.name, count: kind.nameCount).array
        apps[kind.app].kindsByName[name] = nil
        fields.declare(number, of: kind.app, policy: KindPolicy(), rule: nil)
        adoption.forget(number)
        unsafe names.free(kind.name, byteCount: kind.nameCount)
    }
}

/// The numbers that the first apps of a change need: those of apps and kinds that have none yet.
package struct NumberCount {
    /// The apps of the change that were counted.
    var next = 0
    var apps = 0
    var kinds = 0

    /// Nothing was counted yet.
    package init() {}
}
