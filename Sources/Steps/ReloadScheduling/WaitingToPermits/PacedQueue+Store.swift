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
