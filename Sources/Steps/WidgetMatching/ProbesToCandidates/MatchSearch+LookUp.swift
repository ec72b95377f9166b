internal import Basics

/// Looking up the keys of probes.
///
/// It goes through the whole batch in stages, so that the waits for memory overlap. The slots of
/// the key table were prefetched when the pushes were queued. The first stage reads the slots and
/// prefetches the keys; later stages read the keys and prefetch what these refer to.
extension MatchSearch {
    /// Looks up the remaining keys.
    ///
    /// - Returns: false if the work ran out first.
    mutating func lookUp(in index: borrowing WidgetIndex) -> Bool {
        assert(cursor.isActive, "no batch is matched")
        if cursor.isLookedUp { return true }
        if !keepFoundProbes(in: index) { return false }
        cursor = MatchCursor(isActive: true, isLookedUp: true, isDetached: cursor.isDetached)
        for number in 0..<probes.count where probes[number].form.isKey {
            index.prefetchKeyTargets(probes[number])
        }
        for number in 0..<probes.count where probes[number].form.isKey {
            index.prefetchWidget(probes[number])
        }
        for number in 0..<probes.count where probes[number].form.isKey {
            index.prefetchFirstWidgets(probes[number])
        }
        for number in 0..<probes.count where probes[number].form.isKey {
            index.prefetchFirstValues(probes[number])
        }
        return true
    }

    /// Drops probes whose hash is not in the table: the filter of keys lets a few of these pass.
    ///
    /// - Returns: false if the work ran out before all were looked up.
    private mutating func keepFoundProbes(in index: borrowing WidgetIndex) -> Bool {
        assert(cursor.kept <= cursor.probe && cursor.probe <= probes.count, "probes that are kept")
        let affordable = max(1, meter.left / WorkCost.probe)
        let stopped = min(cursor.stopped, affordable)
        cursor.stopped -= stopped
        let start = cursor.probe
        let stop = min(probes.count, start + affordable - stopped)
        meter.charge((stopped + stop - start) * WorkCost.probe)
        var kept = cursor.kept
        var number = start
        while cursor.push < batch.pushes.count {
            let end = batch.pushes[cursor.push].probes.end
            while number < min(end, stop) {
                defer { number += 1 }
                if probes[number].form.isKey {
                    let candidate = index.keys.index.candidate(probes[number].hash)
                    if candidate.isNone { continue }
                    index.keys.prefetch(KeyID(candidate))
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
            batch.pushes[cursor.push].probes = PushBatch.Bounds(
                from: cursor.keptBefore,
                to: kept
            )
            cursor.keptBefore = kept
            cursor.push += 1
        }
        if cursor.stopped > 0 { return false }
        probes.truncate(to: kept)
        return true
    }
}
