internal import ByteStorage
internal import ReloadModel

extension WidgetMatcher {
    /// How many matches the last `matchQueued` has found.
    package var matchCount: Int { matches.count }

    /// A match that the last `matchQueued` has found: push by push, in the order they were queued.
    @inline(__always)
    package func match(at position: Int) -> WidgetMatch { matches[position] }

    /// Finds the widgets that the queued pushes concern, and empties the batch.
    ///
    /// In stages over the whole batch, so that the waits for memory overlap: the index's slots were
    /// asked for when the pushes were queued; then the keys are; then keys are compared.
    package mutating func matchQueued() {
        matches.truncate(to: 0)
        for position in 0..<reader.fields.count {
            let hash = reader.fields[position].hash
            let candidate = index.candidate(hash)
            candidates[position] = candidate
            if candidate < 0 { continue }
            let slot = index.slot(hash, candidate)
            index.keys.prefetch(slot.key)
        }
        for number in 0..<reader.pushes.count {
            let push = reader.pushes[number]
            for position in push.firstField..<push.endField where candidates[position] >= 0 {
                report(position, push)
            }
        }
        resetBatch()
    }

    /// Reports the widgets that wait for one value of a push.
    @inline(__always)
    private mutating func report(_ position: Int, _ push: PayloadReader.Push) {
        let value = reader.fields[position]
        let found = index.confirm(candidates[position], value)
        if found < 0 { return }
        let list = index.slot(value.hash, found).postings
        if let posting = list.single {
            report(posting, position, push)
            return
        }
        var next = 0
        while next < list.count {
            let run = index.postings.run(list, from: next)
            for offset in 0..<run.count {
                report(run[offset], position, push)
            }
            next += run.count
        }
    }

    @inline(__always)
    private mutating func report(
        _ posting: Posting,
        _ position: Int,
        _ push: PayloadReader.Push
    ) {
        let widget = posting.widget
        if push.isNarrowed && !isNamed(widgets[widget].kind, push) { return }
        if posting.needsCheck && !holds(widget, position, push) { return }
        matches.append(WidgetMatch(widget: widget, tag: push.tag))
    }

    /// Whether the push's `kinds` names the kind.
    func isNamed(_ kind: KindID, _ push: PayloadReader.Push) -> Bool {
        for index in push.firstKind..<push.endKind where reader.kinds[index] == kind {
            return true
        }
        return false
    }

    /// Whether all conditions of the widget's rule hold, and `position` is the first value of the
    /// push that leads to the widget: a list may hold several.
    @inline(never)
    func holds(_ widget: WidgetID, _ position: Int, _ push: PayloadReader.Push) -> Bool {
        let kind = Int(widgets[widget].kind)
        let configuration = configuration(of: widget)
        if kinds[kind]?.compiled != nil {
            return holds(kinds[kind]!.compiled!.conditions, configuration, position, push)
        }
        let root = Vocabulary.root(kinds[kind]!.app)
        var holds = true
        configuration.forEachParameter { name, values in
            let attribute = reader.vocabulary.attribute(below: root, name)
            let first = firstField(attribute, push) { values.contains($0) }
            if first < 0 || (attribute == reader.fields[position].attribute && first < position) {
                holds = false
            }
        }
        return holds
    }

    private func holds(
        _ conditions: [CompiledRule.Condition],
        _ configuration: Configuration,
        _ position: Int,
        _ push: PayloadReader.Push
    ) -> Bool {
        for condition in conditions {
            let first = firstField(condition.attribute, push) {
                condition.allows($0, configuration)
            }
            if first < 0 { return false }
            let isAnchor = condition.attribute == reader.fields[position].attribute
            if isAnchor && first < position { return false }
        }
        return true
    }

    /// The first value of the push at an attribute for which `isWanted` holds; -1 if none.
    private func firstField(
        _ attribute: AttributeID,
        _ push: PayloadReader.Push,
        _ isWanted: (FieldValue) -> Bool
    ) -> Int {
        for index in push.firstField..<push.endField
        where reader.fields[index].attribute == attribute && isWanted(reader.fields[index]) {
            return index
        }
        return -1
    }
}
