internal import DataStructures
package import StoreFormat

/// A queue as bytes: who waits, in their order, and the state of the generator that decides on
/// others'.
///
///     state of the generator                64 bits
///     urgent │ visible │ other              each as a `ShuffledQueue`
extension PacedQueue {
    package func write(to writer: inout StoreWriter) {
        var image = PacedQueueImage(self)
        while image.write(to: &writer) {}
    }

    /// Reads a queue that hands out the same ids in the same order, then and later.
    ///
    /// - Parameters:
    ///   - reader: stands at what `write` has put, and then behind it.
    ///   - idLimit: ids that are not below cannot be.
    /// - Throws: what cannot be, or is not all there.
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

    /// From now on `writeOwed` puts what `write` would put now.
    package mutating func beginCheckpoint() {
        owed = PacedQueueImage(self)
    }

    package mutating func abandonCheckpoint() {
        owed = nil
    }

    /// Puts some more of what belongs to a checkpoint, some kilobytes at most; false if there is no
    /// more.
    package mutating func writeOwed(to writer: inout StoreWriter) -> Bool {
        if owed?.write(to: &writer) == true { return true }
        owed = nil
        return false
    }
}
