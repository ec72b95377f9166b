internal import Basics
internal import FrameCodec

/// Apps, kinds and origins by their numbers and by their names.
///
/// An app, kind or origin keeps its number when a newer app file no longer declares it. A kind
/// loses its number only if it is not declared, has no widgets, and all other numbers of kinds are
/// taken (`reusableKinds`).
struct Catalog: ~Copyable {
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
    /// The number of kinds that it declares.
    var declaredKindCount = 0
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
    /// The number that all partitions have for this file; 0 where there is only one.
    var revision: UInt32 = 0
    private let passing = PassedByAddress()

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
        fileprivate(set) var isDeclared = false
        var rules: KindRules
        /// The number of the last RELOAD that named the kind: each RELOAD names a kind only once.
        var namedInReload: UInt64 = 0
        /// The number of the last delivery (see `LastNumbers.delivery`) that reloaded a widget of
        /// the kind, and so all of the device's widgets of that kind. Not recorded for kinds that
        /// reload immediately (`KindRules.reloadsImmediately`).
        var reloadedInDelivery: UInt64 = 0
        /// The number of the last delivery in which a reload of one of the kind's widgets was
        /// counted; see `Schedules.chargeBudget`.
        var paidInDelivery: UInt64 = 0
    }

    /// Records whether the app file in force declares an app.
    mutating func setDeclared(_ isDeclared: Bool, app: AppID) {
        if apps[app].isDeclared == isDeclared { return }
        apps[app].isDeclared = isDeclared
        declaredAppCount += isDeclared ? 1 : -1
    }

    /// Records whether the app file in force declares a kind.
    mutating func setDeclared(_ isDeclared: Bool, kind: KindID) {
        if kinds[kind].isDeclared == isDeclared { return }
        kinds[kind].isDeclared = isDeclared
        declaredKindCount += isDeclared ? 1 : -1
    }

    /// A name that is unique within its app, as UTF-8.
    struct NameInApp: Hashable {
        var app: AppID
        var name: [UInt8]
    }
}

extension Catalog {
    /// The number of a kind by its name.
    ///
    /// - Throws: `kind-unknown` if the app file does not declare it.
    func declaredKind(of app: AppID, named name: ByteView) throws(ProtocolError) -> KindID {
        guard let kind = apps[app].kindsByName[name.array], kinds[kind].isDeclared else {
            throw apps[app].unknownKind(name.string)
        }
        return kind
    }

    /// The quotas of an app: those of the app file, and the operator's settings for those that it
    /// leaves out.
    func quotas(of app: AppID, defaults: AppQuotas) -> AppQuotas {
        apps[app].declaration.quotas.filled(from: defaults)
    }

    /// Throws if a request for `more` would exceed a quota of an app, or of all apps together
    /// (nil). A request for 0 or less is never refused; without a limit (nil), none is.
    ///
    /// - Throws: `quota-exceeded`.
    func check(
        _ quota: Quota,
        of app: AppID?,
        used: Int,
        more: Int,
        limit: Int?,
        into out: inout Outbox
    ) throws(ProtocolError) {
        guard let limit, more > 0, used + more > limit else { return }
        out.observer.counters.quotaRefusals[quota, default: 0] += 1
        throw exceeded(quota, of: app, used: used, more: more, limit: limit)
    }

    private func exceeded(
        _ quota: Quota,
        of app: AppID?,
        used: Int,
        more: Int,
        limit: Int
    ) -> ProtocolError {
        let whose = app.map { "app \"\(quotation(apps[$0].declaration.app))\"" } ?? "all apps"
        return ProtocolError(
            .quotaExceeded,
            message: "\(whose): quota \(quota.rawValue) of \(limit) is used up (\(used) used, "
                + "\(more) more asked)"
        )
    }
}

extension Catalog.App {
    /// The error for a kind that the app file does not declare.
    fileprivate func unknownKind(_ name: String) -> ProtocolError {
        ProtocolError(
            .kindUnknown,
            message: "no kind \(quotation(name)) is declared for \(quotation(declaration.app))"
                + Spelling.hint(for: name, among: declaration.kinds.lazy.map(\.kind))
        )
    }
}
