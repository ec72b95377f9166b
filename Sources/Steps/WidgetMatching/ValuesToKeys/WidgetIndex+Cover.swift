internal import Basics
internal import EventPatterns

/// Choosing and adding the keys that cover a rule; see `Cover`.
///
/// Each `…cover` function computes a cost, and the matching `add…` function adds the keys that were
/// counted: both must make the same choices.
extension WidgetIndex {
    // MARK: - Which condition

    /// The cost of covering a node and everything below it.
    mutating func cover(of index: Int, in rule: WidgetRule) -> Cover {
        let node = rule.program[index]
        switch node.form {
        case .all, .nested:
            guard let equalities = equalities(of: index, in: rule) else { return .never }
            if !equalities.isEmpty {
                let product = chosen(equalities, in: rule).reduce(1) { $0 * $1.valueCount }
                return Cover(rank: .equality, keyCount: product)
            }
            return bestChild(of: index, in: rule).cover
        case .any:
            return rule.program.children(of: index).reduce(.never) { cover, child in
                cover.joined(with: self.cover(of: child, in: rule))
            }
        case .field: return fieldCover(of: index, in: rule)
        default: return testCover(of: index, in: rule)
        }
    }

    /// The child of a conjunction, or the test within `all-of`, with the cheapest cover.
    private mutating func bestChild(
        of index: Int,
        in rule: WidgetRule
    ) -> (child: Int, cover: Cover) {
        assert(rule.program.end(index) > index + 1, "node \(index) has no children")
        var best: (child: Int, cover: Cover)?
        for child in rule.program.children(of: index) {
            let cover = cover(of: child, in: rule)
            if best.map({ cover.isBetter(than: $0.cover) }) ?? true { best = (child, cover) }
        }
        return best!
    }

    /// Adds the keys that cover a node, and returns what is known of a push that has one of them.
    mutating func addKeys(of index: Int, in rule: WidgetRule, app: AppID) -> Cover.Traits {
        let node = rule.program[index]
        switch node.form {
        case .all, .nested:
            guard let equalities = equalities(of: index, in: rule) else { return .none }
            if !equalities.isEmpty {
                let chosen = chosen(equalities, in: rule)
                addCombinations(of: chosen, in: rule)
                let decides = chosen.count == equalities.count
                return Cover.Traits(decides: decides, repeats: .withLists)
            }
            return addKeys(of: bestChild(of: index, in: rule).child, in: rule, app: app)
        case .any:
            for child in rule.program.children(of: index) {
                _ = addKeys(of: child, in: rule, app: app)
            }
            return Cover.Traits(decides: false, repeats: .always)
        default: return addFieldKeys(of: index, in: rule, app: app)
        }
    }

    // MARK: - Fields

    /// The cost of covering a field. All of its tests are covered, since any of them may hold.
    private mutating func fieldCover(of index: Int, in rule: WidgetRule) -> Cover {
        assert(rule.program[index].form == .field, "node \(index) is no field")
        let cover = rule.program.children(of: index).reduce(Cover.never) { cover, child in
            cover.joined(with: testCover(of: child, in: rule))
        }
        // If the condition is evaluated as a whole, one key is enough.
        return cover.rank >= .group ? Cover(rank: cover.rank, keyCount: 1) : cover
    }

    private mutating func addFieldKeys(
        of index: Int,
        in rule: WidgetRule,
        app: AppID
    ) -> Cover.Traits {
        let cover = fieldCover(of: index, in: rule)
        if cover.isNever { return .none }
        if cover.rank >= .group {
            addGroupKey(cover.rank == .always ? .always : .group, app: app, node: index, in: rule)
            return Cover.Traits(decides: false, repeats: .never)
        }
        if rule.program.end(index + 1) == rule.program.end(index) {
            return addTestKeys(of: index + 1, in: rule)
        }
        for child in rule.program.children(of: index) { _ = addTestKeys(of: child, in: rule) }
        return Cover.Traits(decides: false, repeats: .always)
    }

    // MARK: - Tests

    /// The cost of covering a single test.
    private mutating func testCover(of index: Int, in rule: WidgetRule) -> Cover {
        let node = rule.program[index]
        switch node.form {
        case .equals: return Cover(rank: .equality, keyCount: operandCount(of: node, in: rule))
        case .text: return textCover(of: node, in: rule)
        case .numeric: return NumericRange(index, of: rule, in: self).cover
        case .absent: return Cover(rank: .always, keyCount: 1)
        case .exists, .anythingBut: return Cover(rank: .group, keyCount: 1)
        case .allOf: return bestChild(of: index, in: rule).cover
        case .allOfParameter:
            return Cover(
                rank: operandCount(of: node, in: rule) == 0 ? .group : .equality,
                keyCount: 1
            )
        case .all, .any, .nested, .field, .bound: return .never
        }
    }

    /// Adds the keys that cover a single test.
    private mutating func addTestKeys(of index: Int, in rule: WidgetRule) -> Cover.Traits {
        let node = rule.program[index]
        let count = operandCount(of: node, in: rule)
        switch node.form {
        case .equals:
            for position in 0..<count {
                addEqualKey(at: node.attribute, value: operand(of: node, in: rule, at: position))
            }
            return Cover.Traits(decides: true, repeats: .withLists)
        case .allOfParameter:
            addEqualKey(at: node.attribute, value: operand(of: node, in: rule, at: 0))
            return Cover.Traits(decides: count == 1, repeats: .never)
        case .text:
            if count == 1 {
                return addTextKeys(of: node, operand: operand(of: node, in: rule, at: 0))
            }
            for position in 0..<count {
                _ = addTextKeys(of: node, operand: operand(of: node, in: rule, at: position))
            }
            return Cover.Traits(decides: false, repeats: .always)
        case .numeric:
            addNumericKeys(of: index, in: rule)
            return Cover.Traits(decides: false, repeats: .withLists)
        case .allOf:
            let traits = addTestKeys(of: bestChild(of: index, in: rule).child, in: rule)
            return Cover.Traits(decides: false, repeats: traits.repeats)
        case .exists, .absent, .anythingBut, .all, .any, .nested, .field, .bound: return .none
        }
    }

    /// Adds the key of one value at one attribute.
    private mutating func addEqualKey(at attribute: AttributeID, value: ValueID) {
        draft.keyWords.truncate(to: 0)
        draft.keyWords.append(Word(value))
        addEqualKey(tables.value.acquire(KeySpace(equal: [attribute])))
    }

    /// Adds the keys of the values or cells that cover a `numeric` test.
    private mutating func addNumericKeys(of index: Int, in rule: WidgetRule) {
        assert(rule.program[index].form == .numeric, "node \(index) has no bounds")
        let attribute = rule.program[index].attribute
        let range = NumericRange(index, of: rule, in: self)
        for value in range.equals { addEqualKey(at: attribute, value: value) }
        guard let (low, high) = range.keys else { return }
        var cells: [NumberCell] = []
        NumberCell.cover(from: low, to: high) { cells.append($0) }
        for cell in cells { addCellKey(at: attribute, cell: cell) }
    }

    // MARK: - Texts

    /// The cost of covering a text test: one key for each usable operand.
    private func textCover(of node: PatternNode, in rule: WidgetRule) -> Cover {
        assert(node.form == .text, "a cover of a test on texts")
        var cover = Cover.never
        for position in 0..<operandCount(of: node, in: rule) {
            let operand = operand(of: node, in: rule, at: position)
            guard let rank = textRank(of: node.textOperator, operand: operand) else { continue }
            cover = cover.joined(with: Cover(rank: rank, keyCount: 1))
        }
        return cover
    }

    /// The rank of the key for one operand of a text test; nil if no text can pass.
    private func textRank(of name: TextOperator, operand: ValueID) -> Cover.Rank? {
        let text = values.value(operand)
        if text.tag != .string { return nil }
        let length: Int
        switch name {
        case .equalsIgnoringCase: return .foldedEquality
        case .cidr: return AddressBlock(text.bytes) == nil ? nil : .block
        case .prefix, .suffix, .prefixIgnoringCase, .suffixIgnoringCase: length = text.bytes.count
        case .wildcard:
            if !WildcardPattern.isValid(text.bytes) { return nil }
            length = Self.longest(WildcardPattern.runs(of: text.bytes)).count
            if length == 0 { return .group }
        case .regexp:
            guard let prefix = regexes.literalPrefix(operand) else { return nil }
            length = prefix.count
            if length == 0 { return .group }
        }
        return length < 3 ? .shortText : .longText
    }

    /// The longest of a wildcard's runs; the first of several that are as long.
    private static func longest(_ runs: [[UInt8]]) -> [UInt8] {
        runs.reduce([]) { $1.count > $0.count ? $1 : $0 }
    }

    /// Adds the key of a text test with one operand.
    private mutating func addTextKeys(of node: PatternNode, operand: ValueID) -> Cover.Traits {
        let name = node.textOperator
        if textRank(of: name, operand: operand) == nil { return .none }
        let attribute = node.attribute
        let text = values.bytes(of: operand)
        var decides = true
        switch name {
        case .prefix: decides = addTextKey(.prefix, at: attribute, text: text)
        case .suffix: decides = addTextKey(.suffix, at: attribute, text: text)
        case .equalsIgnoringCase: addFoldedKey(.folded, at: attribute, text: text)
        case .prefixIgnoringCase: decides = addFoldedKey(.foldedPrefix, at: attribute, text: text)
        case .suffixIgnoringCase: decides = addFoldedKey(.foldedSuffix, at: attribute, text: text)
        case .cidr: addBlockKey(at: attribute, block: AddressBlock(text)!)
        case .regexp:
            decides = false
            regexes.literalPrefix(operand)!.withByteView { prefix in
                _ = addTextKey(.prefix, at: attribute, text: prefix)
            }
        case .wildcard:
            addWildcardKey(at: attribute, operand: operand)
            // A text may contain the bytes several times, so that a push finds the widget each
            // time.
            return Cover.Traits(decides: false, repeats: .always)
        }
        return Cover.Traits(decides: decides, repeats: .withLists)
    }

    /// Adds the key of a text whose case is folded first; see `addTextKey`.
    @discardableResult
    private mutating func addFoldedKey(
        _ form: KeyForm,
        at attribute: AttributeID,
        text: ByteView
    ) -> Bool {
        addTextKey(form, at: attribute, text: draft.folded.fold(text))
    }

    /// Adds the key of a wildcard, from its longest literal part: its beginning, its end, or some
    /// bytes from within. Of parts with the same length, the beginning is preferred, then the end.
    private mutating func addWildcardKey(at attribute: AttributeID, operand: ValueID) {
        let runs = WildcardPattern.runs(of: values.bytes(of: operand))
        let (prefix, suffix, longest) = (runs[0], runs[runs.count - 1], Self.longest(runs))
        if prefix.count >= longest.count {
            _ = prefix.withByteView { addTextKey(.prefix, at: attribute, text: $0) }
        } else if suffix.count >= longest.count {
            _ = suffix.withByteView { addTextKey(.suffix, at: attribute, text: $0) }
        } else {
            addGramKey(at: attribute, text: longest)
        }
    }

    /// Adds the key of four consecutive bytes of a text, or of all bytes if there are fewer. Of
    /// several runs of four bytes, that for which the fewest widgets wait is chosen.
    private mutating func addGramKey(at attribute: AttributeID, text: [UInt8]) {
        assert(!text.isEmpty, "a text without bytes contains nothing")
        let length = min(text.count, 4)
        var best: (gram: UInt32, count: Int)?
        for offset in 0...text.count - length {
            var gram: UInt32 = 0
            for index in 0..<length { gram |= UInt32(text[offset + index]) << UInt32(8 * index) }
            let count = gramPostingCount(at: attribute, gram: gram, length: length)
            if best == nil || count < best!.count { best = (gram, count) }
        }
        addGramKey(at: attribute, gram: best!.gram, count: length)
    }

    /// The number of widgets that wait for a gram.
    private func gramPostingCount(at attribute: AttributeID, gram: UInt32, length: Int) -> Int {
        let space = KeySpace(form: .gram, at: attribute, parameter: length)
        guard let number = spaces.find(space) else { return 0 }
        let hash = spaces.hash(number, word: UInt64(gram))
        return keys.find(hash, in: number, word: Word(bits: gram)).map { keys.postingCount($0) }
            ?? 0
    }
}
