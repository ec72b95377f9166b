internal import ByteStorage
package import StoreFormat

extension PacedQueue {
    /// Puts who waits, in their order, and the state of the generator that decides on others'.
    ///
    ///     state of the generator                64 bits
    ///     urgent │ visible │ other              each as a `ShuffledQueue`
    package func write(to writer: inout StoreWriter) {
        writer.put(random.state)
        urgent.write(to: &writer)
        visible.write(to: &writer)
        other.write(to: &writer)
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
}
