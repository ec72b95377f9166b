/// The configuration that a person has chosen for a widget.
package enum WidgetChoice {
    /// The widget cannot be configured.
    case none
    /// The configuration of an `IntentConfiguration`.
    case intent(INIntent)
    /// The configuration of an `AppIntentConfiguration`.
    case appIntent(any WidgetConfigurationIntent)
    /// The configuration of an `AppIntentControlConfiguration`.
    case control(any ControlConfigurationIntent)

    /// The configuration; nil if there is none.
    var intent: Any? {
        switch self {
        case .none: nil
        case .intent(let intent): intent
        case .appIntent(let intent): intent
        case .control(let intent): intent
        }
    }

    private var typeName: String? { intent.map { "\(type(of: $0))" } }

    /// The configuration as an intent of this type; a widget without a configuration has `Void`.
    func value<Intent>(as type: Intent.Type) throws(WidgetChoiceError) -> Intent {
        if let intent = (intent ?? ()) as? Intent { return intent }
        let found = typeName ?? "none"
        throw WidgetChoiceError("the configuration is \(found), and must be \(type)")
    }
}

/// An error: a widget's provider cannot have the configuration.
package struct WidgetChoiceError: Error, CustomStringConvertible {
    /// The error as a sentence without a full stop.
    package let description: String

    init(_ description: String) { self.description = description }
}

extension WidgetChoice {
    /// The names and values of the parameters that have one, in the order of declaration; those of
    /// superclasses come first.
    ///
    /// The parameters are the intent's stored properties. An enum counts as its raw value, an
    /// `Identifiable` value as its id. Other values that are not text, a number, a Boolean or a
    /// list of these are left out.
    package var parameters: [(name: String, value: ParameterValue)] {
        intent.map { Self.parameters(of: Mirror(reflecting: $0)) } ?? []
    }

    private static func parameters(of mirror: Mirror) -> [(name: String, value: ParameterValue)] {
        var found = mirror.superclassMirror.map(parameters(of:)) ?? []
        for (label, value) in mirror.children {
            guard var name = label else { continue }
            var stored = value
            if let wrapper = value as? any ParameterWrapper {
                // A wrapped property is stored under its name with an underscore.
                assert(name.hasPrefix("_"), "the parameter \(name) is not declared with @Parameter")
                name.removeFirst()
                stored = wrapper.anyValue
            }
            if let value = ParameterValue(any: stored) { found.append((name, value)) }
        }
        return found
    }

    /// Sets parameters of an intent by their names.
    ///
    /// - Parameters:
    ///   - parameters: names and values.
    ///   - choice: a new intent.
    /// - Returns: the same intent.
    /// - Throws: `WidgetChoiceError` if the intent has no such parameter, or the parameter cannot
    ///   have the value.
    static func choosing(
        _ parameters: [(name: String, value: ParameterValue)],
        for choice: WidgetChoice
    ) throws(WidgetChoiceError) -> WidgetChoice {
        for (name, value) in parameters {
            switch choice.intent {
            case let intent as any ChoosableIntent: intent.setValue(value.object, forKey: name)
            case let intent as any AppIntent: try choose(name, value: value, in: intent)
            default: break
            }
        }
        let chosen = choice.parameters
        for (name, value) in parameters {
            let isChosen = chosen.contains { $0.name == name && $0.value.isSame(as: value) }
            if !isChosen {
                let type = choice.typeName ?? "a widget without a configuration"
                throw WidgetChoiceError("\(type) has no parameter \(name) that can have the value")
            }
        }
        return choice
    }

    private static func choose(
        _ name: String,
        value: ParameterValue,
        in intent: any AppIntent
    ) throws(WidgetChoiceError) {
        let child = Mirror(reflecting: intent).children.first { $0.label == "_\(name)" }
        guard let wrapper = child?.value as? any ParameterWrapper else { return }
        let entities = EntityLookup(query: wrapper.query)
        if let made = try value.make(wrapper.valueType, entities: entities) {
            wrapper.choose(any: made)
        }
    }
}
