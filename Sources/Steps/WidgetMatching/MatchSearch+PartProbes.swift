internal import DataStructures
internal import EventPatterns
internal import ReloadModel

/// Making probes of parts of values, and verifying that a key is the one that a probe looks for.
extension MatchSearch {
    // MARK: - Adding

    /// Adds the probe of a part of one value, if the value has such a part.
    mutating func addPartProbes(
        _ form: KeyForm,
        _ number: SpaceID,
        _ place: Int,
        in index: borrowing WidgetIndex
    ) {
        let parameter = index.spaces[number].parameter
        switch form {
        case .cell:
            if !reader.batch.fields[place].has(.number) { return }
            let cell = DecimalOrder.key(reader.batch.fields[place].bytes) >> UInt64(parameter)
            add(form, number, index.keyHash(number, word: cell), cell, field: place, in: index)
        case .block4, .block6: addBlockProbe(form, number, place, in: index)
        case .prefix, .suffix, .folded, .foldedPrefix, .foldedSuffix:
            if !reader.batch.fields[place].has(.string) { return }
            let text = part(of: reader.batch.fields[place], form, Int(parameter))
            if text.count < Int(parameter) { return }
            let hash = index.keyHash(number, word: index.values.hash(.string, text))
            add(form, number, hash, 0, field: place, in: index)
        case .value, .equal, .gram, .group, .always, .named: return
        }
    }

    /// The part of a string that a key of the form is made of; the whole string if it is shorter.
    private mutating func part(of field: FieldValue, _ form: KeyForm, _ length: Int) -> ByteView {
        let text = field.bytes
        switch form {
        case .folded: return folded.fold(text)
        case .prefix: return text.slice(0, min(length, text.count))
        case .suffix: return text.slice(text.count - min(length, text.count), text.count)
        case .foldedPrefix:
            let folded = folded.fold(CaseFolding.beginning(of: text, foldedTo: length))
            return folded.slice(0, min(length, folded.count))
        default:
            let folded = folded.fold(CaseFolding.end(of: text, foldedTo: length))
            return folded.slice(folded.count - min(length, folded.count), folded.count)
        }
    }

    /// Adds the probe of the block in which an address is.
    private mutating func addBlockProbe(
        _ form: KeyForm,
        _ number: SpaceID,
        _ place: Int,
        in index: borrowing WidgetIndex
    ) {
        guard let address = address(place, form) else { return }
        let length = Int(index.spaces[number].parameter)
        add(
            form,
            number,
            index.keyHash(number, address, prefixLength: length),
            0,
            field: place,
            in: index
        )
    }

    /// The address that a field holds; nil if it is none, or of the other family than the form.
    private mutating func address(_ place: Int, _ form: KeyForm) -> IPAddress? {
        if !reader.batch.fields[place].has(.string) { return nil }
        guard let address = IPAddress(reader.batch.fields[place].bytes) else { return nil }
        return address.isV6 == (form == .block6) ? address : nil
    }

    /// Adds a probe for each distinct run of bytes in a text.
    ///
    /// - Returns: false if `probeLimit` is exceeded.
    mutating func addGramProbes(
        _ number: SpaceID,
        _ place: Int,
        _ left: inout Int,
        in index: borrowing WidgetIndex
    ) -> Bool {
        let text = reader.batch.fields[place].bytes
        let length = Int(index.spaces[number].parameter)
        if !reader.batch.fields[place].has(.string) || text.count < length { return true }
        let mayRepeat = text.count > Self.shortText
        if mayRepeat { seen.removeAll() }
        enqueueWork += text.count * Self.gramCost
        for offset in 0...text.count - length {
            let gram = text.slice(offset, offset + length).prefixWord
            let hash = index.keyHash(number, word: gram)
            if mayRepeat {
                if seen.find(hash, { UInt64($0) == gram }) != nil { continue }
                seen.insert(hash, Int(gram))
            }
            left -= 1
            if left < 0 { return false }
            add(.gram, number, hash, gram, field: place, in: index)
        }
        return true
    }

    /// The cost of hashing a run of bytes and checking whether it is new, in units of `WorkCost`.
    private static var gramCost: Int { 8 }

    /// Length of a text up to which repeated runs of bytes are simply looked up again.
    private static var shortText: Int { 64 }

    // MARK: - Verifying

    /// Whether a key is the one that the probe looks for, and not another one with the same hash.
    @inline(__always)
    mutating func isWanted(
        _ key: KeyID,
        _ probe: Probe,
        _ push: PushBatch.Push,
        in index: borrowing WidgetIndex
    ) -> Bool {
        if index.keys.space(key) != probe.space { return false }
        if probe.form == .value {
            return index.values.equals(
                index.keys.word(key, 0),
                &reader.batch.fields[Int(probe.field)]
            )
        }
        return isWantedOfRarer(key, probe, push, in: index)
    }

    /// `isWanted` for all forms but `value`, which is by far the most frequent.
    private mutating func isWantedOfRarer(
        _ key: KeyID,
        _ probe: Probe,
        _ push: PushBatch.Push,
        in index: borrowing WidgetIndex
    ) -> Bool {
        let length = Int(index.spaces[probe.space].parameter)
        switch probe.form {
        case .equal: return isCombination(key, probe, push, in: index)
        case .named, .gram: return UInt64(index.keys.word(key, 0)) == probe.word
        case .cell: return index.halves(key, 0) == probe.word
        case .prefix, .suffix, .folded, .foldedPrefix, .foldedSuffix:
            let text = part(of: reader.batch.fields[Int(probe.field)], probe.form, length)
            return index.values.equals(index.keys.word(key, 0), .string, text)
        case .block4, .block6:
            guard let address = address(Int(probe.field), probe.form) else { return false }
            let block = AddressBlock(address, prefixLength: length).address
            return index.halves(key, 0) == block.high && index.halves(key, 2) == block.low
        case .value, .group, .always: return false
        }
    }
}
