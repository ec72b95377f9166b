/// Matches a wildcard by trying what is behind its last star at each place, one after the other.
enum QuadraticWildcard {
    static func matches(_ pattern: [UInt8], _ value: [UInt8]) -> Bool {
        var (patternOffset, valueOffset) = (0, 0)
        var retry: (pattern: Int, value: Int)?
        while true {
            if patternOffset < pattern.count && pattern[patternOffset] == UInt8(ascii: "*") {
                patternOffset += 1
                retry = (patternOffset, valueOffset)
                continue
            }
            if patternOffset == pattern.count && valueOffset == value.count { return true }
            let width = patternOffset < pattern.count && pattern[patternOffset] == 0x5c ? 2 : 1
            if patternOffset < pattern.count && valueOffset < value.count
                && pattern[patternOffset + width - 1] == value[valueOffset]
            {
                patternOffset += width
                valueOffset += 1
                continue
            }
            guard let last = retry, last.value < value.count else { return false }
            retry = (last.pattern, last.value + 1)
            (patternOffset, valueOffset) = (last.pattern, last.value + 1)
        }
    }
}
