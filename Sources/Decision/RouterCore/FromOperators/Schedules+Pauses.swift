internal import Basics

/// Apps that an operator has paused.
extension Schedules {
    /// Pauses an app or resumes it; devices of a resumed app are delivered to again.
    mutating func setPaused(
        _ isPaused: Bool,
        app: AppID,
        in catalog: borrowing Catalog,
        into out: inout Outbox
    ) {
        if isPaused {
            paused.insert(app)
            findPausedOrigins(in: catalog)
            return
        }
        paused.remove(app)
        out.agenda.release(app)
        findPausedOrigins(in: catalog)
    }

    /// Ends the pause of apps that are not declared any more: operators can name declared apps
    /// only.
    mutating func forgetUndeclaredPauses(in catalog: borrowing Catalog, into out: inout Outbox) {
        for app in paused.apps.sorted() where !catalog.apps[app].isDeclared {
            setPaused(false, app: app, in: catalog, into: &out)
        }
    }

    /// Finds the origins of paused apps; to be called when apps are paused or resumed, or origins
    /// may have been added.
    mutating func findPausedOrigins(in catalog: borrowing Catalog) {
        if paused.isEmpty { return paused.setOrigins([]) }
        let numbers = catalog.originsByName.lazy.filter { [paused] in paused.has($0.key.app) }.map(
            \.value
        )
        paused.setOrigins(Set(numbers))
    }
}
