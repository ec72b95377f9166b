package import Basics
internal import WidgetMatching

extension Router {
    /// Installs a new app file: its rules and policies hold from now on.
    ///
    /// Apps, kinds and origins keep their numbers by name. Widgets of a kind that is no longer
    /// declared stay stored and match nothing; sessions of an app that is no longer declared are
    /// ended. Pending reloads continue under the new policies, those of kinds that are no longer
    /// declared under WidgetKit's.
    ///
    /// - Parameters:
    ///   - declarations: the parsed file.
    ///   - source: the file as it was read, for the journal and a capture; empty if neither is
    ///     kept.
    ///   - revision: the file's number, higher than that of the one before, where there are several
    ///     partitions, which all install the same files; otherwise 0.
    ///   - change: what the file changes, if all portions of that have been applied.
    /// - Precondition: `problem(with: declarations)` is nil.
    /// - Returns: what it has replaced; to release that may take milliseconds.
    mutating func begin(
        _ declarations: AppCatalog,
        source: [UInt8],
        revision: UInt32,
        after change: CatalogChange?
    ) -> [AppDeclaration] {
        assert(state.problem(withRevision: revision) == nil, "the files' numbers go back")
        finishPushes()
        capture.record(apps: source)
        source.withByteView {
            commit(
                .catalogInstalled(declarations, source: $0, revision: revision, after: change)
            )
        }
        return outbox.takeReplacedDeclarations()
    }

    /// Applies the next portion of a change; `install` with the change ends it. Until then the file
    /// is in force in part, and no checkpoint begins.
    ///
    /// - Precondition: `mayChangeInPortions` was true when the first portion was applied.
    /// - Returns: what it has replaced; to release that may take milliseconds.
    mutating func begin(_ portion: CatalogChange.Portion) -> [AppDeclaration] {
        finishPushes()
        portion.declaredSource.withByteView { source in
            portion.withdrawnSource.withByteView { withdrawnSource in
                commit(
                    .catalogChanged(
                        declared: portion.declared,
                        source: source,
                        withdrawn: portion.withdrawn,
                        withdrawnSource: withdrawnSource,
                        kinds: portion.kinds
                    )
                )
            }
        }
        return outbox.takeReplacedDeclarations()
    }

    /// Whether an app file is in force in part: the process that applied its portions has ended.
    package var isCatalogChanging: Bool { state.reloads.catalog.isChanging }

    /// Whether some widgets have yet to adopt what an app file has changed of their kinds, or some
    /// devices its settings for APNs.
    package var isAdoptingRules: Bool { state.reloads.catalog.adoption.isActive }

    /// Whether some widgets still match by former rules of their kinds, or some devices have yet to
    /// be looked at because of the present ones.
    package var isFollowingRules: Bool {
        isAdoptingRules || state.matcher.isRelinking || state.patternLoads.arePending
    }

    /// Lets further widgets and devices follow what an app file has changed.
    mutating func followRules() {
        if isAdoptingRules {
            let count = state.reloads.catalog.adoptingDeviceCount(in: state.reloads.delivery)
            commit(.rulesAdopted(devices: count))
        }
        if !state.matcher.isIdle { return }
        if state.matcher.isRelinking {
            outbox.work.charge(state.matcher.relink(work: RouterLimits.relinkWorkPerStep))
        } else if state.patternLoads.arePending {
            state.patternLoads.resume(
                in: state.reloads.delivery,
                matcher: &state.matcher,
                into: &outbox
            )
        }
    }

    /// Whether a change can be applied in portions: there are numbers for all that it declares. If
    /// not, `problem` says whether its file can be installed as a whole. Nil while that is not
    /// known, because numbers have to be counted: a call counts those of about `limit` kinds, and
    /// no change may come between the calls.
    package func mayChangeInPortions(
        _ change: CatalogChange,
        counting count: inout NumberCount,
        kinds limit: Int
    ) -> Bool? {
        if change.apps.contains(where: { $0.kinds.count > limits.kindsPerApp }) { return false }
        return state.reloads.catalog.hasNumbers(
            for: change,
            limits: limits,
            counting: &count,
            kinds: limit
        )
    }

    /// The number of apps that the app file in force declares.
    package var declaredAppCount: Int { state.reloads.catalog.declaredAppCount }

    /// The number of widgets whose kind the app file does not declare: they stay stored, and no
    /// push matches them.
    package var undeclaredWidgetCount: Int { state.matcher.index.undeclaredCount }

    /// The kinds that have widgets and that the app file does not declare, those with the most
    /// widgets first; at most `limit`.
    ///
    /// - Complexity: proportional to the kinds that were ever declared, if there are such widgets.
    package func undeclaredKinds(limit: Int) -> [(app: String, kind: String, widgets: Int)] {
        if undeclaredWidgetCount == 0 { return [] }
        let found = state.reloads.catalog.kinds.ids.filter {
            !state.reloads.catalog.kinds[$0].isDeclared
                && state.matcher.index.widgetCount(of: $0) > 0
        }
        let counted = found.map { (kind: $0, widgets: state.matcher.index.widgetCount(of: $0)) }
        return counted.sorted { $0.widgets > $1.widgets }.prefix(limit).map { entry in
            let kind = state.reloads.catalog.kinds[entry.kind]
            return (
                app: state.reloads.catalog.apps[kind.app].declaration.app,
                kind: unsafe state.reloads.delivery.names.view(kind.name, count: kind.nameCount)
                    .string,
                widgets: entry.widgets
            )
        }
    }

    /// Why an app file cannot be installed, as a sentence; nil if it can.
    package func problem(with declarations: AppCatalog) -> String? {
        state.reloads.catalog.problem(
            with: declarations,
            limits: limits,
            matcher: state.matcher
        )
    }
}
