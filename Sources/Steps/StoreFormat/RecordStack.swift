public import Basics

/// Bodies of records that wait to be written: last in, first out, in memory that is reused.
///
///     writer     body ┊ body ┊ body …
///     entries    the name of each one, and where it begins; it ends where the next one does
@usableFromInline
package struct RecordStack<Name: BitwiseCopyable>: ~Copyable {
    /// The name of a record, and the offset at which its body begins.
    @usableFromInline
    struct Entry {
        @usableFromInline let name: Name
        @usableFromInline let start: Int

        @inlinable
        init(name: Name, start: Int) {
            self.name = name
            self.start = start
        }
    }

    /// The most memory, in bytes, that is kept while the stack is empty.
    @inlinable static var keptByteCount: Int { 1 << 20 }

    /// Receives the body of the record that was begun last.
    @usableFromInline package var writer = StoreWriter(capacity: 64)
    @usableFromInline var entries: ContiguousArray<Entry> = []

    /// Makes an empty stack.
    package init() {}

    /// Whether no record is on the stack.
    @inlinable package var isEmpty: Bool { entries.isEmpty }

    /// Begins a record: whatever is written to `writer` from now on is its body.
    @inlinable
    package mutating func begin(_ name: Name) {
        entries.append(Entry(name: name, start: writer.count))
    }

    /// Removes and returns the last record; its body is valid until the next change.
    @inlinable
    package mutating func popLast() -> (name: Name, body: ByteView)? {
        guard let entry = entries.popLast() else {
            removeAll()
            return nil
        }
        assert(entry.start <= writer.count, "more was discarded than the record")
        let body = writer.bytes.slice(entry.start, to: writer.count)
        writer.truncate(to: entry.start)
        return (entry.name, body)
    }

    /// Discards all records, and memory beyond `keptByteCount`.
    @inlinable
    package mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        writer.clear()
        if writer.capacity > Self.keptByteCount { writer = StoreWriter(capacity: 64) }
    }
}
