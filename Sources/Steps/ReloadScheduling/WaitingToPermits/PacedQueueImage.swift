internal import Basics
internal import StoreFormat

/// A queue as it was when a checkpoint began, which the checkpoint writes part by part.
///
/// It shares the queue's chunks; Swift copies a chunk when the queue changes it.
struct PacedQueueImage {
    /// The state of the random generator when the checkpoint began.
    private let random: UInt64
    /// The queues of the ranks when the checkpoint began: urgent, visible and other.
    private let ranks: (ShuffledQueue, ShuffledQueue, ShuffledQueue)
    /// The rank being written, as an index into `ranks`; 3 after the last.
    private var rank = 0
    /// How many of the rank's ids are written; nil before its head is.
    private var written: Int?

    init(_ queue: borrowing PacedQueue) {
        random = queue.random.state
        ranks = (queue.urgent, queue.visible, queue.other)
    }

    /// Writes the next part, a few kilobytes at most; false if nothing was left.
    mutating func write(to writer: inout StoreWriter) -> Bool {
        while rank < 3 {
            let queue = rank == 0 ? ranks.0 : rank == 1 ? ranks.1 : ranks.2
            if let index = written {
                let count = queue.writeNumbers(from: index, to: &writer)
                written = index + count
                if count > 0 { return true }
                (rank, written) = (rank + 1, nil)
            } else {
                if rank == 0 { writer.put(random) }
                queue.writeHead(to: &writer)
                written = 0
            }
        }
        return false
    }
}
