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
