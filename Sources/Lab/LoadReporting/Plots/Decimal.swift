/// A decimal number with exact digits, which are the same on every machine, as those of
/// floating-point numbers need not be.
package struct Decimal {
    package let text: String

    /// - Parameters:
    ///   - value: the number in units of its last decimal.
    ///   - places: the number of decimals; trailing zeros are left out.
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
