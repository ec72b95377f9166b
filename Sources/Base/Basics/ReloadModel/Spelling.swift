/// Finds the name that was probably meant where a name is unknown.
package enum Spelling {
    /// The longest name that is compared, in bytes; a longer one is never near another.
    package static var byteLimit: Int { 64 }
    /// The most names that are compared; those after them are never suggested.
    package static var nameLimit: Int { 256 }
    /// The most typing errors that a name may have.
    private static var errorLimit: Int { 2 }

    /// The end of a message about an unknown name: `; did you mean push?`, or nothing if no name
    /// is near.
    package static func hint(for name: String, among names: some Sequence<String>) -> String {
        nearest(to: name, among: names).map { "; did you mean \(quotation($0))?" } ?? ""
    }

    /// `hint`, with the names as a phrase: `mode and window`.
    package static func hint(for name: String, amongPhrase phrase: String) -> String {
        let words = phrase.split { $0 == "," || $0 == " " }.filter { $0 != "and" }
        return hint(for: name, among: words.lazy.map(String.init))
    }

    /// The name with the fewest typing errors between it and `name`, the shortest of several; nil
    /// if none is near.
    ///
    /// Capitals, hyphens and underscores do not count. A third of the letters may be wrong, at most
    /// two; without such a name, the only one that begins with `name` is near.
    package static func nearest(to name: String, among names: some Sequence<String>) -> String? {
        guard let letters = letters(name), letters.count > 1 else { return nil }
        let allowed = min(errorLimit, max(1, letters.count / 3))
        var best: (name: String, errors: Int, count: Int)?
        var continued: [String] = []
        for known in names.prefix(nameLimit) {
            guard let other = Self.letters(known), !other.isEmpty else { continue }
            if let errors = errors(letters, to: other, atMost: allowed),
                (errors, other.count) < (best?.errors ?? .max, best?.count ?? .max)
            {
                best = (known, errors, other.count)
            }
            if letters.count > 2, other.starts(with: letters) { continued.append(known) }
        }
        return best?.name ?? (continued.count == 1 ? continued[0] : nil)
    }

    /// The bytes that count of a name; nil if it is too long.
    private static func letters(_ name: String) -> [UInt8]? {
        if name.utf8.count > byteLimit { return nil }
        return name.utf8.compactMap { byte in
            switch byte {
            case UInt8(ascii: "-"), UInt8(ascii: "_"): nil
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte + 0x20
            default: byte
            }
        }
    }

    /// The number of letters to insert, remove, replace or exchange with their neighbour to turn
    /// one name into the other; nil if it is above `limit`.
    ///
    /// Only what differs between the beginning and the end that both names share is compared, and
    /// there only cells of the table within `limit` of its diagonal: the others are above it.
    package static func errors(_ left: [UInt8], to right: [UInt8], atMost limit: Int) -> Int? {
        if abs(left.count - right.count) > limit { return nil }
        let shared = zip(left, right).prefix { $0 == $1 }.count
        let (left, right) = (left[shared...], right[shared...])
        let sharedEnd = zip(left.reversed(), right.reversed()).prefix { $0 == $1 }.count
        return tableErrors(left.dropLast(sharedEnd), to: right.dropLast(sharedEnd), atMost: limit)
    }

    private static func tableErrors(
        _ left: ArraySlice<UInt8>,
        to right: ArraySlice<UInt8>,
        atMost limit: Int
    ) -> Int? {
        let (left, right) = (Array(left), Array(right))
        let beyond = limit + 1
        var row = (0...right.count).map { min($0, beyond) }
        var (before, next) = (row, row)
        for line in left.indices {
            let columns = max(0, line - limit)..<max(0, min(right.count, line + limit + 1))
            // The cell to the left of the first one, and that to the right of the last one.
            next[columns.lowerBound] = columns.lowerBound == 0 ? min(line + 1, beyond) : beyond
            if columns.upperBound < right.count { next[columns.upperBound + 1] = beyond }
            var least = next[columns.lowerBound]
            for column in columns {
                var errors = row[column] + (left[line] == right[column] ? 0 : 1)
                errors = min(errors, row[column + 1] + 1, next[column] + 1)
                if line > 0, column > 0, left[line] == right[column - 1],
                    left[line - 1] == right[column]
                {
                    errors = min(errors, before[column - 1] + 1)
                }
                next[column + 1] = min(errors, beyond)
                least = min(least, next[column + 1])
            }
            if least > limit { return nil }
            (before, row, next) = (row, next, before)
        }
        return row[right.count] <= limit ? row[right.count] : nil
    }
}
