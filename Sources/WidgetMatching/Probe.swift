internal import ByteStorage
internal import EventPatterns
internal import ReloadModel

/// A key that a queued push looks for, or a space whose groups it must go through.
struct Probe: BitwiseCopyable {
    var hash: UInt64
    /// What tells the key from others with the same hash; see `WidgetMatcher.isWanted`.
    ///
    /// Of several equalities the fields: how far each is behind the push's first one, a byte each;
    /// or of a push with more than 255 fields, the number of the combination.
    var word: UInt64
    /// The field that it was made of.
    var field: UInt32
    var space: SpaceID
    /// Where the hash has been found in the table, once it has been looked up.
    var candidate = HashIndex.Candidate.none
    /// The place among the push's probes, while repeats are dropped.
    var order: UInt32 = 0
    var form: KeyForm
    /// Whether the push has lists.
    var isOfLists = false

    /// Whether it is a key rather than a space of groups.
    @inline(__always)
    var isKey: Bool { form != .group && form != .always }
}

extension WidgetMatcher {
    // MARK: - The probes of a push

    /// Adds the probes of a push.
    ///
    /// - Returns: false if there are too many.
    @inline(__always)
    mutating func addProbes(_ push: PayloadReader.Push) -> Bool {
        let first = probes.count
        if reader.vocabulary.combinedSpaceCount > 0 { noteFields(push) }
        var field = push.firstField
        while field < push.endField {
            let attribute = reader.fields[field].attribute
            let run = field..<endOfAttribute(field, push)
            if run.count > Self.probeLimit - (probes.count - first) { return false }
            let valueSpace = reader.vocabulary.valueSpace(attribute)
            if valueSpace != KeySpace.none { addValueProbes(valueSpace, run) }
            var space = reader.vocabulary.firstSpace(attribute)
            while space != KeySpace.none {
                if !addProbes(space, run, push, first) { return false }
                space = spaces[space].next
            }
            field = run.upperBound
        }
        var space = reader.vocabulary.firstSpace(ofApp: push.app)
        while space != KeySpace.none {
            probes.append(Probe(hash: 0, word: 0, field: 0, space: space, form: .always))
            space = spaces[space].next
        }
        for kind in push.kinds.first..<push.kinds.end {
            let word = UInt64(reader.kinds[kind])
            add(.named, namedSpace, keyHash(namedSpace, word: word), word, field: 0)
        }
        if push.hasContexts { dropRepeatedProbes(from: first, push) }
        return true
    }

    /// Lets each attribute find its fields, within whatever elements of lists.
    @inline(__always)
    private mutating func noteFields(_ push: PayloadReader.Push) {
        var first = push.firstField
        while first < push.endField {
            let end = endOfAttribute(first, push)
            reader.vocabulary.note(reader.fields[first].attribute, push.number, first..<end)
            first = end
        }
    }

    @inline(__always)
    private func endOfAttribute(_ first: Int, _ push: PayloadReader.Push) -> Int {
        let attribute = reader.fields[first].attribute
        var end = first + 1
        while end < push.endField && reader.fields[end].attribute == attribute { end += 1 }
        return end
    }

    /// A probe for each value, alone.
    @inline(__always)
    private mutating func addValueProbes(_ space: SpaceID, _ run: Range<Int>) {
        let state = spaces.hash(space)
        for field in run where !reader.fields[field].has(.container) {
            add(.value, space, KeySpaces.hash(state, reader.fields[field].hash), 0, field: field)
        }
    }

    @inline(__always)
    private mutating func add(
        _ form: KeyForm,
        _ space: SpaceID,
        _ hash: UInt64,
        _ word: UInt64,
        field: Int
    ) {
        keys.index.prefetch(hash)
        probes.append(
            Probe(
                hash: hash,
                word: word,
                field: UInt32(field),
                space: space,
                form: form,
                isOfLists: reader.hasLists
            )
        )
    }

    @inline(__always)
    private mutating func addProbes(
        _ number: SpaceID,
        _ run: Range<Int>,
        _ push: PayloadReader.Push,
        _ first: Int
    ) -> Bool {
        let form = spaces[number].form
        switch form {
        case .equal: return addCombinations(number, push, first)
        case .group:
            probes.append(Probe(hash: 0, word: 0, field: 0, space: number, form: .group))
        default:
            for field in run {
                addPartProbes(form, number, field)
                if probes.count - first > Self.probeLimit { return false }
            }
        }
        return true
    }

    // MARK: - Several equalities

    /// One probe for each combination of the values that the push has at the space's fields.
    private mutating func addCombinations(
        _ number: SpaceID,
        _ push: PayloadReader.Push,
        _ first: Int
    ) -> Bool {
        let space = spaces[number]
        var combinationCount = 1
        var hash = spaces.hash(number)
        var word: UInt64 = 0
        for position in 0..<Int(space.attributeCount) {
            let run = reader.vocabulary.fields(space.attributes[position], push.number)
            if run.isEmpty { return true }
            // Too many is too many: the product stops there, and cannot overflow.
            combinationCount = min(combinationCount * run.count, Self.probeLimit + 1)
            hash = KeySpaces.hash(hash, reader.fields[run.lowerBound].hash)
            word |= UInt64(run.lowerBound - push.firstField) << UInt64(8 * position)
        }
        if combinationCount > Self.probeLimit - (probes.count - first) { return false }
        if combinationCount > 1 || push.endField - push.firstField > 255 {
            addCombinations(number, space, combinationCount, push)
        } else if !hasContainer(word, space, push) {
            add(.equal, number, hash, word, field: 0)
        }
        return true
    }

    /// Whether one of a combination's fields is no value.
    @inline(__always)
    private func hasContainer(
        _ word: UInt64,
        _ space: KeySpace,
        _ push: PayloadReader.Push
    ) -> Bool {
        for position in 0..<Int(space.attributeCount) {
            let field = push.firstField + Int(word >> UInt64(8 * position) & 0xff)
            if reader.fields[field].has(.container) { return true }
        }
        return false
    }

    private mutating func addCombinations(
        _ number: SpaceID,
        _ space: KeySpace,
        _ combinationCount: Int,
        _ push: PayloadReader.Push
    ) {
        let isPacked = push.endField - push.firstField <= 255
        for combination in 0..<combinationCount {
            var hash = spaces.hash(number)
            var rest = combination
            var word: UInt64 = 0
            var hasContainer = false
            for position in 0..<Int(space.attributeCount) {
                let run = reader.vocabulary.fields(space.attributes[position], push.number)
                let field = run.lowerBound + rest % run.count
                rest /= run.count
                hasContainer = hasContainer || reader.fields[field].has(.container)
                hash = KeySpaces.hash(hash, reader.fields[field].hash)
                word |= UInt64(field - push.firstField) << UInt64(8 * position)
            }
            if hasContainer { continue }
            add(.equal, number, hash, isPacked ? word : UInt64(combination), field: 0)
        }
    }

    /// The field of a combination at one of a space's attributes.
    @inline(__always)
    private func field(
        _ probe: Probe,
        _ position: Int,
        _ push: PayloadReader.Push
    ) -> Int {
        if push.endField - push.firstField <= 255 {
            return push.firstField + Int(probe.word >> UInt64(8 * position) & 0xff)
        }
        var rest = Int(probe.word)
        for earlier in 0..<position {
            rest /=
                reader.fields.runOfAllContexts(spaces[probe.space].attributes[earlier], push).count
        }
        let run = reader.fields.runOfAllContexts(spaces[probe.space].attributes[position], push)
        return run.lowerBound + rest % run.count
    }

    /// Whether the key has exactly the values of a combination.
    private mutating func isCombination(
        _ key: KeyID,
        _ probe: Probe,
        _ push: PayloadReader.Push
    ) -> Bool {
        for position in 0..<Int(spaces[probe.space].attributeCount) {
            let field = field(probe, position, push)
            if !values.equals(keys.word(key, position), &reader.fields[field]) { return false }
        }
        return true
    }

    // MARK: - Parts of values

    private mutating func addPartProbes(_ form: KeyForm, _ number: SpaceID, _ index: Int) {
        let parameter = spaces[number].parameter
        switch form {
        case .cell:
            if !reader.fields[index].has(.number) { return }
            let cell = DecimalOrder.key(reader.fields[index].bytes) >> UInt64(parameter)
            add(form, number, keyHash(number, word: cell), cell, field: index)
        case .block4, .block6: addBlockProbe(form, number, index)
        case .gram: addGramProbes(number, index)
        case .prefix, .suffix, .folded, .foldedPrefix, .foldedSuffix:
            if !reader.fields[index].has(.string) { return }
            let text = part(of: reader.fields[index], form, Int(parameter))
            if text.count < Int(parameter) { return }
            let hash = keyHash(number, word: values.hash(.string, text))
            add(form, number, hash, 0, field: index)
        case .value, .equal, .group, .always, .named: return
        }
    }

    /// What of a string a key of the form would have; shorter than that if it is too short.
    private func part(of field: FieldValue, _ form: KeyForm, _ length: Int) -> ByteView {
        let isFolded = form != .prefix && form != .suffix
        let text = isFolded ? foldBuffer.fold(field.bytes) : field.bytes
        let length = min(length, text.count)
        switch form {
        case .folded: return text
        case .prefix, .foldedPrefix: return text.slice(0, length)
        default: return text.slice(text.count - length, text.count)
        }
    }

    private mutating func addBlockProbe(_ form: KeyForm, _ number: SpaceID, _ index: Int) {
        guard let address = address(index, form) else { return }
        let length = Int(spaces[number].parameter)
        add(form, number, keyHash(number, address, prefixLength: length), 0, field: index)
    }

    private func address(_ index: Int, _ form: KeyForm) -> IPAddress? {
        if !reader.fields[index].has(.string) { return nil }
        guard let address = IPAddress(reader.fields[index].bytes) else { return nil }
        return address.isV6 == (form == .block6) ? address : nil
    }

    private mutating func addGramProbes(_ number: SpaceID, _ index: Int) {
        let text = reader.fields[index].bytes
        let length = Int(spaces[number].parameter)
        if !reader.fields[index].has(.string) || text.count < length { return }
        for offset in 0...text.count - length {
            let gram = text.slice(offset, offset + length).prefixWord
            add(.gram, number, keyHash(number, word: gram), gram, field: index)
        }
    }

    // MARK: - Verifying

    /// Whether a key is the one that the probe looks for, and not another with its hash.
    @inline(__always)
    mutating func isWanted(_ key: KeyID, _ probe: Probe, _ push: PayloadReader.Push) -> Bool {
        if keys.space(key) != probe.space { return false }
        if probe.form == .value {
            return values.equals(keys.word(key, 0), &reader.fields[Int(probe.field)])
        }
        return isWantedOfRarer(key, probe, push)
    }

    private mutating func isWantedOfRarer(
        _ key: KeyID,
        _ probe: Probe,
        _ push: PayloadReader.Push
    ) -> Bool {
        let length = Int(spaces[probe.space].parameter)
        switch probe.form {
        case .equal: return isCombination(key, probe, push)
        case .named, .gram: return UInt64(keys.word(key, 0)) == probe.word
        case .cell: return halves(key, 0) == probe.word
        case .prefix, .suffix, .folded, .foldedPrefix, .foldedSuffix:
            let text = part(of: reader.fields[Int(probe.field)], probe.form, length)
            return values.equals(keys.word(key, 0), .string, text)
        case .block4, .block6:
            guard let address = address(Int(probe.field), probe.form) else { return false }
            let block = AddressBlock(address, prefixLength: length).address
            return halves(key, 0) == block.high && halves(key, 2) == block.low
        case .value, .group, .always: return false
        }
    }

    // MARK: - Repeats

    /// Keeps one of probes that look for the same values: elements of a list may have equal ones.
    ///
    /// Other keys may be met again: widgets under them know their last push.
    private mutating func dropRepeatedProbes(from first: Int, _ push: PayloadReader.Push) {
        otherProbes.truncate(to: 0)
        var count = first
        for index in first..<probes.count {
            if probes[index].form == .value || probes[index].form == .equal {
                probes[count] = probes[index]
                probes[count].order = UInt32(count)
                count += 1
            } else {
                otherProbes.append(probes[index])
            }
        }
        probes.truncate(to: count)
        probes.sort(from: first) {
            $0.hash != $1.hash ? $0.hash < $1.hash : $0.order < $1.order
        }
        keepDistinctProbes(from: first, push)
        probes.sort(from: first) { $0.order < $1.order }
        for index in 0..<otherProbes.count { probes.append(otherProbes[index]) }
    }

    /// Of probes that are ordered by hash.
    private mutating func keepDistinctProbes(from first: Int, _ push: PayloadReader.Push) {
        var kept = first
        for index in first..<probes.count {
            var earlier = kept - 1
            var isRepeat = false
            while !isRepeat && earlier >= first && probes[earlier].hash == probes[index].hash {
                isRepeat = isSameKey(probes[earlier], probes[index], push)
                earlier -= 1
            }
            if isRepeat { continue }
            probes[kept] = probes[index]
            kept += 1
        }
        probes.truncate(to: kept)
    }

    private func isSameKey(
        _ left: Probe,
        _ right: Probe,
        _ push: PayloadReader.Push
    ) -> Bool {
        if left.space != right.space { return false }
        if left.form == .value { return isSameValue(Int(left.field), Int(right.field)) }
        for position in 0..<Int(spaces[left.space].attributeCount) {
            if !isSameValue(field(left, position, push), field(right, position, push)) {
                return false
            }
        }
        return true
    }

    private func isSameValue(_ left: Int, _ right: Int) -> Bool {
        reader.fields[left].head == reader.fields[right].head
            && reader.fields[left].bytes == reader.fields[right].bytes
    }
}
