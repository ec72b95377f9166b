internal import ByteStorage
internal import ReloadModel

/// How far the batch has been matched.
struct MatchCursor: BitwiseCopyable {
    /// Whether a batch has been begun and is not finished.
    var isActive = false
    /// Whether all keys have been looked up; until then `push` and `probe` are how far that is.
    var isLookedUp = false
    var push = 0
    var probe = 0
    /// While keys are looked up: how many probes are kept, and how many were with the push before.
    var kept = 0
    var keptBefore = 0
    /// Within a probe's groups, the one that comes next; `none` before the first.
    var group = KeyTable.none
    /// Whether that one's condition holds.
    var isGroupHeld = false
    /// Within a key's postings, the one that comes next.
    var posting = 0
    /// Whether an earlier portion of them has found widgets, and the key is counted.
    var isKeyCounted = false
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

    /// Moves the matches of the last call of `matchQueued` to a list, of which the matcher takes the memory.
    package mutating func moveMatches(to list: inout MatchList) {
        swap(&matches, &list.matches)
        matches.truncate(to: 0)
    }

    /// Whether a batch has been begun and is not finished.
    package var isMatching: Bool { cursor.isActive }

    /// The tag of the push with which the next `matchQueued` goes on.
    ///
    /// Those that were queued before it are matched. Only while `isMatching`.
    package var currentPush: UInt32 { reader.pushes[firstUnmatched].tag }

    /// The first push that is not matched: while keys are looked up, the first of all.
    private var firstUnmatched: Int { cursor.isLookedUp ? cursor.push : 0 }

    /// Finds the widgets that the queued pushes concern.
    ///
    /// In stages over the whole batch, so that the waits for memory overlap: the table's slots were
    /// asked for when the pushes were queued; then the keys are; then what keys refer to.
    ///
    /// - Parameters:
    ///   - work: what it may cost before it returns, in units of `WorkCost`, so that nobody else waits
    ///     long; `matchQueued` must then be called again, before anything else is queued or stored.
    ///     It goes on where it was, be it within a rule. The payloads are no longer needed by then.
    ///   - limit: how many widgets to find before it returns; so the same.
    /// - Returns: whether the batch is finished. It is empty then; the matches stay.
    @discardableResult
    package mutating func matchQueued(work: Int = .max, limit: Int = .max) -> Bool {
        matches.truncate(to: 0)
        meter.begin(work)
        if !cursor.isActive { cursor = MatchCursor(isActive: true) }
        let isFinished = lookUp() && reportAll(limit)
        spentWork = work - meter.left
        if isFinished {
            emptyBatch()
        } else {
            keepBatch()
        }
        return isFinished
    }

    /// Forgets a batch that is not finished.
    mutating func abandonBatch() {
        emptyBatch()
        meter.abandon()
        regexes.abandon()
    }

    private mutating func emptyBatch() {
        textAnswers.removeAll()
        queuedTextWork = 0
        cursor = MatchCursor()
        reader.reset()
        probes.truncate(to: 0)
        combinedFields.truncate(to: 0)
    }

    /// Makes the rest of the batch independent of the payloads.
    private mutating func keepBatch() {
        if !cursor.isKept {
            reader.keepFields(from: reader.pushes[firstUnmatched].firstField)
            textAnswers.removeAll()
            cursor.isKept = true
        }
    }

    // MARK: - Looking keys up

    /// Postings ahead: far enough for a line to arrive, near enough for it to be there still.
    private static var far: Int { 16 }
    private static var near: Int { 8 }

    /// Looks the keys up that have not been.
    ///
    /// - Returns: false if the work was spent before all had been.
    private mutating func lookUp() -> Bool {
        if cursor.isLookedUp { return true }
        if !keepFoundProbes() { return false }
        cursor = MatchCursor(isActive: true, isLookedUp: true, isKept: cursor.isKept)
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
        return true
    }

    /// Drops the probes whose hash is not in the table: of most pushes all but a few.
    ///
    /// - Returns: false if the work was spent before all had been looked up.
    private mutating func keepFoundProbes() -> Bool {
        let start = cursor.probe
        let stop = min(probes.count, start + max(1, meter.left / WorkCost.probe))
        meter.charge((stop - start) * WorkCost.probe)
        var kept = cursor.kept
        var number = start
        while cursor.push < reader.pushes.count {
            let end = reader.pushes[cursor.push].probes.end
            while number < min(end, stop) {
                defer { number += 1 }
                if probes[number].isKey {
                    let candidate = keys.index.candidate(probes[number].hash)
                    if candidate.isNone { continue }
                    keys.prefetch(candidate.number)
                    probes[number].candidate = candidate
                }
                if kept != number { probes[kept] = probes[number] }
                kept += 1
            }
            if number < end {
                cursor.probe = number
                cursor.kept = kept
                return false
            }
            reader.pushes[cursor.push].probes = PayloadReader.Span(cursor.keptBefore, kept)
            cursor.keptBefore = kept
            cursor.push += 1
        }
        probes.truncate(to: kept)
        return true
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

    /// Reports the widgets that the probes lead to.
    ///
    /// - Returns: false if the work was spent, or enough was found, before all had been.
    private mutating func reportAll(_ limit: Int) -> Bool {
        while cursor.push < reader.pushes.count {
            let push = reader.pushes[cursor.push]
            if cursor.probe < push.probes.first { cursor.probe = push.probes.first }
            while cursor.probe < push.probes.end {
                if !report(cursor.probe, push, limit) { return false }
                cursor.isKeyCounted = false
                cursor.probe += 1
            }
            cursor.push += 1
        }
        return true
    }

    /// Reports the widgets that a probe leads to.
    ///
    /// - Returns: whether it got to the end of them.
    @inline(__always)
    private mutating func report(
        _ number: Int,
        _ push: PayloadReader.Push,
        _ limit: Int
    ) -> Bool {
        let probe = probes[number]
        if !probe.isKey { return reportGroups(probe.space, push, limit) }
        var candidate = probe.candidate
        while !isWanted(candidate.number, probe, push) {
            candidate = keys.index.candidate(probe.hash, after: candidate)
            if candidate.isNone { return true }
        }
        if push.number & keyMask == 0 {
            return reportAndCount(candidate.number, push, limit)
        }
        return reportPostings(candidate.number, push, limit)
    }

    /// Reports the widgets under a key, and counts that a push has found some by it.
    @inline(never)
    private mutating func reportAndCount(
        _ key: KeyID,
        _ push: PayloadReader.Push,
        _ limit: Int
    ) -> Bool {
        // Long lists come in several portions.
        let before = matches.count
        let isEnd = reportPostings(key, push, limit)
        let found = matches.count - before
        countKey(key, isFirst: !cursor.isKeyCounted, found: found)
        if found > 0 { cursor.isKeyCounted = true }
        return isEnd
    }

    /// Reports the widgets of a space's groups whose condition holds.
    private mutating func reportGroups(
        _ space: SpaceID,
        _ push: PayloadReader.Push,
        _ limit: Int
    ) -> Bool {
        if cursor.group == KeyTable.none { cursor.group = spaces[space].firstGroup }
        while cursor.group != KeyTable.none {
            if isEnough(limit) { return false }
            if !cursor.isGroupHeld {
                meter.charge(WorkCost.posting)
                cursor.isGroupHeld = groupHolds(cursor.group, push)
                if meter.isInterrupted { return false }
            }
            if cursor.isGroupHeld {
                if !reportPostings(cursor.group, push, limit) { return false }
                cursor.isGroupHeld = false
            }
            cursor.group = nextGroup(cursor.group)
        }
        return true
    }

    /// Whether this portion is at its end.
    @inline(__always)
    private func isEnough(_ limit: Int) -> Bool { meter.isSpent || matches.count >= limit }

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
        _ limit: Int
    ) -> Bool {
        if let posting = keys.single(key) {
            if isEnough(limit) { return false }
            meter.charge(WorkCost.posting)
            return report(posting, push)
        }
        return reportList(keys.list(key), push, limit)
    }

    private mutating func reportList(
        _ list: PostingList,
        _ push: PayloadReader.Push,
        _ limit: Int
    ) -> Bool {
        while cursor.posting < list.count {
            if isEnough(limit) { return false }
            let run = keys.postings.run(list, from: cursor.posting)
            let affordable = (meter.left - 1) / WorkCost.posting + 1
            let most = min(run.count, affordable, limit - matches.count)
            let count = report(run, most, push)
            meter.charge(count * WorkCost.posting)
            cursor.posting += count
            if meter.isInterrupted { return false }
        }
        cursor.posting = 0
        return true
    }

    /// Reports the widgets at the beginning of a run.
    ///
    /// - Returns: how many: fewer than `count` if their conditions have cost too much.
    private mutating func report(
        _ run: PostingRun,
        _ count: Int,
        _ push: PayloadReader.Push
    ) -> Int {
        for offset in 0..<count {
            if offset + Self.far < count && run[offset + Self.far].readsWidget(push.hasLists) {
                widgets.prefetch(run[offset + Self.far].widget)
            }
            if offset + Self.near < count && run[offset + Self.near].readsWidget(push.hasLists) {
                prefetchValues(of: run[offset + Self.near].widget)
            }
            if !report(run[offset], push) { return offset }
            if run[offset].needsCheck && meter.isSpent { return offset + 1 }
        }
        return count
    }

    /// Reports a widget if the push concerns it.
    ///
    /// - Returns: false if the work was spent before that was known.
    @inline(__always)
    private mutating func report(_ posting: Posting, _ push: PayloadReader.Push) -> Bool {
        let widget = posting.widget
        if push.isNarrowed && !reader.isNamed(shapes[widgets[widget].shape].kind, push) {
            return true
        }
        if posting.mayRepeat(push.hasLists) && !isNew(widget, push) { return true }
        // A key that decides does so within lists of objects, too: its values are of one element.
        if posting.needsCheck && !isConcerned(widget) { return !meter.isInterrupted }
        matches.append(WidgetMatch(widget: widget, tag: push.tag))
        return true
    }

    /// Whether the push has not met the widget under another of its keys.
    private mutating func isNew(_ widget: WidgetID, _ push: PayloadReader.Push) -> Bool {
        if lastPush(of: widget) == push.number { return meter.isResuming }
        setLastPush(of: widget, push.number)
        return true
    }

    /// Whether the widget's rule holds for the push that the cursor is at.
    ///
    /// False also if the work was spent before that was known.
    private func isConcerned(_ widget: WidgetID) -> Bool {
        let record = widgets[widget]
        if shapes[record.shape].use == .named { return true }
        return holds(0, Candidate(rule: rule(of: record), push: cursor.push), 0)
    }
}
