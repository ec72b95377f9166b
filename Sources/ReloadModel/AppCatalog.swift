/// An app's number in the router; stable by name while the router runs.
package typealias AppID = UInt16
/// A kind's number in the router, unique over all apps; stable by name while the router runs.
package typealias KindID = UInt16
/// A stored widget's number in the router; handed out again after the widget is removed.
package typealias WidgetID = UInt32
/// A stored device's number in the router; handed out again after the device is removed.
package typealias DeviceID = UInt32

/// What an app file declares: the apps that may connect, and their kinds.
package struct AppCatalog: Equatable, Sendable {
    package var apps: [AppDeclaration]

    package init(apps: [AppDeclaration]) {
        self.apps = apps
    }
}

/// One app: its id, who may speak for it, and its widget kinds.
///
/// A token list that is absent (`nil`) lets anybody take the role; an empty one lets nobody.
package struct AppDeclaration: Equatable, Sendable {
    package var app: String
    package var publisherTokens: [String]?
    package var deviceTokens: [String]?
    package var gatewayTokens: [String]?
    package var kinds: [KindDeclaration]

    package init(
        app: String,
        publisherTokens: [String]? = nil,
        deviceTokens: [String]? = nil,
        gatewayTokens: [String]? = nil,
        kinds: [KindDeclaration]
    ) {
        self.app = app
        self.publisherTokens = publisherTokens
        self.deviceTokens = deviceTokens
        self.gatewayTokens = gatewayTokens
        self.kinds = kinds
    }
}

/// A widget kind and the rule by which a push finds its widgets.
///
/// Without a rule, every parameter of a widget's configuration must equal the payload's field of
/// the same name.
package struct KindDeclaration: Equatable, Sendable {
    package var kind: String
    package var rule: MatchRule?

    package init(kind: String, rule: MatchRule? = nil) {
        self.kind = kind
        self.rule = rule
    }
}

/// A match rule: conditions that must all hold.
package struct MatchRule: Equatable, Sendable {
    package var conditions: [MatchCondition]

    package init(conditions: [MatchCondition]) {
        self.conditions = conditions
    }
}

extension MatchRule {
    /// All texts of the rule, in order.
    package var texts: [String] {
        conditions.flatMap { condition in
            condition.path
                + condition.alternatives.map { alternative in
                    switch alternative {
                    case .string(let text), .number(let text), .parameter(let text): text
                    case .boolean, .null: ""
                    }
                }
        }
    }
}

/// One field of a rule: the payload's value at `path` must equal one of the alternatives.
package struct MatchCondition: Equatable, Sendable {
    package var path: [String]
    package var alternatives: [MatchAlternative]

    package init(path: [String], alternatives: [MatchAlternative]) {
        self.path = path
        self.alternatives = alternatives
    }
}

/// What a field may equal: a value of the rule itself, or the widget's own parameter.
package enum MatchAlternative: Equatable, Sendable {
    case string(String)
    /// The number as it was written; numbers compare by exact decimal value.
    case number(String)
    case boolean(Bool)
    case null
    /// `${configuration.NAME}`: the widget's value, or any of its values if it is a list.
    case parameter(String)
}
