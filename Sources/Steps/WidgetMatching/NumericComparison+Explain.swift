internal import DataStructures
internal import EventPatterns
internal import ReloadModel
internal import StrictJSON

extension NumericComparison {
    /// Whether a payload's scalar compares in this way with a value of the rule or the widget.
    func holds(_ scalar: JSONValue, _ wanted: JSONValue) -> Bool {
        guard case .number(let scalar) = scalar, case .number(let wanted) = wanted else {
            return false
        }
        let order = JSONValue.canonical(scalar).withByteView { scalar in
            JSONValue.canonical(wanted).withByteView { DecimalOrder.compare(scalar, $0) }
        }
        return holds(order)
    }

    /// Why a value can never hold as a bound, to follow the value in a sentence.
    static func problem(_ value: JSONValue) -> String? {
        if case .number = value { return nil }
        return "is no number"
    }
}
