internal import ReloadModel
package import StrictJSON

/// Why a push was refused.
package enum PayloadError: Error, Equatable, Sendable {
    /// The payload is not one strict JSON object.
    case json(JSONError)
    /// The payload's member `kinds` is not a list of strings.
    case kinds
    /// Its lists multiply to more keys than `WidgetMatcher.probeLimit`, or have too many values.
    case tooManyProbes
    /// Its texts are too long for the many wildcards and regular expressions that would read them.
    case textCost

    /// One sentence for people.
    package var message: String {
        switch self {
        case .json(let error): error.message
        case .kinds: "the payload's member kinds must be a list of strings"
        case .tooManyProbes:
            "the payload's lists multiply to more than \(WidgetMatcher.probeLimit) combinations "
                + "of values that rules ask for; send shorter lists"
        case .textCost:
            "the payload's texts are too long for the many wildcards and regular expressions that "
                + "rules and widgets have for them; send shorter texts"
        }
    }
}

/// Why a widget's configuration was refused.
package struct ConfigurationError: Error, Equatable, Sendable {
    /// What is wrong.
    package enum Reason: Equatable, Sendable {
        case notAnObject
        case nameLength
        case value
        case listElement
        case tooManyParameters
        case tooLong
    }

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
        case .tooManyParameters:
            "there are more than \(WidgetMatcher.parameterLimit) parameters"
        case .tooLong:
            "the configuration is longer than \(WidgetMatcher.configurationLimit) bytes"
        }
    }
}
