internal import Basics
internal import EventPatterns

/// Making probes of parts of values, and verifying that a key is the one that a probe looks for.
extension MatchSearch {
    // MARK: - Adding

    /// Adds the probe for a part of a field's value, such as a prefix, if the value is long enough
    /// and of the right type.
    mutating func addPartProbe(
        _ form: KeyForm,
        of number: SpaceID,
        field position: Int,
        in index: borrowing WidgetIndex
    ) {
        assert(index.spaces[number].form == form, "space \(number) is of another form")
        let parameter = index.spaces[number].parameter
        switch form {
        case .cell:
            if !reader.batch.fields[position].has(.number) { return }
            let cell = DecimalOrder.key(reader.batch.fields[position].bytes) >> UInt64(parameter)
            let hash = index.keyHash(number, word: cell)
            add(form, of: number, hash: hash, word: cell, field: position, in: index)
        case .block4, .block6: addBlockProbe(form, of: number, field: position, in: index)
        case .prefix, .suffix, .folded, .foldedPrefix, .foldedSuffix:
            if !reader.batch.fields[position].has(.string) { return }
            let text = part(of: reader.batch.fields[position], form: form, length: Int(parameter))
            if text.count < Int(parameter) { return }
            let hash = index.keyHash(number, word: index.values.hash(.string, bytes: text))
            add(form, of: number, hash: hash, field: position, in: index)
        case .value, .equal, .gram, .group, .always, .named: return
        }
    }

    /// The part of a string that a key of the form is made of; the whole string if it is shorter.
    private mutating func part(of field: FieldValue, form: KeyForm, length: Int) -> ByteView {
        let text = field.bytes
        switch form {
        case .folded: return folded.fold(text)
        case .prefix: return text.slice(0, to: min(length, text.count))
        case .suffix: return text.slice(text.count - min(length, text.count), to: text.count)
        case .foldedPrefix:
            let folded = folded.fold(CaseFolding.beginning(of: text, foldedTo: length))
            return folded.slice(0, to: min(length, folded.count))
        default:
            let folded = folded.fold(CaseFolding.end(of: text, foldedTo: length))
            return folded.slice(folded.count - min(length, folded.count), to: folded.count)
        }
    }

    /// Adds the probe of the block in which an address is.
    private mutating func addBlockProbe(
        _ form: KeyForm,
        of number: SpaceID,
        field position: Int,
        in index: borrowing WidgetIndex
    ) {
        assert(form == .block4 || form == .block6, "no form of an address")
        guard let address = address(of: position, for: form) else { return }
        let length = Int(index.spaces[number].parameter)
        let hash = index.keyHash(number, address: address, prefixLength: length)
        add(form, of: number, hash: hash, field: position, in: index)
    }

    /// The address that a field holds; nil if its value is no address, or one of another family
    /// than the form's.
    private mutating func address(of position: Int, for form: KeyForm) -> IPAddress? {
        if !reader.batch.fields[position].has(.string) { return nil }
        guard let address = IPAddress(reader.batch.fields[position].bytes) else { return nil }
        return address.isIPv6 == (form == .block6) ? address : nil
    }

    /// Adds a probe for each run of bytes in a text that has the length of the space's keys. Of a
    /// long text, each distinct run gets one probe.
    ///
    /// - Returns: false if `probeLimit` is exceeded.
    mutating func addGramProbes(
        of number: SpaceID,
        field position: Int,
        left: inout Int,
        in index: borrowing WidgetIndex
    ) -> Bool {
        assert(index.spaces[number].form == .gram, "space \(number) is of another form")
        let text = reader.batch.fields[position].bytes
        let length = Int(index.spaces[number].parameter)
        if !reader.batch.fields[position].has(.string) || text.count < length { return true }
        let mayRepeat = text.count > Self.shortText
        if mayRepeat { seen.removeAll() }
        enqueueWork += text.count * Self.gramCost
        for offset in 0...text.count - length {
            let gram = text.slice(offset, to: offset + length).prefixWord
            let hash = index.keyHash(number, word: gram)
            if mayRepeat {
                if seen.find(hash, where: { UInt64($0) == gram }) != nil { continue }
                seen.insert(hash, number: Int(gram))
            }
            left -= 1
            if left < 0 { return false }
            add(.gram, of: number, hash: hash, word: gram, field: position, in: index)
        }
        return true
    }

    /// The cost of hashing a run of bytes and checking whether it is new, in units of `WorkCost`.
    private static var gramCost: Int { 8 }

    /// The length in bytes up to which a text is short: its repeated runs of bytes are simply
    /// looked up again.
    private static var shortText: Int { 64 }

    // MARK: - Verifying

    /// Whether a key is the one that the probe looks for, and not another key with the same hash.
    @inline(__always)
    mutating func isWanted(
        _ key: KeyID,
        by probe: Probe,
        for push: PushBatch.Push,
        in index: borrowing WidgetIndex
    ) -> Bool {
        assert(probe.isKey && key != .none, "a group is not looked up")
        if index.keys.space(key) != probe.space { return false }
        if probe.form == .value {
            return index.values.equals(
                index.keys.word(of: key, at: 0).value,
                field: &reader.batch.fields[Int(probe.field)]
            )
        }
        return isWantedOfOtherForm(key, by: probe, for: push, in: index)
    }

    /// `isWanted` for all forms but `value`, which is by far the most frequent.
    private mutating func isWantedOfOtherForm(
        _ key: KeyID,
        by probe: Probe,
        for push: PushBatch.Push,
        in index: borrowing WidgetIndex
    ) -> Bool {
        let length = Int(index.spaces[probe.space].parameter)
        switch probe.form {
        case .equal: return isCombination(key, of: probe, for: push, in: index)
        case .named, .gram: return UInt64(index.keys.word(of: key, at: 0).bits) == probe.word
        case .cell: return index.doubleWord(of: key, at: 0) == probe.word
        case .prefix, .suffix, .folded, .foldedPrefix, .foldedSuffix:
            let text = part(
                of: reader.batch.fields[Int(probe.field)],
                form: probe.form,
                length: length
            )
            let value = index.keys.word(of: key, at: 0).value
            return index.values.equals(value, tag: .string, bytes: text)
        case .block4, .block6:
            guard let address = address(of: Int(probe.field), for: probe.form) else { return false }
            let block = AddressBlock(address, prefixLength: length).address
            return index.doubleWord(of: key, at: 0) == block.high
                && index.doubleWord(of: key, at: 2) == block.low
        case .value, .group, .always: return false
        }
    }
}
