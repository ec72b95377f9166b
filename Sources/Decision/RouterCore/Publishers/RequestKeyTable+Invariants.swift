internal import Basics

extension RequestKeyTable {
    /// Checks that each key is found by its name and is in one chain, once; and that the refused
    /// lines belong to kept keys.
    func checkInvariants() throws(InvariantViolation) {
        try checkPart("RequestKeyTable", by: slots.checkInvariants())
        try checkPart("RequestKeyTable", by: index.checkInvariants())
        var linked = 0
        for app in queues.ids { linked += try checkQueue(of: app) }
        try checkInvariant(
            linked == count && index.count == count,
            otherwise: "\(linked) keys are in chains and \(index.count) in the index, of \(count)"
        )
        for (number, refused) in rejections {
            try checkInvariant(
                slots.isInUse(number) && !refused.isEmpty
                    && refused.count <= Self.rejectionsPerKey,
                otherwise: "\(refused.count) refused lines belong to key \(number)"
            )
        }
        let counted = rejections.values.reduce(0) { $0 + $1.count }
        try checkInvariant(
            counted == rejectionCount,
            otherwise: "\(rejectionCount) refused lines are counted of \(counted)"
        )
    }

    /// Checks a chain, and returns its length.
    private func checkQueue(of app: AppID) throws(InvariantViolation) -> Int {
        let queue = queues[app]
        var (number, last, length, refused) = (queue.oldest, RequestKeyID.none, 0, 0)
        while !number.isNone, length <= queue.count {
            let entry = slots[number]
            try checkInvariant(
                find(entry.key) == number && entry.accepted >= 1 && entry.lines >= entry.accepted,
                otherwise:
                    "key \(number) is not found, or has accepted \(entry.accepted) pushes of "
                    + "\(entry.lines) lines"
            )
            refused += rejections[number]?.count ?? 0
            (last, number, length) = (number, entry.newer, length + 1)
        }
        try checkInvariant(
            refused == queue.refusedLines,
            otherwise: "\(queue.refusedLines) refused lines of app \(app) are counted of \(refused)"
        )
        try checkInvariant(
            length == queue.count && last == queue.newest,
            otherwise: "app \(app) has \(queue.count) keys, and a chain of \(length)"
        )
        return length
    }
}
