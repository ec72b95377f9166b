/// A number with a fixed number of decimals: floating point would say it differently elsewhere.
package struct Decimal {
    package let text: String

    /// - Parameters:
    ///   - value: in units of the last decimal.
    ///   - places: how many decimals; those at the end that are zero are left out.
    package init(_ value: Int64, _ places: Int) {
        let sign = value < 0 ? "-" : ""
        var digits = String(value.magnitude)
        digits = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        var fraction = digits.suffix(places)
        while fraction.last == "0" { fraction.removeLast() }
        let whole = digits.dropLast(places)
        text = sign + whole + (fraction.isEmpty ? "" : "." + fraction)
    }
}
