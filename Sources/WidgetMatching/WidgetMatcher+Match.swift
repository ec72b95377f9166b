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
            if let posting = slot.postings.single {
                if posting.needsCheck { widgets.prefetch(posting.widget) }
            } else {
                index.postings.blocks.prefetch(slot.postings.head)
            }
        }
        prefetchConfigurations()
        for number in 0..<reader.pushes.count {
            let push = reader.pushes[number]
            for position in push.firstField..<push.endField where candidates[position] >= 0 {
                report(position, push)
            }
        }
        resetBatch()
    }

    /// Asks for the configurations of the candidates that will be checked.
    private func prefetchConfigurations() {
        for position in 0..<reader.fields.count where candidates[position] >= 0 {
            let slot = index.slot(reader.fields[position].hash, candidates[position])
            guard let posting = slot.postings.single, posting.needsCheck else { continue }
            configurations.prefetch(widgets[posting.widget].configuration)
        }
    }

    /// Reports the widgets that wait for one value of a push.
    @inline(__always)
    private mutating func report(_ position: Int, _ push: PayloadReader.Push) {
        let value = reader.fields[position]
        let found = index.confirm(candidates[position], value)
        if found < 0 { return }
        let list = index.slot(value.hash, found).postings
        if let posting = list.single {
            report(posting, push)
            return
        }
        var next = 0
        while next < list.count {
            let run = index.postings.run(list, from: next)
            report(run, push)
            next += run.count
        }
    }

    private mutating func report(_ run: PostingRun, _ push: PayloadReader.Push) {
        // Far enough ahead for a line to arrive, near enough for it to be there still.
        let (far, near) = (16, 8)
        for offset in 0..<run.count {
            if offset + far < run.count && run[offset + far].needsCheck {
                widgets.prefetch(run[offset + far].widget)
            }
            if offset + near < run.count && run[offset + near].needsCheck {
                configurations.prefetch(widgets[run[offset + near].widget].configuration)
            }
            report(run[offset], push)
        }
    }

    @inline(__always)
    private mutating func report(_ posting: Posting, _ push: PayloadReader.Push) {
        let widget = posting.widget
        if push.isNarrowed && !isNamed(widgets[widget].kind, push) { return }
        if posting.needsCheck && !holds(widget, push) { return }
        matches.append(WidgetMatch(widget: widget, tag: push.tag))
    }

    /// Whether the push's `kinds` names the kind.
    func isNamed(_ kind: KindID, _ push: PayloadReader.Push) -> Bool {
        for index in push.firstKind..<push.endKind where reader.kinds[index] == kind {
            return true
        }
        return false
    }

    /// Whether all conditions of the widget's rule hold, and the push has not met the widget under
    /// another of its keys.
    private func holds(_ widget: WidgetID, _ push: PayloadReader.Push) -> Bool {
        let record = widgets[widget]
        if record.linkCount > 1 {
            if lastPush(of: widget) == push.number { return false }
            setLastPush(of: widget, push.number)
        }
        let kind = rules.kind(record.kind)
        if !kind.hasRule { return holdParameters(widget, kind, push) }
        for number in 0..<kind.conditionCount where number != record.condition {
            let condition = rules.condition(kind.firstCondition + UInt32(number))
            if !holds(condition, widget, push) { return false }
        }
        return true
    }

    private func holds(
        _ condition: CompiledCondition,
        _ widget: WidgetID,
        _ push: PayloadReader.Push
    ) -> Bool {
        for offset in 0..<condition.alternativeCount {
            let alternative = rules.alternative(condition.firstAlternative + offset)
            if alternative.isParameter {
                let values = configuration(of: widget).values(of: alternative.content)
                if hasAny(condition.attribute, values, push) { return true }
            } else if reader.has(condition.attribute, rules.literal(alternative), push) {
                return true
            }
        }
        return false
    }

    private func holdParameters(
        _ widget: WidgetID,
        _ kind: CompiledKind,
        _ push: PayloadReader.Push
    ) -> Bool {
        let root = Vocabulary.root(kind.app)
        let anchor = widgets[widget].condition
        var number: UInt8 = 0
        var parameters = configuration(of: widget).parameters
        while let parameter = parameters.next() {
            if number != anchor {
                let attribute = reader.vocabulary.attribute(below: root, parameter.name)
                if !hasAny(attribute, parameter.values, push) { return false }
            }
            number += 1
        }
        return true
    }

    private func hasAny(
        _ attribute: AttributeID,
        _ values: ConfigurationValues,
        _ push: PayloadReader.Push
    ) -> Bool {
        var values = values
        while let value = values.next() {
            if reader.has(attribute, value, push) { return true }
        }
        return false
    }
}
