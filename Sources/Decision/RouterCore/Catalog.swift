internal import DataStructures
internal import ReloadModel

/// Apps, kinds and origins by their numbers and names.
///
/// A number stays that of its app, kind or origin after an app file has dropped it; a kind without widgets
/// loses its number when all others are in use (`reusableKinds`).
struct Catalog {
    var apps: [App] = []
    /// Names are compared as bytes: Swift's strings also hold those equal that only look the same.
    var appsByName: [[UInt8]: AppID] = [:]
    var kinds: [Kind] = []
    /// By app and name; the origin of an app's kinds that name none has the name "".
    var originsByName: [NameInApp: UInt32] = [:]
    /// The same by the origins' numbers.
    var originKeys: [NameInApp] = []
    /// The app file that holds, as it was read; empty if it was not read from one.
    var source: [UInt8] = []

    /// An app as it runs: what the app file says of it, and its kinds' numbers.
    struct App {
        var declaration: AppDeclaration
        /// False when a newer app file no longer has it.
        var isDeclared: Bool
        var kindsByName: [[UInt8]: KindID]
    }

    struct Kind {
        var app: AppID
        /// The name, in the names arena.
        var name: UInt32
        var nameCount: Int
        var isDeclared: Bool
        var rules: KindRules
        /// The last RELOAD that named the kind, so that it names it once.
        var namedIn: UInt64 = 0
        /// The last delivery that reloads the kind's widgets on a device, and the last in which they
        /// pay for it.
        var reloadedIn: UInt64 = 0
        var paidIn: UInt64 = 0
    }

    struct NameInApp: Hashable {
        var app: AppID
        var name: [UInt8]
    }
}
