internal import Basics

extension WidgetMatcher {
    /// Asserts that all tables of the matcher agree; for tests and debug builds.
    ///
    /// - Complexity: proportional to what is stored.
    package func checkInvariants() {
        search.value.checkInvariants()
        // Widgets that are being restored have a number, but no shape yet.
        if restored.count > 0 { return }
        index.checkInvariants()
        for entry in search.value.keySampler.hotKeys.top(HotKeys.capacity) {
            let key = KeyID(rawValue: entry.key)
            assert(index.isStored(key), "the hot key \(key) is gone")
        }
    }
}
