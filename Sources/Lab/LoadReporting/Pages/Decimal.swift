/// A decimal number written from an integer, so that its digits are the same on every machine; the
/// digits of floating-point numbers need not be.
package struct Decimal {
    /// The digits without trailing zeros, such as `-12.5`.
    package let text: String

    /// - Parameters:
    ///   - value: the number in units of its last decimal.
    ///   - places: the number of decimals; trailing zeros are left out.
    package init(_ value: Int64, places: Int) {
        let sign = value < 0 ? "-" : ""
        var digits = String(value.magnitude)
        digits = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        var fraction = digits.suffix(places)
        while fraction.last == "0" { fraction.removeLast() }
        let whole = digits.dropLast(places)
        text = sign + whole + (fraction.isEmpty ? "" : "." + fraction)
    }
}
