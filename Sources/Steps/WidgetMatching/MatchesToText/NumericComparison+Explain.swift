internal import Basics
internal import EventPatterns

/// Evaluating comparisons for `RuleExplainer`.
extension NumericComparison {
    /// Whether the comparison holds for a scalar of the payload and a bound; false if one of them
    /// is no number.
    func holds(_ scalar: JSONValue, bound wanted: JSONValue) -> Bool {
        guard case .number(let scalar) = scalar, case .number(let wanted) = wanted else {
            return false
        }
        let order = JSONValue.canonical(scalar).withByteView { scalar in
            JSONValue.canonical(wanted).withByteView { DecimalOrder.compare(scalar, to: $0) }
        }
        return holds(order)
    }

    /// Why a value can never match as a bound, as the rest of a sentence that begins with the
    /// value; nil if it can.
    static func problem(_ value: JSONValue) -> String? {
        if case .number = value { return nil }
        return "is not a number"
    }
}
