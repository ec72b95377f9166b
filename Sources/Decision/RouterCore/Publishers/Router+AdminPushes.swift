internal import Basics
internal import FrameCodec

/// Publishers without a connection of their own: their pushes come over HTTP.
extension Router {
    /// The names of kinds that an app does not declare, among those to which pushes are narrowed
    /// (as `KindNames` has them): the first 8 of the first 64 names; none if the app is not known.
    package func undeclaredKinds(_ kinds: [UInt8], of app: String) -> [String] {
        guard let app = state.reloads.catalog.appsByName[Array(app.utf8)] else { return [] }
        return kinds.withByteView { bytes in
            var (unknown, count): ([String], Int) = ([], 0)
            KindNames(bytes)?.visit { name in
                count += 1
                if count > 64 || unknown.count == 8 { return }
                let kind = state.reloads.catalog.apps[app].kindsByName[name.array]
                if let kind, state.reloads.catalog.kinds[kind].isDeclared { return }
                unknown.append(name.string)
            }
            return unknown
        }
    }
}
