public import DataStructures

/// Bodies of records that wait to be written: last in, first out, in memory that is used again.
///
///     writer     body ┊ body ┊ body …
///     entries    what each one is, and where it begins; it ends where the next one does
@safe @usableFromInline
package struct RecordStack<Name: BitwiseCopyable>: ~Copyable {
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

    /// Memory that is kept when nothing waits, in bytes.
    @inlinable static var keptByteCount: Int { 1 << 20 }

    /// Takes what belongs to the record that was begun last.
    @usableFromInline package var writer = StoreWriter(capacity: 64)
    @usableFromInline var entries: ContiguousArray<Entry> = []

    package init() {}

    @inlinable package var isEmpty: Bool { entries.isEmpty }

    /// Begins a record: what is written from now on is its body.
    @inlinable
    package mutating func begin(_ name: Name) {
        entries.append(Entry(name: name, start: writer.count))
    }

    /// Takes the last record out; its body is valid until the next change.
    @inlinable
    package mutating func popLast() -> (name: Name, body: ByteView)? {
        guard let entry = entries.popLast() else {
            removeAll()
            return nil
        }
        let body = writer.bytes.slice(entry.start, writer.count)
        writer.truncate(to: entry.start)
        return (entry.name, body)
    }

    /// Drops what is left, and memory of which there is much.
    @inlinable
    package mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        writer.clear()
        if writer.capacity > Self.keptByteCount { writer = StoreWriter(capacity: 64) }
    }
}
