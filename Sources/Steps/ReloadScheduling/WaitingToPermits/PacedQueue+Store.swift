internal import Basics
package import StoreFormat

/// The stored form of a queue: the waiting ids in order, and the state of the random generator, so
/// that ids added later are also ordered as they would have been.
///
///     state of the generator                64 bits
///     urgent │ visible │ other              each as a `ShuffledQueue`
extension PacedQueue {
    /// Writes the whole queue at once.
    package func write(to writer: inout StoreWriter) {
        var image = PacedQueueImage(self)
        while image.write(to: &writer) {}
    }

    /// Reads a queue that delivers the same ids, all below `idLimit`, in the same order as the one
    /// written, now and later. The reader is at the first byte that `write` wrote, and afterwards
    /// after the last.
    ///
    /// - Throws: `corrupt` if the bytes are cut off or impossible.
    package init(
        reading reader: inout StoreReader,
        idsBelow idLimit: UInt32 = .max
    ) throws(StoreError) {
        let state = try reader.read(UInt64.self)
        let urgent = try ShuffledQueue(reading: &reader, idsBelow: idLimit)
        let visible = try ShuffledQueue(reading: &reader, idsBelow: idLimit)
        let other = try ShuffledQueue(reading: &reader, idsBelow: idLimit)
        self.init(seed: state)
        (self.urgent, self.visible, self.other) = (urgent, visible, other)
    }

    // MARK: - Checkpoints

    /// Starts a checkpoint: `writeUnwritten` will write what `write` would write now.
    package mutating func beginCheckpoint() { unwritten = PacedQueueImage(self) }

    /// Drops the checkpoint's image of the queue.
    package mutating func abandonCheckpoint() { unwritten = nil }

    /// Writes the next part of the checkpoint, a few kilobytes at most; false if nothing was left.
    package mutating func writeUnwritten(to writer: inout StoreWriter) -> Bool {
        if unwritten?.write(to: &writer) == true { return true }
        unwritten = nil
        return false
    }
}

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
