import RouterMetrics

/// Fills a text with spaces up to a width.
package func padded(_ text: String, _ width: Int, toTheRight: Bool = false) -> String {
    let spaces = String(repeating: " ", count: max(0, width - text.count))
    return toTheRight ? spaces + text : text + spaces
}

/// A number as people read it: three digits that matter, thousands set apart.
package func rounded(_ value: Double) -> String {
    let magnitude = abs(value)
    if magnitude < 10 { return FigureText.fixed(value, 2) }
    if magnitude < 100 { return FigureText.fixed(value, 1) }
    let digits = FigureText.fixed(magnitude, 0)
    var result = value < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
        if index > 0 && (digits.count - index) % 3 == 0 { result += "," }
        result.append(digit)
    }
    return result
}

/// A number of 64 bits in sixteen hexadecimal digits.
package func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
}

/// A number and what it counts; `nouns` is the plural if it has more than an s.
package func counted(
    _ count: some BinaryInteger,
    _ noun: String,
    _ nouns: String? = nil
) -> String {
    "\(count) \(count == 1 ? noun : nouns ?? noun + "s")"
}
