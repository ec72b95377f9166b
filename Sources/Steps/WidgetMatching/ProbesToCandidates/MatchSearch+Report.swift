internal import Basics

/// Finding the widgets under keys, and evaluating what the keys do not decide.
extension MatchSearch {
    /// Reports the widgets to which the remaining probes lead.
    ///
    /// - Returns: false if the work ran out or `limit` was reached before the end.
    mutating func reportAll(limit: Int, in index: borrowing WidgetIndex) -> Bool {
        assert(cursor.isLookedUp, "keys are reported before they are looked up")
        while cursor.push < batch.pushes.count {
            let push = batch.pushes[cursor.push]
            if cursor.probe < push.probes.first { cursor.probe = push.probes.first }
            while cursor.probe < push.probes.end {
                if !report(cursor.probe, for: push, limit: limit, in: index) { return false }
                cursor.isKeyCounted = false
                cursor.probe += 1
            }
            cursor.push += 1
        }
        return true
    }

    /// Reports the widgets to which a probe leads.
    ///
    /// - Returns: false if the portion ended before all were reported.
    @inline(__always)
    private mutating func report(
        _ number: Int,
        for push: PushBatch.Push,
        limit: Int,
        in index: borrowing WidgetIndex
    ) -> Bool {
        let probe = probes[number]
        if !probe.form.isKey {
            return reportGroups(of: probe.space, for: push, limit: limit, in: index)
        }
        var candidate = probe.candidate
        while !isWanted(KeyID(candidate), by: probe, in: index) {
            candidate = index.keys.index.candidate(probe.hash, after: candidate)
            if candidate.isNone { return true }
        }
        if keySampler.isSampled(push) {
            return reportAndCount(KeyID(candidate), for: push, limit: limit, in: index)
        }
        return reportPostings(of: KeyID(candidate), for: push, limit: limit, in: index)
    }

    /// Reports the widgets under a key, and counts the key for the hot keys.
    @inline(never)
    private mutating func reportAndCount(
        _ key: KeyID,
        for push: PushBatch.Push,
        limit: Int,
        in index: borrowing WidgetIndex
    ) -> Bool {
        // A long list may take several portions.
        let before = matches.count
        let isEnd = reportPostings(of: key, for: push, limit: limit, in: index)
        let found = matches.count - before
        keySampler.record(key, isFirst: !cursor.isKeyCounted, found: found)
        if found > 0 { cursor.isKeyCounted = true }
        return isEnd
    }

    /// Reports the widgets of those of a space's groups whose condition holds.
    private mutating func reportGroups(
        of space: SpaceID,
        for push: PushBatch.Push,
        limit: Int,
        in index: borrowing WidgetIndex
    ) -> Bool {
        assert(index.spaces[space].hasGroups, "space \(space) has no groups")
        if cursor.group == .none { cursor.group = index.spaces.records[space].firstGroup }
        while cursor.group != .none {
            if isPortionOver(limit) { return false }
            if !cursor.isGroupHeld {
                meter.charge(WorkCost.posting)
                cursor.isGroupHeld = groupHolds(cursor.group, for: push, in: index)
                if meter.isInterrupted { return false }
            }
            if cursor.isGroupHeld {
                if !reportPostings(of: cursor.group, for: push, limit: limit, in: index) {
                    return false
                }
                cursor.isGroupHeld = false
            }
            cursor.group = index.nextGroup(cursor.group)
        }
        return true
    }

    /// Whether this portion must end.
    @inline(__always)
    private func isPortionOver(_ limit: Int) -> Bool { meter.isSpent || matches.count >= limit }

    /// Whether a group's condition holds. True for every push with lists of objects, for which the
    /// condition is evaluated with the rest of each widget's rule.
    private mutating func groupHolds(
        _ key: KeyID,
        for push: PushBatch.Push,
        in index: borrowing WidgetIndex
    ) -> Bool {
        if push.hasContexts { return true }
        let number = index.keys.firstPosting(key).widget
        let widget = index.widgets[number]
        let candidate = Candidate(rule: index.rule(of: widget), push: cursor.push)
        if index.shapes[widget.shape].hasPatterns {
            return groupMayHold(key, of: number, as: candidate, in: index)
        }
        return holds(index.groupNode(key), of: candidate, within: .none, in: index)
    }

    /// Reports the widgets under a key; false if the portion ended before all were reported.
    @inline(__always)
    private mutating func reportPostings(
        of key: KeyID,
        for push: PushBatch.Push,
        limit: Int,
        in index: borrowing WidgetIndex
    ) -> Bool {
        if let posting = index.keys.single(key) {
            if isPortionOver(limit) { return false }
            meter.charge(WorkCost.posting)
            return report(posting, for: push, in: index)
        }
        return reportList(index.keys.list(key), for: push, limit: limit, in: index)
    }

    /// Reports the widgets of a list from `cursor.posting` on; false if the portion ended before
    /// all were reported.
    private mutating func reportList(
        _ list: PostingList,
        for push: PushBatch.Push,
        limit: Int,
        in index: borrowing WidgetIndex
    ) -> Bool {
        assert(list.count > 1 && cursor.posting <= list.count, "posting \(cursor.posting)")
        while cursor.posting < list.count {
            if isPortionOver(limit) { return false }
            let run = index.keys.postings.run(list, from: cursor.posting)
            let affordable = (meter.left - 1) / WorkCost.posting + 1
            let most = min(run.count, affordable, limit - matches.count)
            let count = report(run, count: most, for: push, in: index)
            meter.charge(count * WorkCost.posting)
            cursor.posting += count
            if meter.isInterrupted { return false }
        }
        cursor.posting = 0
        return true
    }

    /// Reports the first `count` widgets of a run.
    ///
    /// - Returns: how many were processed: fewer than `count` if their conditions used up the work.
    private mutating func report(
        _ run: PostingRun,
        count: Int,
        for push: PushBatch.Push,
        in index: borrowing WidgetIndex
    ) -> Int {
        assert(count <= run.count, "\(count) of \(run.count) postings")
        for offset in 0..<count {
            if offset + WidgetIndex.recordPrefetchDistance < count
                && run[offset + WidgetIndex.recordPrefetchDistance].readsWidget(push.hasLists)
            {
                index.widgets.prefetch(run[offset + WidgetIndex.recordPrefetchDistance].widget)
            }
            if offset + WidgetIndex.blockPrefetchDistance < count
                && run[offset + WidgetIndex.blockPrefetchDistance].readsWidget(push.hasLists)
            {
                index.prefetchValues(of: run[offset + WidgetIndex.blockPrefetchDistance].widget)
            }
            if !report(run[offset], for: push, in: index) { return offset }
            if run[offset].needsCheck && meter.isSpent { return offset + 1 }
        }
        return count
    }

    /// Reports a widget if the push matches it.
    ///
    /// - Returns: false if the work ran out before that was known.
    @inline(__always)
    private mutating func report(
        _ posting: Posting,
        for push: PushBatch.Push,
        in index: borrowing WidgetIndex
    ) -> Bool {
        let widget = posting.widget
        if push.isNarrowed && !batch.kinds.names(index.kind(of: widget), in: push) {
            return true
        }
        if posting.mayRepeat(push.hasLists) && !isFirstFinding(of: widget, for: push, in: index) {
            return true
        }
        // A key that decides is enough even within lists of objects: all its values are of one
        // element.
        if posting.needsCheck && !isMatch(widget, in: index) { return !meter.isInterrupted }
        matches.append(WidgetMatch(widget: widget, tag: push.tag))
        return true
    }

    /// Whether the push finds the widget for the first time, and records that. False under each
    /// further key of the widget; true while the widget's interrupted evaluation resumes, because
    /// it was found under the same key then.
    private mutating func isFirstFinding(
        of widget: WidgetID,
        for push: PushBatch.Push,
        in index: borrowing WidgetIndex
    ) -> Bool {
        if index.lastPush(of: widget) == push.number { return meter.isResuming }
        index.setLastPush(of: widget, to: push.number)
        return true
    }

    /// Whether the widget's rule holds for the current push. Also false if the work ran out before
    /// that was known.
    private mutating func isMatch(_ widget: WidgetID, in index: borrowing WidgetIndex) -> Bool {
        let record = index.widgets[widget]
        if index.shapes[record.shape].use == .named { return true }
        let candidate = Candidate(rule: index.rule(of: record), push: cursor.push)
        if index.shapes[record.shape].hasPatterns {
            return isMatchWithPatterns(widget, as: candidate, in: index)
        }
        return holds(0, of: candidate, within: .none, in: index)
    }
}
