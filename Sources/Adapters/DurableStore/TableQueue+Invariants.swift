internal import Basics

extension TableQueue {
    /// Checks that the steps before `head` are done and those from there on wait, and that the
    /// bytes of the waiting ones are counted.
    func checkInvariants() throws(InvariantViolation) {
        try checkInvariant(
            head <= items.count,
            of: "TableQueue",
            otherwise: "\(head) of \(items.count) steps are done"
        )
        for (index, work) in items.enumerated() {
            try checkInvariant(
                (work == nil) == (index < head),
                of: "TableQueue",
                otherwise: "step \(index) is \(work == nil ? "missing" : "still there"), "
                    + "and the first \(head) are done"
            )
        }
        let sum = items.reduce(0) { $0 + ($1?.byteCount ?? 0) }
        try checkInvariant(
            byteCount == sum,
            of: "TableQueue",
            otherwise: "\(byteCount) bytes are counted, and \(sum) wait"
        )
    }
}
