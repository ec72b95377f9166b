package import Basics

extension ShuffledQueue {
    /// Checks that `head`, `lastBegin` and `end` are possible positions, and that the chunks reach
    /// to `end`.
    func checkInvariants() throws(InvariantViolation) {
        try checkInvariant(
            head >= 0 && head <= end && lastBegin >= 0 && lastBegin <= end,
            otherwise: "the last fan-out begins at \(lastBegin) of \(head) ..< \(end)"
        )
        try checkInvariant(
            head < Self.chunkSize || head == 0,
            otherwise: "the head, \(head), is not in the first chunk"
        )
        let capacity = chunks.reduce(0) { $0 + $1.count }
        let isEven = chunks.count < 2 || chunks.allSatisfy { $0.count == Self.chunkSize }
        try checkInvariant(
            end <= capacity && isEven,
            otherwise: "\(end) positions lie in \(chunks.count) chunks of \(capacity) in all"
        )
    }

    /// Calls `body` with each id that waits, in the order of the queue.
    func visit(_ body: (WidgetID) -> Void) {
        var position = head
        while position < end {
            position += numbers(from: position) { ids in
                for index in ids.indices { body(ids[index]) }
            }
        }
    }
}

extension PacedQueue {
    /// Checks the queue of each rank.
    package func checkInvariants() throws(InvariantViolation) {
        try checkPart("PacedQueue.urgent", by: urgent.checkInvariants())
        try checkPart("PacedQueue.visible", by: visible.checkInvariants())
        try checkPart("PacedQueue.other", by: other.checkInvariants())
    }

    /// Calls `body` with each id that waits, stale ones included, in the order of the queue.
    package func visit(_ body: (WidgetID) -> Void) {
        urgent.visit(body)
        visible.visit(body)
        other.visit(body)
    }
}
