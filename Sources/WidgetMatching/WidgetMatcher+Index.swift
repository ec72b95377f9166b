internal import ByteStorage
internal import ReloadModel

extension WidgetMatcher {
    // MARK: - Rules

    /// Replaces all kinds and rules.
    ///
    /// Widgets of kinds whose rule changed are indexed anew; those of kinds that are gone stay
    /// stored, and match nothing until the kind is back. Costs a pass over all widgets if anything
    /// changed.
    package mutating func install(apps: [App]) {
        precondition(queuedCount == 0, "pushes are being matched")
        var rules = CompiledRules()
        var wanted: [InstalledKind?] = []
        for app in apps {
            for kind in app.kinds {
                rules.add(kind.kind, of: app.app, kind.rule, &reader.vocabulary)
                while wanted.count <= Int(kind.kind) { wanted.append(nil) }
                wanted[Int(kind.kind)] = InstalledKind(
                    app: app.app,
                    name: kind.name,
                    rule: kind.rule
                )
            }
        }
        let changed = changedKinds(wanted)
        forEachWidget(of: changed) { matcher, widget in matcher.unlink(widget) }
        swap(&self.rules, &rules)
        forEachWidget(of: changed) { matcher, widget in matcher.link(widget) }
        rules.release(&reader.vocabulary)
        rename(wanted)
    }

    /// For each kind, whether other pushes than before reach its widgets.
    private func changedKinds(_ wanted: [InstalledKind?]) -> [Bool] {
        (0..<max(kinds.count, wanted.count)).map { kind in
            let old = kind < kinds.count ? kinds[kind] : nil
            let new = kind < wanted.count ? wanted[kind] : nil
            // Text that is equal to Swift may have other bytes, which is what matching compares.
            return old?.app != new?.app || old?.rule != new?.rule
                || !"\(old?.rule as Any)".utf8.elementsEqual("\(new?.rule as Any)".utf8)
        }
    }

    private mutating func rename(_ wanted: [InstalledKind?]) {
        for case let kind? in kinds { reader.vocabulary.removeKind(kind.name, of: kind.app) }
        for (number, kind) in wanted.enumerated() {
            guard let kind else { continue }
            reader.vocabulary.addKind(KindID(number), kind.name, of: kind.app)
        }
        kinds = wanted
    }

    private mutating func forEachWidget(
        of changed: [Bool],
        _ body: (inout WidgetMatcher, WidgetID) -> Void
    ) {
        if !changed.contains(true) { return }
        for widget in 0..<widgets.end {
            let kind = Int(widgets[widget].kind)
            if kind < changed.count && changed[kind] { body(&self, widget) }
        }
    }

    // MARK: - A widget's place in the index

    /// The condition that a widget is indexed by, and where its values lie in `values`.
    private struct Anchor {
        var condition: UInt8 = 0
        var first = 0
        var end = 0
        /// Whether the values come from the configuration alone.
        var isOwn = false
        var cost = Int.max
    }

    /// Puts a widget under the values by which pushes find it.
    mutating func link(_ widget: WidgetID) {
        assert(widgets[widget].linkCount == 0 && !widgets[widget].usesFields)
        let kind = rules.kind(widgets[widget].kind)
        if !kind.isDeclared { return }
        let configuration = configuration(of: widget)
        values.truncate(to: 0)
        var count = Int(kind.conditionCount)
        let anchor: Anchor?
        if kind.hasRule {
            anchor = ruleAnchor(kind, configuration)
        } else if configuration.bytes.count == 0 {
            count = 1
            anchor = nameAnchor(widgets[widget].kind)
        } else {
            (anchor, count) = parameterAnchor(kind, configuration)
            widgets[widget].usesFields = anchor != nil
        }
        guard let anchor else { return }
        widgets[widget].condition = anchor.condition
        makeLinks(anchor.first..<anchor.end)
        let needsCheck = count > 1 || links.count > 1
        for number in 0..<links.count {
            links[number].position = index.append(
                Posting(widget, needsCheck: needsCheck),
                to: links[number].key
            )
        }
        storeLinks(of: widget)
    }

    private mutating func nameAnchor(_ kind: KindID) -> Anchor {
        append(Vocabulary.byName(kind), TypedValue(tag: .name, bytes: .empty))
        return Anchor(end: 1)
    }

    /// Nil if one of the conditions allows nothing.
    private mutating func ruleAnchor(
        _ kind: CompiledKind,
        _ configuration: Configuration
    ) -> Anchor? {
        var best = Anchor()
        for number in 0..<kind.conditionCount {
            let condition = rules.condition(kind.firstCondition + UInt32(number))
            let first = values.count
            for offset in 0..<condition.alternativeCount {
                let alternative = rules.alternative(condition.firstAlternative + offset)
                if alternative.isParameter {
                    var own = configuration.values(of: alternative.content)
                    while let value = own.next() { append(condition.attribute, value) }
                } else {
                    append(condition.attribute, rules.literal(alternative))
                }
            }
            if values.count == first { return nil }
            consider(number, first, isOwn: condition.isOwn, &best)
        }
        return kind.conditionCount == 0 ? nil : best
    }

    /// Without a rule the parameters are the conditions, and their names the fields that are put to
    /// use; nil, with nothing used, if one of them is an empty list.
    private mutating func parameterAnchor(
        _ kind: CompiledKind,
        _ configuration: Configuration
    ) -> (Anchor?, count: Int) {
        var parameters = configuration.parameters
        while let parameter = parameters.next() {
            if parameter.values.count == 0 { return (nil, 0) }
        }
        var best = Anchor()
        var count = 0
        parameters = configuration.parameters
        while let parameter = parameters.next() {
            let attribute = reader.vocabulary.use(parameter.name, of: kind.app)
            let first = values.count
            var own = parameter.values
            while let value = own.next() { append(attribute, value) }
            consider(UInt8(count), first, isOwn: true, &best)
            count += 1
        }
        return (best, count)
    }

    private mutating func append(_ attribute: AttributeID, _ value: TypedValue) {
        values.append(FieldValue(attribute, value.tag, value.bytes, hash: reader.hash))
    }

    /// Takes a condition for the best if a push will pay less for it.
    ///
    /// What it pays is the widgets that it meets under the values. Values of the rule itself come
    /// second whatever they cost now: every widget of the kind lies under the same.
    private func consider(_ number: UInt8, _ first: Int, isOwn: Bool, _ best: inout Anchor) {
        if best.isOwn && !isOwn { return }
        var cost = 0
        for position in first..<values.count { cost += index.widgetCount(values[position]) + 1 }
        if best.isOwn == isOwn && cost >= best.cost { return }
        best = Anchor(
            condition: number,
            first: first,
            end: values.count,
            isOwn: isOwn,
            cost: cost
        )
    }

    /// Takes a widget out of the index.
    mutating func unlink(_ widget: WidgetID) {
        for number in 0..<Int(widgets[widget].linkCount) {
            let link = unsafe storedLinks(of: widget)?[number] ?? singleLink(of: widget)
            let removed = index.remove(link.position, from: link.key)
            if let moved = removed.moved {
                setPosition(of: moved.widget, in: link.key, to: link.position)
            }
            if removed.emptied != Vocabulary.none {
                reader.vocabulary.countKey(removed.emptied, -1)
            }
        }
        let count = Int(widgets[widget].linkCount)
        if count > 1 { configurations.free(widgets[widget].key, Link.blockLength(count)) }
        widgets[widget].linkCount = 0
        guard widgets[widget].usesFields else { return }
        widgets[widget].usesFields = false
        let root = Vocabulary.root(rules.kind(widgets[widget].kind).app)
        var parameters = configuration(of: widget).parameters
        while let parameter = parameters.next() {
            reader.vocabulary.unuse(reader.vocabulary.attribute(below: root, parameter.name))
        }
    }
}
