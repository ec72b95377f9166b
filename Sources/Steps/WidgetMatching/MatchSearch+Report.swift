internal import DataStructures
internal import ReloadModel

/// From keys to the widgets that a push concerns.
extension MatchSearch {
    /// Reports the widgets that the probes lead to.
    ///
    /// - Returns: false if the work was spent, or enough was found, before all had been.
    mutating func reportAll(_ limit: Int, in index: borrowing WidgetIndex) -> Bool {
        while cursor.push < reader.batch.pushes.count {
            let push = reader.batch.pushes[cursor.push]
            if cursor.probe < push.probes.first { cursor.probe = push.probes.first }
            while cursor.probe < push.probes.end {
                if !report(cursor.probe, push, limit, in: index) { return false }
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
        _ push: PushBatch.Push,
        _ limit: Int,
        in index: borrowing WidgetIndex
    ) -> Bool {
        let probe = probes[number]
        if !probe.isKey { return reportGroups(probe.space, push, limit, in: index) }
        var candidate = probe.candidate
        while !isWanted(candidate.number, probe, push, in: index) {
            candidate = index.keys.index.candidate(probe.hash, after: candidate)
            if candidate.isNone { return true }
        }
        if keySampler.isSampled(push) {
            return reportAndCount(candidate.number, push, limit, in: index)
        }
        return reportPostings(candidate.number, push, limit, in: index)
    }

    /// Reports the widgets under a key, and counts that a push has found some by it.
    @inline(never)
    private mutating func reportAndCount(
        _ key: KeyID,
        _ push: PushBatch.Push,
        _ limit: Int,
        in index: borrowing WidgetIndex
    ) -> Bool {
        // Long lists come in several portions.
        let before = matches.count
        let isEnd = reportPostings(key, push, limit, in: index)
        let found = matches.count - before
        keySampler.record(key, isFirst: !cursor.isKeyCounted, found: found)
        if found > 0 { cursor.isKeyCounted = true }
        return isEnd
    }

    /// Reports the widgets of a space's groups whose condition holds.
    private mutating func reportGroups(
        _ space: SpaceID,
        _ push: PushBatch.Push,
        _ limit: Int,
        in index: borrowing WidgetIndex
    ) -> Bool {
        if cursor.group == KeyTable.none { cursor.group = index.spaces[space].firstGroup }
        while cursor.group != KeyTable.none {
            if isEnough(limit) { return false }
            if !cursor.isGroupHeld {
                meter.charge(WorkCost.posting)
                cursor.isGroupHeld = groupHolds(cursor.group, push, in: index)
                if meter.isInterrupted { return false }
            }
            if cursor.isGroupHeld {
                if !reportPostings(cursor.group, push, limit, in: index) { return false }
                cursor.isGroupHeld = false
            }
            cursor.group = index.nextGroup(cursor.group)
        }
        return true
    }

    /// Whether this portion is at its end.
    @inline(__always)
    private func isEnough(_ limit: Int) -> Bool { meter.isSpent || matches.count >= limit }

    /// Whether a group's condition holds; of a push with lists of objects, whether it may.
    private mutating func groupHolds(
        _ key: KeyID,
        _ push: PushBatch.Push,
        in index: borrowing WidgetIndex
    ) -> Bool {
        if push.hasContexts { return true }
        let widget = index.widgets[index.keys.firstPosting(key).widget]
        let candidate = Candidate(rule: index.rule(of: widget), push: cursor.push)
        return holds(Int(index.keys.word(key, 1)), candidate, 0, in: index)
    }

    @inline(__always)
    private mutating func reportPostings(
        _ key: KeyID,
        _ push: PushBatch.Push,
        _ limit: Int,
        in index: borrowing WidgetIndex
    ) -> Bool {
        if let posting = index.keys.single(key) {
            if isEnough(limit) { return false }
            meter.charge(WorkCost.posting)
            return report(posting, push, in: index)
        }
        return reportList(index.keys.list(key), push, limit, in: index)
    }

    private mutating func reportList(
        _ list: PostingList,
        _ push: PushBatch.Push,
        _ limit: Int,
        in index: borrowing WidgetIndex
    ) -> Bool {
        while cursor.posting < list.count {
            if isEnough(limit) { return false }
            let run = index.keys.postings.run(list, from: cursor.posting)
            let affordable = (meter.left - 1) / WorkCost.posting + 1
            let most = min(run.count, affordable, limit - matches.count)
            let count = report(run, most, push, in: index)
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
        _ push: PushBatch.Push,
        in index: borrowing WidgetIndex
    ) -> Int {
        for offset in 0..<count {
            if offset + WidgetIndex.farPostings < count
                && run[offset + WidgetIndex.farPostings].readsWidget(push.hasLists)
            {
                index.widgets.prefetch(run[offset + WidgetIndex.farPostings].widget)
            }
            if offset + WidgetIndex.nearPostings < count
                && run[offset + WidgetIndex.nearPostings].readsWidget(push.hasLists)
            {
                index.prefetchValues(of: run[offset + WidgetIndex.nearPostings].widget)
            }
            if !report(run[offset], push, in: index) { return offset }
            if run[offset].needsCheck && meter.isSpent { return offset + 1 }
        }
        return count
    }

    /// Reports a widget if the push concerns it.
    ///
    /// - Returns: false if the work was spent before that was known.
    @inline(__always)
    private mutating func report(
        _ posting: Posting,
        _ push: PushBatch.Push,
        in index: borrowing WidgetIndex
    ) -> Bool {
        let widget = posting.widget
        if push.isNarrowed && !reader.batch.kinds.names(index.kind(of: widget), push) {
            return true
        }
        if posting.mayRepeat(push.hasLists) && !isNew(widget, push, in: index) { return true }
        // A key that decides does so within lists of objects, too: its values are of one element.
        if posting.needsCheck && !isConcerned(widget, in: index) { return !meter.isInterrupted }
        matches.append(WidgetMatch(widget: widget, tag: push.tag))
        return true
    }

    /// Whether the push has not met the widget under another of its keys.
    private mutating func isNew(
        _ widget: WidgetID,
        _ push: PushBatch.Push,
        in index: borrowing WidgetIndex
    ) -> Bool {
        if index.lastPush(of: widget) == push.number { return meter.isResuming }
        index.setLastPush(of: widget, push.number)
        return true
    }

    /// Whether the widget's rule holds for the push that the cursor is at.
    ///
    /// False also if the work was spent before that was known.
    private mutating func isConcerned(_ widget: WidgetID, in index: borrowing WidgetIndex) -> Bool {
        let record = index.widgets[widget]
        if index.shapes[record.shape].use == .named { return true }
        return holds(0, Candidate(rule: index.rule(of: record), push: cursor.push), 0, in: index)
    }
}
