internal import Basics
internal import EventPatterns

/// Verifying that a key is the one that a probe looks for.
extension MatchSearch {
    /// Whether a key is the one that the probe looks for, and not another key with the same hash.
    @inline(__always)
    mutating func isWanted(
        _ key: KeyID,
        by probe: Probe,
        in index: borrowing WidgetIndex
    ) -> Bool {
        assert(probe.form.isKey && key != .none, "a group is not looked up")
        if index.keys.space(key) != probe.space { return false }
        if probe.form == .value {
            return index.values.equals(
                index.keys.word(of: key, at: 0).value,
                field: &batch.fields[Int(probe.field)]
            )
        }
        return isWantedOfOtherForm(key, by: probe, in: index)
    }

    /// `isWanted` for all forms but `value`, which is by far the most frequent.
    private mutating func isWantedOfOtherForm(
        _ key: KeyID,
        by probe: Probe,
        in index: borrowing WidgetIndex
    ) -> Bool {
        let length = Int(index.spaces[probe.space].parameter)
        switch probe.form {
        case .equal: return isCombination(key, of: probe, in: index)
        case .named, .gram: return UInt64(index.keys.word(of: key, at: 0).bits) == probe.word
        case .cell: return index.doubleWord(of: key, at: 0) == probe.word
        case .prefix, .suffix, .folded, .foldedPrefix, .foldedSuffix:
            let text = parts.part(
                of: batch.fields[Int(probe.field)].bytes,
                form: probe.form,
                length: length
            )
            let value = index.keys.word(of: key, at: 0).value
            return index.values.equals(value, tag: .string, bytes: text)
        case .block4, .block6:
            let text = batch.fields[Int(probe.field)].bytes
            guard let address = IPAddress(text, of: probe.form) else { return false }
            let block = AddressBlock(address, prefixLength: length).address
            return index.doubleWord(of: key, at: 0) == block.high
                && index.doubleWord(of: key, at: 2) == block.low
        case .value, .group, .always: return false
        }
    }

    /// Whether the key has exactly the values of the probe's combination.
    private mutating func isCombination(
        _ key: KeyID,
        of probe: Probe,
        in index: borrowing WidgetIndex
    ) -> Bool {
        assert(probe.form == .equal, "the probe is of one field")
        for position in 0..<Int(index.spaces[probe.space].attributeCount) {
            let field = Int(combinedFields[Int(probe.word) + position])
            if !index.values.equals(
                index.keys.word(of: key, at: position).value,
                field: &batch.fields[field]
            ) {
                return false
            }
        }
        return true
    }
}
