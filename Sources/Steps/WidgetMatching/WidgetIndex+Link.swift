internal import DataStructures
internal import ReloadModel

extension WidgetIndex {
    /// Most keys that the values of several equalities may multiply to for one widget: more would
    /// take memory and, with it, time, beyond what checking a few candidates does.
    private static var productLimit: Int { 16 }
    /// Most keys of one widget.
    ///
    /// Beyond: it is compared with every push of its app.
    private static var keyLimit: Int { 1 << 14 }

    /// Stands a widget under keys by which pushes find it.
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
            // What decides a part of the rule does not decide the rule.
            if !shape.isDecidedByKey && !rule.isSingleTest { traits.decides = false }
            storeLinks(of: widget, needsCheck: !traits.decides, repeats: traits.repeats)
        }
    }

    /// The common case: every equality of the rule has one value, and they make one key.
    private mutating func addSingleKey(_ rule: WidgetRule, _ shape: Shape) -> Bool {
        if !findSingleKey(rule, shape) { return false }
        spaces.retain(shape.space)
        addEqualKey(shape.space)
        return true
    }

    /// Puts the values of all equalities of the rule in `draft.keyWords`, if each has one.
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

    // MARK: - Regular expressions that widgets bring

    private mutating func acquireRegexes(_ rule: WidgetRule) {
        forEachRegex(rule) { index, value in index.acquireRegex(value) }
    }

    mutating func releaseRegexes(_ record: StoredWidget) {
        let rule = rule(of: record)
        forEachRegex(rule) { index, value in index.releaseRegex(value) }
    }

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

    /// A field that only equalities decide, and how many values it may have.
    struct Equality {
        var field: Int
        var attribute: AttributeID
        var valueCount: Int
        /// Whether the values come from the widget: those of the rule are the same for all of its
        /// kind.
        var isOwn: Bool
    }

    /// The equalities that must hold if the node does; nil if one of them has no value.
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

    /// Of equalities those that make a key together: all, as long as their values do not multiply
    /// too far; else those under which pushes meet the fewest widgets as things are.
    ///
    /// If the attribute already has too many key spaces (`KeySpaces.hasRoom`), the cheapest of these
    /// alone.
    mutating func chosen(_ all: [Equality], _ rule: WidgetRule) -> [Equality] {
        // The widget's own first: values of the rule are the same for all of its kind.
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

    /// The first equality, and of the others those that do not multiply the keys too far; by
    /// attribute.
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

    /// What a widget under the equalities' keys costs: memory for each of them, and the time of
    /// pushes that meet the widgets which stand there.
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

    /// Calls `body` with each combination of the equalities' values in `draft.keyWords`.
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
