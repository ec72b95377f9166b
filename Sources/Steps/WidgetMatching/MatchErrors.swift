package import Basics

/// Why a push was refused.
package enum PayloadError: Error, Equatable, Sendable {
    /// The payload is not one strict JSON object.
    case json(JSONError)
    /// The push has more keys to look up than `WidgetMatcher.probeLimit`, because its lists
    /// multiply or its texts are long; or more values than `PayloadReader.fieldLimit`.
    case tooManyProbes
    /// The payload's texts are too long for the many wildcards and regular expressions of rules
    /// that would read them.
    case textCost

    /// One sentence for people.
    package var message: String {
        switch self {
        case .json(let error): error.message
        case .tooManyProbes:
            "the payload's lists multiply to more than \(WidgetMatcher.probeLimit) combinations "
                + "of values that rules ask for; send shorter lists"
        case .textCost:
            "the payload's texts are too long for the many wildcards and regular expressions that "
                + "rules have for them; send shorter texts"
        }
    }
}

/// Why a widget's configuration was refused.
package struct ConfigurationError: Error, Equatable, Sendable {
    /// What is wrong.
    package enum Reason: Equatable, Sendable {
        /// The configuration is not a JSON object.
        case notAnObject
        /// A parameter's name is empty, or longer than 128 bytes.
        case nameLength
        /// A parameter's value is null or an object.
        case value
        /// An element of a parameter's list is null, an object or a list.
        case listElement
        /// There are more parameters than `WidgetMatcher.parameterLimit`.
        case tooManyParameters
        /// The configuration is longer than this many bytes: `WidgetMatcher.configurationLimit`, or
        /// for a widget that is restored `WidgetMatcher.restoredConfigurationLimit`.
        case tooLong(limit: Int)
    }

    /// The first requirement that the configuration violates.
    package let reason: Reason
    /// The parameter at fault; empty if the error concerns the whole configuration.
    package let parameter: String

    /// One sentence for people.
    package var message: String {
        switch reason {
        case .notAnObject: "the configuration must be an object"
        case .nameLength: "a parameter's name must have 1 to 128 bytes"
        case .value:
            "the parameter \(quotation(parameter)) must be a string, number, boolean or a list of them"
        case .listElement:
            "the list \(quotation(parameter)) must hold only strings, numbers and booleans"
        case .tooManyParameters: "there are more than \(WidgetMatcher.parameterLimit) parameters"
        case .tooLong(let limit): "the configuration is longer than \(limit) bytes"
        }
    }
}
