package import ArgumentParser

/// Checks the numbers given with an option.
///
/// - Parameters:
///   - values: the numbers; a single one, unless the option may have several.
///   - limits: the numbers that are allowed.
///   - option: the option's name, with its dashes.
/// - Throws: a sentence with the first number that is not allowed.
package func checkNumbers(
    _ values: [Int],
    within limits: ClosedRange<Int>,
    of option: String
) throws(ValidationError) {
    for value in values where !limits.contains(value) {
        throw ValidationError(
            "\(option) is \(value); it must be from \(limits.lowerBound) to \(limits.upperBound)"
        )
    }
}
