internal import Basics

/// Choosing the keys under which a widget is stored.
extension WidgetIndex {
    /// The most keys that the combined values of a widget's equalities may make. An equality that
    /// would make more is left out of the combination, unless it is the first: more keys would cost
    /// more memory, and so more time, than checking a few candidates.
    private static var productLimit: Int { 16 }
    /// The most keys of one widget. A widget that needs more is checked on every push of its app.
    private static var keyLimit: Int { 1 << 14 }

    /// Stores a widget under the keys by which pushes find it.
    mutating func link(_ widget: WidgetID) {
        assert(isStored(widget) && !widgets[widget].links.isLinked, "widget \(widget) is linked")
        let record = widgets[widget]
        let shape = shapes[record.shape]
        draft.links.truncate(to: 0)
        switch shape.use {
        case .none: return
        case .named:
            addNamedKey(shape.kind)
            storeLinks(of: widget, needsCheck: false, repeats: .never)
        case .rule:
            let rule = rule(of: record)
            if shape.hasParameterRegexps { acquireRegexes(rule) }
            if addSingleKey(of: rule, shape: shape) {
                storeLinks(of: widget, needsCheck: !shape.isDecidedByKey, repeats: .never)
                return
            }
            let app = kinds[shape.kind]!.app
            if cover(of: 0, in: rule).keyCount > Self.keyLimit {
                addGroupKey(.always, app: app, node: 0, in: rule)
                storeLinks(of: widget, needsCheck: true, repeats: .never)
                return
            }
            var traits = addKeys(of: 0, in: rule, app: app)
            if draft.links.count == 0 {
                if shape.hasParameterRegexps { releaseRegexes(record) }
                return
            }
            // A key that decides one condition of the rule does not decide the whole rule.
            if !shape.isDecidedByKey && !rule.isSingleTest { traits.decides = false }
            storeLinks(of: widget, needsCheck: !traits.decides, repeats: traits.repeats)
        }
    }

    /// Adds the only key of a widget in the common case that each equality of the rule has one
    /// value.
    ///
    /// - Returns: false in all other cases, without having added a key.
    private mutating func addSingleKey(of rule: WidgetRule, shape: RuleShape) -> Bool {
        if !findSingleKey(of: rule, shape: shape) { return false }
        spaces.retain(shape.space)
        addEqualKey(shape.space)
        return true
    }

    /// Puts the values of the rule's equalities into `draft.keyWords`.
    ///
    /// - Returns: false if one of them has several values, or if the shape has no key space for
    ///   them (`RuleShape.space`).
    mutating func findSingleKey(of rule: WidgetRule, shape: RuleShape) -> Bool {
        if shape.space == .none { return false }
        draft.keyWords.truncate(to: 0)
        for position in 0..<Int(shape.equalityCount) {
            let field = shapes.equality(of: rule.shape, at: position)
            if rule.program.end(field) != field + 2 { return false }
            let node = rule.program[field + 1]
            let value = node.isParameter ? value(of: rule, at: node.parameter) : node.value
            if values.tag(of: value) == .list { return false }
            draft.keyWords.append(Word(value))
        }
        return true
    }

    // MARK: - Regular expressions in parameters

    /// Acquires the regular expressions in the parameters of a widget.
    private mutating func acquireRegexes(_ rule: WidgetRule) {
        forEachRegex(in: rule) { index, value in index.tables.value.acquireRegex(value) }
    }

    /// Releases the regular expressions in the parameters of a widget.
    mutating func releaseRegexes(_ record: StoredWidget) {
        let rule = rule(of: record)
        forEachRegex(in: rule) { index, value in index.tables.value.releaseRegex(value) }
    }

    /// Calls `body` for each value of a parameter that the rule uses as a regular expression.
    private mutating func forEachRegex(
        in rule: WidgetRule,
        body: (inout WidgetIndex, ValueID) -> Void
    ) {
        for index in 0..<rule.program.count {
            let node = rule.program[index]
            if !node.isRegexp || !node.isParameter { continue }
            for position in 0..<operandCount(of: node, in: rule) {
                body(&self, operand(of: node, in: rule, at: position))
            }
        }
    }

    // MARK: - Conditions that must all hold

    /// A field of the rule whose tests are all equalities, and which must hold for the rule to
    /// hold.
    struct Equality {
        /// Index of the field's node.
        var field: Int
        var attribute: AttributeID
        /// The number of values that the field may equal.
        var valueCount: Int
        /// Whether all values come from the widget; values of the rule are the same for all widgets
        /// of the kind and distinguish none.
        var isFromWidget: Bool
    }

    /// The equalities that must all hold for a node to hold; nil if one of them has no value, so
    /// that the node never holds.
    func equalities(of index: Int, in rule: WidgetRule) -> [Equality]? {
        assert(rule.program[index].form == .all || rule.program[index].form == .nested, "no object")
        var found: [Equality] = []
        for child in rule.program.children(of: index) {
            let node = rule.program[child]
            if node.form == .nested {
                guard let inner = equalities(of: child, in: rule) else { return nil }
                found += inner
            } else if node.form == .field, let equality = equality(of: child, in: rule) {
                if equality.valueCount == 0 { return nil }
                found.append(equality)
            }
        }
        return found
    }

    /// The field as an equality; nil if it has any other test.
    private func equality(of field: Int, in rule: WidgetRule) -> Equality? {
        assert(rule.program[field].form == .field, "node \(field) is no field")
        var count = 0
        var isFromWidget = true
        for index in field + 1..<rule.program.end(field) {
            let node = rule.program[index]
            if node.form != .equals { return nil }
            count += operandCount(of: node, in: rule)
            isFromWidget = isFromWidget && node.isParameter
        }
        return Equality(
            field: field,
            attribute: rule.program[field].attribute,
            valueCount: count,
            isFromWidget: isFromWidget
        )
    }

    /// Chooses the equalities to combine into keys, sorted by attribute.
    ///
    /// All are combined, unless their values multiply to too many keys. In that case the cheapest
    /// of a few combinations is chosen, given the widgets that are stored now. If there are already
    /// too many key spaces to add one for the combination (`KeySpaces.hasRoom`), only the cheapest
    /// equality of the combination is chosen.
    mutating func chosen(_ all: [Equality], in rule: WidgetRule) -> [Equality] {
        assert(!all.isEmpty, "one of no equalities is chosen")
        // The widget's own values first: those of the rule are the same for all widgets of the
        // kind.
        let ordered = all.sorted {
            $0.isFromWidget == $1.isFromWidget ? $0.valueCount < $1.valueCount : $0.isFromWidget
        }
        let best = cheapestCombination(ordered, in: rule)
        if spaces.hasRoom(for: KeySpace(equal: best.map(\.attribute)), in: vocabulary) {
            return best
        }
        return cheapest(best.map { [$0] }, in: rule)
    }

    /// The cheapest of several combinations: the one that takes the equalities in their order, and
    /// those that begin with an equality which that one leaves out.
    private mutating func cheapestCombination(
        _ ordered: [Equality],
        in rule: WidgetRule
    ) -> [Equality] {
        let first = Self.combined(ordered)
        let leftOut = ordered.filter { equality in
            !first.contains { $0.attribute == equality.attribute }
                && equality.isFromWidget && equality.valueCount <= Self.keyLimit
        }
        if leftOut.isEmpty { return first }
        let others = leftOut.map { equality in
            Self.combined([equality] + ordered.filter { $0.field != equality.field })
        }
        return cheapest([first] + others, in: rule)
    }

    /// The cheapest of some combinations; the first of several that cost as much.
    private mutating func cheapest(
        _ combinations: [[Equality]],
        in rule: WidgetRule
    ) -> [Equality] {
        let costs = combinations.map { cost(of: $0, in: rule) }
        return combinations[costs.firstIndex(of: costs.min()!)!]
    }

    /// Combines the first equality with those of the others that do not multiply the keys beyond
    /// `productLimit`; sorted by attribute.
    private static func combined(_ ordered: [Equality]) -> [Equality] {
        var chosen: [Equality] = []
        var product = 1
        for equality in ordered {
            if chosen.count == KeySpace.attributeLimit { break }
            if chosen.contains(where: { $0.attribute == equality.attribute }) { continue }
            let isTooMany = product * equality.valueCount > productLimit
            if !chosen.isEmpty && isTooMany && equality.valueCount > 1 { continue }
            product *= equality.valueCount
            chosen.append(equality)
        }
        return chosen.sorted { $0.attribute < $1.attribute }
    }

    /// The estimated cost of storing a widget under the combinations of equalities: the memory for
    /// each key, and the number of widgets that are already under these keys.
    private mutating func cost(of equalities: [Equality], in rule: WidgetRule) -> Int {
        let space = spaces.find(KeySpace(equal: equalities.map(\.attribute)))
        var cost = 0
        forEachCombination(of: equalities, in: rule) { index in
            cost += 4
            guard let space else { return }
            let key = index.keys.find(index.equalHash(space), in: space, words: index.words)
            if let key { cost += index.keys.postingCount(key) }
        }
        return cost
    }

    /// Adds a key for every combination of the equalities' values.
    mutating func addCombinations(of equalities: [Equality], in rule: WidgetRule) {
        let space = KeySpace(equal: equalities.map(\.attribute))
        forEachCombination(of: equalities, in: rule) { index in
            index.addEqualKey(index.tables.value.acquire(space))
        }
    }

    /// Calls `body` for each combination of the equalities' values, with the combination in
    /// `draft.keyWords`.
    private mutating func forEachCombination(
        of equalities: [Equality],
        in rule: WidgetRule,
        body: (inout WidgetIndex) -> Void
    ) {
        let choices = equalities.map { self.choices(of: $0.field, in: rule) }
        let count = choices.reduce(1) { $0 * $1.count }
        combinationCount &+= count
        for number in 0..<count {
            draft.keyWords.truncate(to: 0)
            var rest = number
            for values in choices {
                draft.keyWords.append(Word(values[rest % values.count]))
                rest /= values.count
            }
            body(&self)
        }
    }

    /// All values that a field's equalities allow.
    private func choices(of field: Int, in rule: WidgetRule) -> [ValueID] {
        var choices: [ValueID] = []
        for index in field + 1..<rule.program.end(field) {
            let node = rule.program[index]
            for position in 0..<operandCount(of: node, in: rule) {
                choices.append(operand(of: node, in: rule, at: position))
            }
        }
        return choices
    }
}
