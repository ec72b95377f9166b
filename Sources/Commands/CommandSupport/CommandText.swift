import Basics

/// Pads a text with spaces to `width` characters. The spaces follow the text, or precede it if
/// `toTheRight`. A text that is longer stays as it is.
package func padded(_ text: String, to width: Int, toTheRight: Bool = false) -> String {
    let spaces = String(repeating: " ", count: max(0, width - text.count))
    return toTheRight ? spaces + text : text + spaces
}

/// Writes a number for people: with two decimals below 10, one below 100, and from there on as a
/// whole number with commas between thousands.
package func rounded(_ value: Double) -> String {
    let magnitude = abs(value)
    if magnitude < 10 { return FigureText.fixed(value, places: 2) }
    if magnitude < 100 { return FigureText.fixed(value, places: 1) }
    let digits = FigureText.fixed(magnitude, places: 0)
    var result = value < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
        if index > 0 && (digits.count - index) % 3 == 0 { result += "," }
        result.append(digit)
    }
    return result
}

/// Writes a 64-bit number as sixteen hexadecimal digits.
package func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
}

/// Writes a number with its noun, such as `3 devices`. `nouns` is the plural where it is not `noun`
/// with an s.
package func counted(
    _ count: some BinaryInteger,
    noun: String,
    plural nouns: String? = nil
) -> String {
    "\(count) \(count == 1 ? noun : nouns ?? noun + "s")"
}
