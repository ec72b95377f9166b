internal import DataStructures
package import ReloadModel

extension Router {
    /// Takes over a new app file: new rules and policies hold from now on.
    ///
    /// Apps, kinds and origins keep their numbers by name. Widgets of a kind that is no longer
    /// declared stay stored and match nothing; sessions of an app that is no longer declared are
    /// ended. What waits goes on under the new policies; of kinds that are no longer declared, under
    /// WidgetKit's.
    ///
    /// - Parameters:
    ///   - declarations: what the file says.
    ///   - source: the file, if there is a journal: that keeps it.
    /// - Precondition: there is no `problem(with: declarations)`.
    package mutating func install(_ declarations: AppCatalog, source: [UInt8] = []) {
        finishPushes()
        capture.record(apps: source)
        source.withByteView { commit(.catalogInstalled(declarations, source: $0)) }
    }

    /// Why an app file cannot be installed, as a sentence; nil if it can.
    package func problem(with declarations: AppCatalog) -> String? {
        state.problem(with: declarations)
    }
}
