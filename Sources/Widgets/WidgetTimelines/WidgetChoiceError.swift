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
        let type = choice.typeName ?? "a widget without a configuration"
        description = "\(type) has no parameter \(parameter) that can have the value"
    }
}

extension WidgetChoice {
    /// The configuration; nil if there is none.
    var intent: Any? {
        switch self {
        case .none: nil
        case .intent(let intent): intent
        case .appIntent(let intent): intent
        case .control(let intent): intent
        }
    }

    fileprivate var typeName: String? { intent.map { "\(type(of: $0))" } }

    /// The configuration as an intent of this type.
    func value<Intent>(as type: Intent.Type) throws(WidgetChoiceError) -> Intent {
        if let intent = intent as? Intent { return intent }
        throw WidgetChoiceError(expected: "\(type)", found: typeName ?? "none")
    }
}
