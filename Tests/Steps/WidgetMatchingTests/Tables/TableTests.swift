import Basics
import TestSupport
import Testing

@testable import WidgetMatching

@Suite("The tables of values and keys")
struct TableTests {
    private func acquire(
        _ table: inout ValueTable,
        _ tag: ValueTag,
        _ bytes: [UInt8]
    ) -> (value: ValueID, isNew: Bool) {
        bytes.withByteView { table.acquire(TypedValue(tag: tag, bytes: $0)) }
    }

    @Test("A value is stored once, whichever rule refers to it, and gone after its last reference")
    func references() {
        var table = ValueTable(seed: 3)
        let first = acquire(&table, .string, [1, 2])
        let again = acquire(&table, .string, [1, 2])
        let other = acquire(&table, .number, [1, 2])
        #expect(first.isNew && !again.isNew && other.isNew)
        #expect(first.value == again.value && first.value != other.value)
        table.release(first.value)
        let count = table.count
        #expect(count == 2)
        table.release(again.value)
        table.release(other.value)
        let (rest, bytes) = (table.count, table.usedByteCount)
        #expect(rest == 0 && bytes == 0)
    }

    @Test("Values, and lists of them, all come back", arguments: 1...6 as ClosedRange<UInt64>)
    func values(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var table = ValueTable(seed: seed)
        var held: [(value: ValueID, tag: ValueTag, bytes: [UInt8])] = []
        for step in 0..<4_000 {
            if held.isEmpty || random.below(8) < 4 {
                let length = random.pick([0, 1, 3, 8, 400, 20_000])
                let count = random.below(length + 1)
                let bytes = [UInt8](repeating: UInt8(random.below(4)), count: count)
                let tag: ValueTag = random.pick([.string, .number])
                held.append((acquire(&table, tag, bytes).value, tag, bytes))
            } else if random.below(4) == 0 {
                // A list takes over the references to its elements.
                let elements = (0..<random.below(6)).map { _ in random.pick(held).value }
                for element in elements { table.retain(element) }
                let words = elements.flatMap { element in
                    (0..<4).map { UInt8(truncatingIfNeeded: element.rawValue >> UInt32(8 * $0)) }
                }
                let list = acquire(&table, .list, words)
                if !list.isNew { for element in elements { table.release(element) } }
                held.append((list.value, .list, words))
            } else {
                let (value, tag, bytes) = held.remove(at: random.below(held.count))
                let stored = (table.tag(of: value), table.bytes(of: value).array)
                #expect(stored == (tag, bytes), "seed \(seed), step \(step)")
                table.release(value)
            }
        }
        for (value, _, _) in held { table.release(value) }
        let (rest, bytes) = (table.count, table.usedByteCount)
        #expect(rest == 0 && bytes == 0, "seed \(seed)")
    }

    // MARK: - Keys

    /// What a key has, as the table under test should have it.
    private struct ModelKey {
        var key: KeyID
        var hash: UInt64
        var postings: [Posting]
    }

    /// The space of a key of the model, which is the first of its numbers.
    private static func space(of numbers: [UInt32]) -> SpaceID { SpaceID(rawValue: numbers[0]) }

    /// The words of a key of the model, which are the other numbers.
    private static func words(of numbers: [UInt32]) -> [Word] {
        numbers[1...].map(Word.init(bits:))
    }

    private func find(
        _ table: borrowing KeyTable,
        _ space: SpaceID,
        _ words: [Word],
        _ hash: UInt64
    ) -> KeyID? {
        words.withUnsafeBufferPointer {
            table.find(hash, in: space, words: KeyWords(base: $0.baseAddress!, count: $0.count))
        }
    }

    @Test(
        "Keys of equal hashes are distinguished, and give their postings back",
        arguments: 1...6 as ClosedRange<UInt64>
    )
    func keys(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var table = KeyTable()
        var model: [[UInt32]: ModelKey] = [:]
        for step in 0..<6_000 {
            // The space, which says how many words there are, and the words; few hashes, so that
            // many keys share one.
            let space = random.below(4)
            let words = ([space] + (0...space % 2).map { _ in random.below(4) }).map(UInt32.init)
            let hash = UInt64(words[1]) << 56 | UInt64(words[0])
            let found = find(table, Self.space(of: words), Self.words(of: words), hash)
            #expect(found == model[words]?.key, "seed \(seed), step \(step)")
            if random.below(9) < (step < 4_000 ? 6 : 2) {
                add(UInt32(step), to: &table, &model, words, hash)
            } else if let key = model[words] {
                remove(random.below(key.postings.count), from: &table, &model, words)
            }
        }
        for (words, key) in model {
            let stored = (0..<key.postings.count).map { position in
                table.single(key.key) ?? table.postings.run(table.list(key.key), from: position)[0]
            }
            #expect(stored == key.postings, "seed \(seed)")
            while model[words] != nil { remove(0, from: &table, &model, words) }
        }
        let (rest, bytes) = (table.count, table.usedByteCount)
        #expect(rest == 0 && bytes == 0, "seed \(seed)")
    }

    private func add(
        _ number: UInt32,
        to table: inout KeyTable,
        _ model: inout [[UInt32]: ModelKey],
        _ words: [UInt32],
        _ hash: UInt64
    ) {
        if model[words] == nil {
            let key = Self.words(of: words).withUnsafeBufferPointer {
                table.insert(
                    hash,
                    in: Self.space(of: words),
                    words: KeyWords(base: $0.baseAddress!, count: $0.count)
                )
            }
            model[words] = ModelKey(key: key, hash: hash, postings: [])
        }
        let posting = Posting(WidgetID(rawValue: number), needsCheck: number % 2 == 0)
        let position = table.append(posting, to: model[words]!.key)
        #expect(position.index == model[words]!.postings.count)
        model[words]!.postings.append(posting)
    }

    private func remove(
        _ position: Int,
        from table: inout KeyTable,
        _ model: inout [[UInt32]: ModelKey],
        _ words: [UInt32]
    ) {
        var key = model[words]!
        let removed = table.remove(PostingPosition(position), from: key.key)
        let last = key.postings.removeLast()
        if position < key.postings.count { key.postings[position] = last }
        #expect(removed.isEmpty == key.postings.isEmpty)
        #expect(removed.moved == (position < key.postings.count ? last : nil))
        model[words] = key.postings.isEmpty ? nil : key
        if removed.isEmpty { table.remove(key.key, hash: key.hash, wordCount: words.count - 1) }
    }
}
