internal import DataStructures
package import ReloadModel

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
    /// - Precondition: `problem(with: declarations)` is nil.
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
