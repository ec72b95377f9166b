internal import Basics
internal import EventPatterns

/// Making keys for the widget that is being stored, and removing keys that are empty.
///
/// Every `add…Key` function puts the words of a key into `draft.keyWords`, creates the key if it is
/// new, and appends a link to it to `draft.links`.
extension WidgetIndex {
    // MARK: - Making keys

    /// The words in `draft.keyWords`.
    var words: KeyWords {
        unsafe KeyWords(base: UnsafePointer(draft.keyWords.elements), count: draft.keyWords.count)
    }

    /// The hash of a key of equalities with the values in `draft.keyWords`.
    func equalHash(_ space: SpaceID) -> UInt64 {
        assert(draft.keyWords.count == spaces[space].wordCount, "a value for each attribute")
        var hash = spaces.hash(space)
        for position in 0..<draft.keyWords.count {
            hash = spaces.hash(hash, adding: values.hash(of: draft.keyWords[position].value))
        }
        return hash
    }

    /// Adds the key of equalities with the values in `draft.keyWords`, one for each attribute of
    /// the space.
    mutating func addEqualKey(_ space: SpaceID) {
        addKey(in: space, hash: equalHash(space), identityCount: draft.keyWords.count)
    }

    /// Adds the key of a text at a field: its prefix, its suffix or the whole.
    ///
    /// - Returns: false if the text was cut to make the key, so that the key does not decide the
    ///   condition.
    @discardableResult
    mutating func addTextKey(_ form: KeyForm, at attribute: AttributeID, text: ByteView) -> Bool {
        assert(form.hasValues && form != .value && form != .equal, "no form of a text")
        var kept = text
        if form == .prefix || form == .foldedPrefix {
            kept = text.slice(0, to: Self.keptLength(text.count))
        } else if form == .suffix || form == .foldedSuffix {
            kept = text.slice(text.count - Self.keptLength(text.count), to: text.count)
        }
        let length = form == .folded ? 0 : kept.count
        let space = acquireSpace(form, at: attribute, parameter: length)
        let value = values.acquire(TypedValue(tag: .string, bytes: kept)).value
        draft.keyWords.truncate(to: 0)
        draft.keyWords.append(Word(value))
        addKey(in: space, hash: spaces.hash(space, word: values.hash(of: value)), identityCount: 1)
        return kept.count == text.count
    }

    /// The length to which prefixes and suffixes are cut for keys: one of a few, so that a push has
    /// few lengths to look for.
    static func keptLength(_ length: Int) -> Int {
        if length <= 32 { return length }
        for step in [192, 128, 96, 64, 48] where length >= step { return step }
        return 32
    }

    /// Adds the key of up to four bytes that a text must contain somewhere.
    mutating func addGramKey(at attribute: AttributeID, gram: UInt32, count: Int) {
        assert((1...4).contains(count), "a gram of \(count) bytes")
        let space = acquireSpace(.gram, at: attribute, parameter: count)
        draft.keyWords.truncate(to: 0)
        draft.keyWords.append(Word(bits: gram))
        addKey(in: space, hash: spaces.hash(space, word: UInt64(gram)), identityCount: 1)
    }

    /// Adds the key of a cell of the number line.
    mutating func addCellKey(at attribute: AttributeID, cell: NumberCell) {
        let space = acquireSpace(.cell, at: attribute, parameter: Int(cell.level))
        draft.keyWords.truncate(to: 0)
        appendDoubleWord(cell.number)
        addKey(in: space, hash: spaces.hash(space, word: cell.number), identityCount: 2)
    }

    mutating func addBlockKey(at attribute: AttributeID, block: AddressBlock) {
        let form: KeyForm = block.address.isIPv6 ? .block6 : .block4
        let space = acquireSpace(form, at: attribute, parameter: block.prefixLength)
        draft.keyWords.truncate(to: 0)
        appendDoubleWord(block.address.high)
        appendDoubleWord(block.address.low)
        let hash = spaces.hash(space, address: block.address, prefixLength: block.prefixLength)
        addKey(in: space, hash: hash, identityCount: 4)
    }

    /// Adds the key of a kind, for a push that names it.
    mutating func addNamedKey(_ kind: KindID) {
        spaces.retain(namedSpace)
        draft.keyWords.truncate(to: 0)
        draft.keyWords.append(Word(bits: UInt32(kind.rawValue)))
        addKey(
            in: namedSpace,
            hash: spaces.hash(namedSpace, word: UInt64(kind.rawValue)),
            identityCount: 1
        )
    }

    /// Appends a 64-bit value as two words, the low half first.
    private mutating func appendDoubleWord(_ word: UInt64) {
        draft.keyWords.append(Word(bits: UInt32(truncatingIfNeeded: word)))
        draft.keyWords.append(Word(bits: UInt32(truncatingIfNeeded: word >> 32)))
    }

    /// The space of keys of a form at one attribute, with one more reference.
    private mutating func acquireSpace(
        _ form: KeyForm,
        at attribute: AttributeID,
        parameter: Int
    ) -> SpaceID {
        tables.value.acquire(KeySpace(form: form, at: attribute, parameter: parameter))
    }

    /// Links the key with the words in `draft.keyWords`, and creates it if it is new. Its first
    /// `identityCount` words identify it; the others are data of its own.
    ///
    /// Consumes a reference to the space and, if the space `ownsValues`, to the value of the first
    /// word. The values of equalities are referred to by each widget under the key instead.
    private mutating func addKey(in space: SpaceID, hash: UInt64, identityCount: Int) {
        assert(identityCount > 0 && identityCount <= draft.keyWords.count, "words of a key")
        let words = unsafe KeyWords(
            base: UnsafePointer(draft.keyWords.elements),
            count: identityCount
        )
        guard let known = keys.find(hash, in: space, words: words) else {
            let all = unsafe KeyWords(
                base: UnsafePointer(draft.keyWords.elements),
                count: draft.keyWords.count
            )
            draft.links.append(KeyLink(key: keys.insert(hash, in: space, words: all)))
            return
        }
        if spaces[space].ownsValues { values.release(draft.keyWords[0].value) }
        tables.value.release(space)
        draft.links.append(KeyLink(key: known))
    }

    // MARK: - Removing keys

    /// Removes a key without postings, and releases what it refers to.
    mutating func removeKey(_ key: KeyID) {
        assert(keys.postingCount(key) == 0, "widgets are under key \(key)")
        let number = keys.space(key)
        let (hash, wordCount) = (keyHash(of: key), wordCount(of: key))
        if spaces[number].ownsValues { values.release(keys.word(of: key, at: 0).value) }
        if spaces[number].hasGroups { unlinkGroup(key, of: number) }
        keys.remove(key, hash: hash, wordCount: wordCount)
        tables.value.release(number)
    }

    /// The hash of a stored key.
    func keyHash(of key: KeyID) -> UInt64 {
        let number = keys.space(key)
        switch spaces[number].form {
        case .value, .equal:
            var hash = spaces.hash(number)
            for position in 0..<spaces[number].wordCount {
                let value = keys.word(of: key, at: position).value
                hash = spaces.hash(hash, adding: values.hash(of: value))
            }
            return hash
        case .prefix, .suffix, .folded, .foldedPrefix, .foldedSuffix:
            return spaces.hash(number, word: values.hash(of: keys.word(of: key, at: 0).value))
        case .gram, .named: return spaces.hash(number, word: UInt64(keys.word(of: key, at: 0).bits))
        case .cell: return spaces.hash(number, word: doubleWord(of: key, at: 0))
        case .block4, .block6:
            return spaces.hash(
                spaces.hash(number, word: doubleWord(of: key, at: 0)),
                adding: doubleWord(of: key, at: 2)
            )
        case .group, .always: return groupHash(of: key, in: number)
        }
    }

    /// The number of words of a stored key.
    func wordCount(of key: KeyID) -> Int {
        let space = keys.space(key)
        return spaces[space].hasGroups ? groupIdentityCount(key) + 3 : spaces[space].wordCount
    }

    /// Two words of a key as one 64-bit value; the word at `position` is the low half.
    @inline(__always)
    func doubleWord(of key: KeyID, at position: Int) -> UInt64 {
        let (low, high) = (keys.word(of: key, at: position), keys.word(of: key, at: position + 1))
        return UInt64(low.bits) | UInt64(high.bits) << 32
    }

    // MARK: - Groups

    /// Adds the key of a *group*: a condition that is evaluated once for all widgets of a shape
    /// with the same values in it.
    ///
    ///     key: [ shape, node, value of each parameter … | next group, previous group, patterns ]
    ///
    /// The groups of a space form a doubly linked list, which starts at
    /// `KeySpaces.Record.firstGroup`.
    mutating func addGroupKey(_ form: KeyForm, app: AppID, node: Int, in rule: WidgetRule) {
        assert(form == .group || form == .always, "no form of a group")
        let attribute = form == .always ? .root(app) : rule.program[node].attribute
        let space = acquireSpace(form, at: attribute, parameter: 0)
        draft.keyWords.truncate(to: 0)
        draft.keyWords.append(Word(rule.shape))
        draft.keyWords.append(Word(bits: UInt32(node)))
        for index in node..<rule.program.end(node) {
            let node = rule.program[index]
            if node.hasOperand && node.isParameter {
                draft.keyWords.append(Word(value(of: rule, at: node.parameter)))
            }
        }
        let identityCount = draft.keyWords.count
        var hash = spaces.hash(space)
        for position in 0..<identityCount {
            hash = spaces.hash(hash, adding: UInt64(draft.keyWords[position].bits))
        }
        let first = spaces.records[space].firstGroup
        draft.keyWords.append(Word(first))
        draft.keyWords.append(Word(KeyID.none))
        let tests = UInt32(textTests(of: node, in: rule).ofWidget)
        draft.keyWords.append(Word(bits: tests))
        let before = keys.count
        addKey(in: space, hash: hash, identityCount: identityCount)
        if keys.count == before { return }
        let key = draft.links[draft.links.count - 1].key
        if first != .none {
            keys.setWord(of: first, at: groupIdentityCount(first) + 1, to: Word(key))
        }
        spaces.records[space].firstGroup = key
        spaces.records[space].patternCount += tests
    }

    /// The number of words that identify a group's key.
    @inline(__always)
    func groupIdentityCount(_ key: KeyID) -> Int {
        assert(spaces[keys.space(key)].hasGroups, "key \(key) is no group")
        let program = shapes.program(keys.word(of: key, at: 0).shape)
        let node = groupNode(key)
        var count = 2
        for index in node..<program.end(node)
        where program[index].hasOperand && program[index].isParameter {
            count += 1
        }
        return count
    }

    /// The index of the node in the shape's program that a group's key stands for.
    @inline(__always)
    func groupNode(_ key: KeyID) -> Int { Int(keys.word(of: key, at: 1).bits) }

    /// The next group of the same space, or `KeyID.none`.
    @inline(__always)
    func nextGroup(_ key: KeyID) -> KeyID { keys.word(of: key, at: groupIdentityCount(key)).key }

    private func groupHash(of key: KeyID, in space: SpaceID) -> UInt64 {
        var hash = spaces.hash(space)
        for position in 0..<groupIdentityCount(key) {
            hash = spaces.hash(hash, adding: UInt64(keys.word(of: key, at: position).bits))
        }
        return hash
    }

    /// Removes a group, and its patterns, from the list of its space.
    private mutating func unlinkGroup(_ key: KeyID, of space: SpaceID) {
        let identityCount = groupIdentityCount(key)
        let next = keys.word(of: key, at: identityCount).key
        let before = keys.word(of: key, at: identityCount + 1).key
        spaces.records[space].patternCount -= keys.word(of: key, at: identityCount + 2).bits
        if next != .none {
            keys.setWord(of: next, at: groupIdentityCount(next) + 1, to: Word(before))
        }
        if before == .none {
            spaces.records[space].firstGroup = next
        } else {
            keys.setWord(of: before, at: groupIdentityCount(before), to: Word(next))
        }
    }
}
