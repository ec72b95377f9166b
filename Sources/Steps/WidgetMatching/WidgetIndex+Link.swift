internal import DataStructures
internal import ReloadModel

/// Choosing the keys under which a widget is stored.
extension WidgetIndex {
    /// Most keys that one widget's combined equalities may multiply to. More would cost more
    /// memory, and so more time, than checking a few candidates.
    private static var productLimit: Int { 16 }
    /// Most keys of one widget. A widget that needs more is checked on every push of its app.
    private static var keyLimit: Int { 1 << 14 }

    /// Stores a widget under the keys by which pushes find it.
    mutating func link(_ widget: WidgetID) {
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
            if addSingleKey(rule, shape) {
                storeLinks(of: widget, needsCheck: !shape.isDecidedByKey, repeats: .never)
                return
            }
            let app = kinds[Int(shape.kind)]!.app
            if cover(of: 0, rule).keyCount > Self.keyLimit {
                addGroupKey(.always, app, 0, rule)
                storeLinks(of: widget, needsCheck: true, repeats: .never)
                return
            }
            var traits = addKeys(of: 0, rule, app)
            if draft.links.count == 0 {
                if shape.hasParameterRegexps { releaseRegexes(record) }
                return
            }
            // A key that decides one condition of the rule does not decide the whole rule.
            if !shape.isDecidedByKey && !rule.isSingleTest { traits.decides = false }
            storeLinks(of: widget, needsCheck: !traits.decides, repeats: traits.repeats)
        }
    }

    /// Adds the only key of a widget in the common case: each equality of the rule has one value.
    private mutating func addSingleKey(_ rule: WidgetRule, _ shape: Shape) -> Bool {
        if !findSingleKey(rule, shape) { return false }
        spaces.retain(shape.space)
        addEqualKey(shape.space)
        return true
    }

    /// Puts the values of the rule's equalities into `draft.keyWords`. False if the shape has no
    /// space for them or one has several values.
    mutating func findSingleKey(_ rule: WidgetRule, _ shape: Shape) -> Bool {
        if shape.space == KeySpace.none { return false }
        draft.keyWords.truncate(to: 0)
        for position in 0..<Int(shape.equalityCount) {
            let field = shapes.equality(rule.shape, position)
            if rule.program.end(field) != field + 2 { return false }
            let node = rule.program[field + 1]
            var value = node.operand
            if node.isParameter {
                value = self.value(of: rule, Int(node.operand))
                if values.tag(of: value) == .list { return false }
            }
            draft.keyWords.append(value)
        }
        return true
    }

    // MARK: - Regular expressions in parameters

    private mutating func acquireRegexes(_ rule: WidgetRule) {
        forEachRegex(rule) { index, value in index.acquireRegex(value) }
    }

    /// Releases the regular expressions in the parameters of a widget.
    mutating func releaseRegexes(_ record: StoredWidget) {
        let rule = rule(of: record)
        forEachRegex(rule) { index, value in index.releaseRegex(value) }
    }

    /// Calls `body` for each value of a parameter that the rule uses as a regular expression.
    private mutating func forEachRegex(
        _ rule: WidgetRule,
        _ body: (inout WidgetIndex, ValueID) -> Void
    ) {
        for index in 0..<rule.program.count {
            let node = rule.program[index]
            if !node.isRegexp || !node.isParameter { continue }
            for position in 0..<operandCount(node, rule) {
                body(&self, operand(node, rule, position))
            }
        }
    }

    // MARK: - Conditions that must all hold

    /// A field of the rule with equalities only, which must hold for the rule to hold.
    struct Equality {
        /// Index of the field's node.
        var field: Int
        var attribute: AttributeID
        /// The number of values that the field may equal.
        var valueCount: Int
        /// Whether all values come from the widget; values of the rule are the same for all widgets
        /// of the kind and distinguish none.
        var isOwn: Bool
    }

    /// The equalities that must hold if the node holds; nil if one of them has no value, so that
    /// the node never holds.
    func equalities(of index: Int, _ rule: WidgetRule) -> [Equality]? {
        var found: [Equality] = []
        var child = index + 1
        let end = rule.program.end(index)
        while child < end {
            let node = rule.program[child]
            if node.form == .nested {
                guard let inner = equalities(of: child, rule) else { return nil }
                found += inner
            } else if node.form == .field, let equality = equality(child, rule) {
                if equality.valueCount == 0 { return nil }
                found.append(equality)
            }
            child = rule.program.end(child)
        }
        return found
    }

    /// The field as an equality; nil if it has any other test.
    private func equality(_ field: Int, _ rule: WidgetRule) -> Equality? {
        var count = 0
        var isOwn = true
        for index in field + 1..<rule.program.end(field) {
            let node = rule.program[index]
            if node.form != .equals { return nil }
            count += operandCount(node, rule)
            isOwn = isOwn && node.isParameter
        }
        return Equality(
            field: field,
            attribute: rule.program[field].attribute,
            valueCount: count,
            isOwn: isOwn
        )
    }

    /// Chooses the equalities to combine into keys: all, unless their values multiply too far;
    /// otherwise those under which, as things are, a push meets the fewest widgets.
    ///
    /// If there are already too many key spaces to add one for the combination
    /// (`KeySpaces.hasRoom`), only the cheapest equality of it.
    mutating func chosen(_ all: [Equality], _ rule: WidgetRule) -> [Equality] {
        // The widget's own values first: those of the rule are the same for all widgets of the
        // kind.
        let ordered = all.sorted {
            $0.isOwn == $1.isOwn ? $0.valueCount < $1.valueCount : $0.isOwn
        }
        let best = cheapestTogether(ordered, rule)
        if spaces.hasRoom(for: KeySpace(equal: best.map(\.attribute)), vocabulary) {
            return best
        }
        var cheapest = best[0]
        var cheapestCost = cost(of: [cheapest], rule)
        for equality in best.dropFirst() {
            let cost = cost(of: [equality], rule)
            if cost < cheapestCost { (cheapest, cheapestCost) = (equality, cost) }
        }
        return [cheapest]
    }

    /// The cheapest combination among the default one and those that start with an equality left
    /// out of it.
    private mutating func cheapestTogether(
        _ ordered: [Equality],
        _ rule: WidgetRule
    ) -> [Equality] {
        var best = Self.together(ordered)
        let leftOut = ordered.filter { equality in
            !best.contains { $0.attribute == equality.attribute }
                && equality.isOwn && equality.valueCount <= Self.keyLimit
        }
        if leftOut.isEmpty { return best }
        var bestCost = cost(of: best, rule)
        for equality in leftOut {
            let others = ordered.filter { $0.field != equality.field }
            let candidate = Self.together([equality] + others)
            let cost = cost(of: candidate, rule)
            if cost < bestCost {
                best = candidate
                bestCost = cost
            }
        }
        return best
    }

    /// Combines the first equality with those of the others that do not multiply the keys too far;
    /// sorted by attribute.
    private static func together(_ ordered: [Equality]) -> [Equality] {
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

    /// The estimated cost of storing a widget under the combinations of equalities: memory for each
    /// key, and the widgets that a push meets under keys that exist.
    private mutating func cost(of equalities: [Equality], _ rule: WidgetRule) -> Int {
        let space = spaces.find(KeySpace(equal: equalities.map(\.attribute)))
        var cost = 0
        forEachCombination(equalities, rule) { index in
            cost += 4
            if space == KeySpace.none { return }
            let key = index.keys.find(index.equalHash(space), space, index.words)
            if key != KeyTable.none { cost += index.keys.postingCount(key) }
        }
        return cost
    }

    /// Adds a key for every combination of the equalities' values.
    mutating func addCombinations(_ equalities: [Equality], _ rule: WidgetRule) {
        let space = KeySpace(equal: equalities.map(\.attribute))
        forEachCombination(equalities, rule) { index in
            index.addEqualKey(index.acquireSpace(space))
        }
    }

    /// Calls `body` for each combination of the equalities' values, with the combination in
    /// `draft.keyWords`.
    private mutating func forEachCombination(
        _ equalities: [Equality],
        _ rule: WidgetRule,
        _ body: (inout WidgetIndex) -> Void
    ) {
        let choices = equalities.map { self.choices($0.field, rule) }
        for number in 0..<choices.reduce(1, { $0 * $1.count }) {
            draft.keyWords.truncate(to: 0)
            var rest = number
            for values in choices {
                draft.keyWords.append(values[rest % values.count])
                rest /= values.count
            }
            body(&self)
        }
    }

    /// All values that a field's equalities allow.
    private func choices(_ field: Int, _ rule: WidgetRule) -> [ValueID] {
        var choices: [ValueID] = []
        for index in field + 1..<rule.program.end(field) {
            let node = rule.program[index]
            for position in 0..<operandCount(node, rule) {
                choices.append(operand(node, rule, position))
            }
        }
        return choices
    }
}
