internal import Basics

extension MatchSearch {
    /// Asserts that the ranges of the queued pushes together cover all fields, objects, kinds and
    /// probes of the batch, and that the cursor is within the batch.
    func checkInvariants() {
        checkPushes()
        assert(cursor.push <= reader.batch.pushes.count, "the cursor is after the last push")
        assert(cursor.probe <= probes.count, "the cursor is after the last probe")
        assert(cursor.kept <= cursor.probe || cursor.isLookedUp, "more probes kept than looked up")
        assert(cursor.isActive || !cursor.isLookedUp, "a batch is looked up that is not started")
        assert(cursor.isActive || !meter.isResuming, "a rule is interrupted after the last batch")
        if !cursor.isActive && reader.batch.pushes.count == 0 {
            assert(probes.count == 0 && combinedFields.count == 0, "probes of no push")
        }
        seen.checkInvariants()
    }

    /// Asserts that the ranges of the pushes follow each other.
    private func checkPushes() {
        var end = PushBatch.Position()
        var probeEnd = 0
        for number in 0..<reader.batch.pushes.count {
            let push = reader.batch.pushes[number]
            assert(push.firstField == end.field, "fields between two pushes")
            assert(push.contexts.first == end.context, "objects between two pushes")
            assert(push.kinds.first == end.kind, "kinds between two pushes")
            if !cursor.isActive { assert(push.probes.first == probeEnd, "probes between pushes") }
            for context in push.contexts.first..<push.contexts.end {
                let object = reader.batch.contexts[context]
                let number = context - push.contexts.first + 1
                assert(object.parent.count < number, "object \(number) is within a later one")
                assert(object.last.count >= number, "object \(number) ends before it begins")
                assert(object.last.count <= push.contexts.count, "object \(number) has no end")
            }
            end.field = push.endField
            end.context = push.contexts.end
            end.kind = push.kinds.end
            probeEnd = push.probes.end
        }
        assert(end.field == reader.batch.fields.count, "fields after the last push")
        assert(end.context == reader.batch.contexts.count, "objects after the last push")
        assert(end.kind == reader.batch.kinds.count, "kinds after the last push")
        assert(cursor.isActive || probeEnd == probes.count, "probes after the last push")
    }
}
