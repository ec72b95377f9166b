internal import Basics

/// Apps, kinds and origins by their numbers and by their names.
///
/// An app, kind or origin keeps its number when a newer app file no longer declares it. A kind
/// loses its number only if it is not declared, has no widgets, and all other numbers of kinds are
/// taken (`reusableKinds`).
struct Catalog {
    var apps = NumberedArray<AppID, App>()
    /// Whether a part of an app file is in force: some of its portions are applied, and its end is
    /// not. `source` is that of the file before.
    var isChanging = false
    /// The widgets that have yet to adopt the rules of their kinds.
    var adoption = RuleAdoption()
    /// The apps whose settings for APNs the portions of an app file have changed: their devices
    /// adopt them once its end is installed.
    var appsWithOtherSettings: Set<AppID> = []
    /// The number of apps that the app file in force declares.
    var declaredAppCount = 0
    /// The numbers of apps by their names, as UTF-8: Swift's strings also equal others that only
    /// look the same.
    var appsByName: [[UInt8]: AppID] = [:]
    var kinds = NumberedArray<KindID, Kind>()
    /// The numbers of origins; the origin of an app's kinds that name none has the name "".
    var originsByName: [NameInApp: OriginID] = [:]
    /// The keys of `originsByName`, by the origins' numbers.
    var originKeys = NumberedArray<OriginID, NameInApp>()
    /// The contents of the app file in force; empty if the catalog was not read from a file.
    var source: [UInt8] = []

    /// An app: what the app file declares, and the numbers of its kinds.
    struct App {
        var declaration: AppDeclaration
        /// False if the app file in force does not declare the app.
        fileprivate(set) var isDeclared = false
        /// Its kinds by the UTF-8 of their names, with those that are no longer declared.
        var kindsByName: [[UInt8]: KindID]
    }

    /// A kind: its name, and its policy as decisions read it.
    struct Kind {
        var app: AppID
        /// Where the name begins in the arena `DeliveryTable.names`.
        var name: UInt32
        var nameCount: Int
        /// False if the app file in force does not declare the kind.
        var isDeclared: Bool
        var rules: KindRules
        /// The number of the last RELOAD that named the kind: each RELOAD names a kind only once.
        var namedInReload: UInt64 = 0
        /// The number of the last delivery (see `LastNumbers.delivery`) that reloaded a widget of
        /// the kind, and so all of the device's widgets of that kind. Not recorded for kinds that
        /// reload immediately (`KindRules.reloadsImmediately`).
        var reloadedInDelivery: UInt64 = 0
        /// The number of the last delivery in which a reload of one of the kind's widgets was
        /// counted; see `ReloadState.chargeBudget`.
        var paidInDelivery: UInt64 = 0
    }

    /// Records whether the app file in force declares an app.
    mutating func setDeclared(_ isDeclared: Bool, app: AppID) {
        if apps[app].isDeclared == isDeclared { return }
        apps[app].isDeclared = isDeclared
        declaredAppCount += isDeclared ? 1 : -1
    }

    /// A name that is unique within its app, as UTF-8.
    struct NameInApp: Hashable {
        var app: AppID
        var name: [UInt8]
    }
}
