internal import ByteStorage
internal import ReloadModel

/// How far the batch has been matched.
struct MatchCursor: BitwiseCopyable {
    /// Whether a batch has been begun and is not finished.
    var isActive = false
    var push = 0
    var probe = 0
    /// Within a probe's groups, the one that comes next; `none` before the first.
    var group = KeyTable.none
    /// Within a key's postings, the one that comes next.
    var posting = 0
    /// Whether the fields' bytes have been copied.
    var isKept = false
}

extension WidgetMatcher {
    /// How many matches the last call of `matchQueued` has found.
    package var matchCount: Int { matches.count }

    /// A match that the last call of `matchQueued` has found: push by push, in the order in which
    /// they were queued; of one push in an order that depends on what was stored and when, and on
    /// nothing else.
    @inline(__always)
    package func match(at position: Int) -> WidgetMatch { matches[position] }

    /// Copies the matches of the last call of `matchQueued` behind those that `list` has.
    package func appendMatches(to list: inout ContiguousArray<WidgetMatch>) {
        unsafe list.append(
            contentsOf: UnsafeBufferPointer(start: matches.elements, count: matches.count)
        )
    }

    /// Whether a batch has been begun and is not finished.
    package var isMatching: Bool { cursor.isActive }

    /// The tag of the push with which the next `matchQueued` goes on.
    ///
    /// Those that were queued before it are matched. Only while `isMatching`.
    package var currentPush: UInt32 { reader.pushes[cursor.push].tag }

    /// Finds the widgets that the queued pushes concern.
    ///
    /// In stages over the whole batch, so that the waits for memory overlap: the table's slots were
    /// asked for when the pushes were queued; then the keys are; then what keys refer to.
    ///
    /// - Parameter limit: how many widgets to look at before returning, however many there are, so
    ///   that nobody else waits long; `matchQueued` must then be called again, before anything else
    ///   is queued or stored. The payloads are no longer needed by then.
    /// - Returns: whether the batch is finished. It is empty then; the matches stay.
    @discardableResult
    package mutating func matchQueued(limit: Int = .max) -> Bool {
        matches.truncate(to: 0)
        examinedCount = 0
        if !cursor.isActive {
            lookUp()
            cursor = MatchCursor(isActive: true)
        }
        var budget = limit
        while cursor.push < reader.pushes.count {
            let push = reader.pushes[cursor.push]
            if cursor.probe < push.probes.first { cursor.probe = push.probes.first }
            while cursor.probe < push.probes.end {
                if !report(cursor.probe, push, &budget) {
                    examinedCount = limit - budget
                    if limit != .max { keepBatch() }
                    return false
                }
                cursor.probe += 1
            }
            cursor.push += 1
        }
        examinedCount = limit - budget
        cursor = MatchCursor()
        reader.reset()
        probes.truncate(to: 0)
        return true
    }

    /// Forgets a batch that is not finished.
    mutating func abandonBatch() {
        cursor = MatchCursor()
        reader.reset()
        probes.truncate(to: 0)
    }

    /// Makes the rest of the batch independent of the payloads.
    private mutating func keepBatch() {
        if !cursor.isKept {
            reader.keepFields(from: reader.pushes[cursor.push].firstField)
            cursor.isKept = true
        }
    }

    // MARK: - Looking keys up

    /// Postings ahead: far enough for a line to arrive, near enough for it to be there still.
    private static var far: Int { 16 }
    private static var near: Int { 8 }

    private mutating func lookUp() {
        keepFoundProbes()
        for number in 0..<probes.count where probes[number].isKey {
            prefetchBehind(probes[number])
        }
        for number in 0..<probes.count where probes[number].isKey {
            prefetchWidget(probes[number])
        }
        for number in 0..<probes.count where probes[number].isKey {
            prefetchFirst(probes[number]) { matcher, widget in matcher.widgets.prefetch(widget) }
        }
        for number in 0..<probes.count where probes[number].isKey {
            prefetchFirst(probes[number]) { matcher, widget in
                matcher.prefetchValues(of: widget)
            }
        }
    }

    /// Drops the probes whose hash is not in the table: of most pushes all but a few.
    private mutating func keepFoundProbes() {
        var kept = 0
        for push in 0..<reader.pushes.count {
            let first = kept
            let all = reader.pushes[push].probes
            for number in all.first..<all.end {
                if probes[number].isKey {
                    let candidate = keys.index.candidate(probes[number].hash)
                    if candidate.isNone { continue }
                    keys.prefetch(candidate.number)
                    probes[number].candidate = candidate
                }
                if kept != number { probes[kept] = probes[number] }
                kept += 1
            }
            reader.pushes[push].probes = PayloadReader.Span(first, kept)
        }
        probes.truncate(to: kept)
    }

    /// Asks for what verifying a key will read, and for the widget if it has one.
    @inline(__always)
    private func prefetchBehind(_ probe: Probe) {
        let key = probe.candidate.number
        // It may be another key with the probe's hash, whose word is no value: that is harmless.
        if probe.form.hasValues { values.prefetch(keys.word(key, 0)) }
        if let posting = keys.single(key) {
            if posting.readsWidget(probe.isOfLists) { widgets.prefetch(posting.widget) }
        } else {
            keys.prefetchList(key)
        }
    }

    @inline(__always)
    private func prefetchWidget(_ probe: Probe) {
        if let posting = keys.single(probe.candidate.number) {
            if posting.readsWidget(probe.isOfLists) { prefetchValues(of: posting.widget) }
        } else {
            keys.postings.prefetch(keys.list(probe.candidate.number))
        }
    }

    /// Asks for something of the first widgets of a list; the further ones are asked for on the way.
    @inline(__always)
    private mutating func prefetchFirst(
        _ probe: Probe,
        _ prefetch: (inout WidgetMatcher, WidgetID) -> Void
    ) {
        if keys.single(probe.candidate.number) != nil { return }
        let run = keys.postings.run(keys.list(probe.candidate.number), from: 0)
        for offset in 0..<min(run.count, Self.near) where run[offset].readsWidget(probe.isOfLists) {
            prefetch(&self, run[offset].widget)
        }
    }

    @inline(__always)
    private func prefetchValues(of widget: WidgetID) {
        let record = widgets[widget]
        if shapes[record.shape].parameterCount > 1 { configurations.prefetch(record.values) }
        if record.position == StoredWidget.linkedManyTimes { configurations.prefetch(record.key) }
    }

    // MARK: - Reporting

    /// Reports the widgets that a probe leads to.
    ///
    /// - Returns: whether it got to the end of them.
    @inline(__always)
    private mutating func report(
        _ number: Int,
        _ push: PayloadReader.Push,
        _ budget: inout Int
    ) -> Bool {
        let probe = probes[number]
        if !probe.isKey { return reportGroups(probe.space, push, &budget) }
        var candidate = probe.candidate
        while !isWanted(candidate.number, probe, push) {
            candidate = keys.index.candidate(probe.hash, after: candidate)
            if candidate.isNone { return true }
        }
        if push.number & keyMask == 0 {
            return reportAndCount(candidate.number, push, &budget)
        }
        return reportPostings(candidate.number, push, &budget)
    }

    /// Reports the widgets under a key, and counts that a push has found some by it.
    @inline(never)
    private mutating func reportAndCount(
        _ key: KeyID,
        _ push: PayloadReader.Push,
        _ budget: inout Int
    ) -> Bool {
        // Long lists come in several portions.
        let isFirst = cursor.posting == 0
        let before = matches.count
        let isEnd = reportPostings(key, push, &budget)
        countKey(key, isFirst: isFirst, found: matches.count - before)
        return isEnd
    }

    /// Reports the widgets of a space's groups whose condition holds.
    private mutating func reportGroups(
        _ space: SpaceID,
        _ push: PayloadReader.Push,
        _ budget: inout Int
    ) -> Bool {
        if cursor.group == KeyTable.none { cursor.group = spaces[space].firstGroup }
        while cursor.group != KeyTable.none {
            if budget <= 0 { return false }
            if cursor.posting > 0 || groupHolds(cursor.group, push) {
                if !reportPostings(cursor.group, push, &budget) { return false }
            }
            cursor.group = nextGroup(cursor.group)
            budget -= 1
        }
        return true
    }

    /// Whether a group's condition holds; of a push with lists of objects, whether it may.
    private func groupHolds(_ key: KeyID, _ push: PayloadReader.Push) -> Bool {
        if push.hasContexts { return true }
        let widget = widgets[keys.firstPosting(key).widget]
        let candidate = Candidate(rule: rule(of: widget), push: cursor.push)
        return holds(Int(keys.word(key, 1)), candidate, 0)
    }

    @inline(__always)
    private mutating func reportPostings(
        _ key: KeyID,
        _ push: PayloadReader.Push,
        _ budget: inout Int
    ) -> Bool {
        if let posting = keys.single(key) {
            if budget <= 0 { return false }
            budget -= 1
            report(posting, push)
            return true
        }
        return reportList(keys.list(key), push, &budget)
    }

    private mutating func reportList(
        _ list: PostingList,
        _ push: PayloadReader.Push,
        _ budget: inout Int
    ) -> Bool {
        while cursor.posting < list.count {
            if budget <= 0 { return false }
            let run = keys.postings.run(list, from: cursor.posting)
            let count = min(run.count, budget)
            report(run, count, push)
            cursor.posting += count
            budget -= count
        }
        cursor.posting = 0
        return true
    }

    private mutating func report(_ run: PostingRun, _ count: Int, _ push: PayloadReader.Push) {
        for offset in 0..<count {
            if offset + Self.far < count && run[offset + Self.far].readsWidget(push.hasLists) {
                widgets.prefetch(run[offset + Self.far].widget)
            }
            if offset + Self.near < count && run[offset + Self.near].readsWidget(push.hasLists) {
                prefetchValues(of: run[offset + Self.near].widget)
            }
            report(run[offset], push)
        }
    }

    @inline(__always)
    private mutating func report(_ posting: Posting, _ push: PayloadReader.Push) {
        let widget = posting.widget
        if push.isNarrowed && !isNamed(shapes[widgets[widget].shape].kind, push) { return }
        if posting.mayRepeat(push.hasLists) && !isNew(widget, push) { return }
        // Within lists of objects, what a key is made of may stand in different elements.
        if (posting.needsCheck || push.hasContexts) && !isConcerned(widget) { return }
        matches.append(WidgetMatch(widget: widget, tag: push.tag))
    }

    /// Whether the push's `kinds` names the kind.
    private func isNamed(_ kind: KindID, _ push: PayloadReader.Push) -> Bool {
        for index in push.kinds.first..<push.kinds.end where reader.kinds[index] == kind {
            return true
        }
        return false
    }

    /// Whether the push has not met the widget under another of its keys.
    private mutating func isNew(_ widget: WidgetID, _ push: PayloadReader.Push) -> Bool {
        if lastPush(of: widget) == push.number { return false }
        setLastPush(of: widget, push.number)
        return true
    }

    /// Whether the widget's rule holds for the push that the cursor is at.
    private func isConcerned(_ widget: WidgetID) -> Bool {
        let record = widgets[widget]
        if shapes[record.shape].use == .named { return true }
        return holds(0, Candidate(rule: rule(of: record), push: cursor.push), 0)
    }
}
