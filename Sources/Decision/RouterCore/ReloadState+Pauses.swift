internal import ReloadModel

/// Apps that an operator has paused.
extension ReloadState {
    mutating func setPaused(_ isPaused: Bool, _ app: AppID) {
        if isPaused {
            paused.insert(app)
            findPausedOrigins()
            return
        }
        paused.remove(app)
        findPausedOrigins()
    }

    /// Forgets the pause of apps that are not declared any more: nobody could end it.
    mutating func forgetUndeclaredPauses() {
        for app in paused.apps.sorted() where !catalog.apps[Int(app)].isDeclared {
            setPaused(false, app)
        }
    }

    /// To be called when there may be other origins.
    mutating func findPausedOrigins() {
        if paused.isEmpty { return paused.setOrigins([]) }
        let numbers = catalog.originsByName.lazy.filter { [paused] in paused.has($0.key.app) }.map(
            \.value
        )
        paused.setOrigins(Set(numbers))
    }
}
