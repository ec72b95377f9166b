/// What an app file declares: the apps that may connect, and their kinds.
package struct AppCatalog: Equatable, Sendable {
    /// The declared apps, in the order of the file.
    package var apps: [AppDeclaration]

    /// The catalog of these apps, whose names must differ.
    package init(apps: [AppDeclaration]) { self.apps = apps }
}

/// One app: its name, its origins and its widget kinds.
package struct AppDeclaration: Equatable, Sendable {
    /// The app's name, as clients give it in HELLO.
    package var app: String
    /// The app's quotas; those that are nil come from `RouterLimits.appQuotas`.
    package var quotas = AppQuotas()
    /// How devices without a session are reached; nil if they are not.
    package var apns: APNsSettings?
    /// The servers that the app's devices call; kinds refer to them by name.
    package var origins: [OriginDeclaration]
    /// The kinds of widgets that devices of the app may have.
    package var kinds: [KindDeclaration]

    /// A declaration without quotas.
    package init(app: String, origins: [OriginDeclaration] = [], kinds: [KindDeclaration]) {
        self.app = app
        self.origins = origins
        self.kinds = kinds
    }
}

/// A widget kind, and the rule by which a push finds its widgets.
///
/// If the rule is nil, every parameter of a widget's configuration must equal the payload's field
/// of the same name.
package struct KindDeclaration: Equatable, Sendable {
    /// The kind's name, such as `com.mygame.character-detail`.
    package var kind: String
    /// The match rule; nil to compare the configuration with the payload's fields.
    package var rule: EventPattern?
    /// When the kind's widgets may reload.
    package var policy: KindPolicy

    /// A declaration; by default without a rule, and with WidgetKit's policy.
    package init(kind: String, rule: EventPattern? = nil, policy: KindPolicy = KindPolicy()) {
        self.kind = kind
        self.rule = rule
        self.policy = policy
    }
}
