internal import Foundation

/// An error: a widget's provider cannot have the configuration.
package struct WidgetChoiceError: Error, CustomStringConvertible {
    /// The error as a sentence without a full stop.
    package let description: String

    init(expected: String, found: String) {
        description = "the configuration is \(found), and must be \(expected)"
    }

    init(unchoosable type: String) {
        description = "\(type) is no ChoosableIntent"
    }

    init(_ description: String) {
        self.description = description
    }

    init(parameter: String, of choice: WidgetChoice) {
        let type =
            switch choice {
            case .none: "a widget without a configuration"
            case .intent(let intent): "\(Swift.type(of: intent))"
            case .appIntent(let intent): "\(Swift.type(of: intent))"
            case .control(let intent): "\(Swift.type(of: intent))"
            }
        description = "\(type) has no parameter \(parameter) that can have the value"
    }
}

extension WidgetChoice {
    private var any: Any? {
        switch self {
        case .none: nil
        case .intent(let intent): intent
        case .appIntent(let intent): intent
        case .control(let intent): intent
        }
    }

    /// The configuration as an intent of this type.
    func value<Intent>(as type: Intent.Type) throws(WidgetChoiceError) -> Intent {
        if let intent = any as? Intent { return intent }
        let found = any.map { "\(Swift.type(of: $0))" } ?? "none"
        throw WidgetChoiceError(expected: "\(type)", found: found)
    }
}
