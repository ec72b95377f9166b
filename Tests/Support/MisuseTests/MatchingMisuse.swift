import Basics
import Testing

@testable import WidgetMatching

private struct Slot: ProbeSlot {
    var fingerprint: UInt32
    var isEmpty: Bool
    static var empty: Slot { Slot(fingerprint: 0, isEmpty: true) }
}

@Suite("Misuse of GrowingBuffer")
struct GrowingBufferMisuse {
    @Test("an element after the last, or before the first, is not read", arguments: [1, -1, .max])
    func read(index: Int) async {
        await #expect(processExitsWith: .trap) { [index] in
            var buffer = GrowingBuffer<UInt32>()
            buffer.append(1)
            _ = buffer[index]
        }
    }

    @Test("an element after the last is not written")
    func write() async {
        await #expect(processExitsWith: .trap) {
            var buffer = GrowingBuffer<UInt32>()
            buffer[0] = 1
        }
    }

    @Test("it is not cut to more than it has, nor to less than nothing", arguments: [2, -1])
    func truncate(count: Int) async {
        await #expect(processExitsWith: .trap) { [count] in
            var buffer = GrowingBuffer<UInt32>()
            buffer.append(1)
            buffer.truncate(to: count)
        }
    }

    @Test("it does not begin without memory, nor move to memory that is too small")
    func memory() async {
        await #expect(processExitsWith: .trap) { _ = GrowingBuffer<UInt32>(capacity: 0) }
        await #expect(processExitsWith: .trap) {
            var buffer = GrowingBuffer<UInt32>()
            buffer.append(1)
            buffer.grow(to: 0)
        }
    }
}

@Suite("Misuse of RestoreBatch")
struct RestoreBatchMisuse {
    @Test("a full batch takes no further widget, and none is read that it lacks")
    func full() async {
        await #expect(processExitsWith: .trap) { _ = RestoreBatch()[0] }
        await #expect(processExitsWith: .trap) {
            var batch = RestoreBatch()
            for _ in 0...RestoreBatch.limit {
                var reader = ConfigurationReader()
                batch.append(.first, kind: .first, reader: &reader)
            }
        }
    }
}

@Suite("Misuse of ProbeTable")
struct ProbeTableMisuse {
    @Test("a slot outside of the table is not read", arguments: [8, -1, .max])
    func read(index: Int) async {
        await #expect(processExitsWith: .trap) { [index] in
            let table = ProbeTable<Slot>()
            _ = table[index]
        }
    }

    @Test("an empty slot is neither inserted nor removed")
    func emptySlot() async {
        await #expect(processExitsWith: .trap) {
            var table = ProbeTable<Slot>()
            table.insert(.empty)
        }
        await #expect(processExitsWith: .trap) {
            var table = ProbeTable<Slot>()
            table.remove(at: 0)
        }
    }
}

@Suite("Misuse of ElementView")
struct ElementViewMisuse {
    @Test("no element outside of the view is read", arguments: [1, -1, .max])
    func read(index: Int) async {
        await #expect(processExitsWith: .trap) { [index] in
            let words = [Word(bits: 1), Word(bits: 2)]
            words.withUnsafeBufferPointer { words in
                _ = ElementView(base: words.baseAddress!, count: 1)[index]
            }
        }
    }
}

@Suite("Misuse of TextAnswers")
struct TextAnswersMisuse {
    @Test("wildcards and fields of any number have a place")
    func numbers() {
        var answers = TextAnswers()
        let last = ValueID(rawValue: .max - 1)
        answers.keep(.holds, of: last, for: Int(UInt32.max))
        #expect(answers.find(last, for: Int(UInt32.max)) == .holds)
        #expect(answers.find(last, for: 0) == nil)
    }

    @Test("a field before the first has none")
    func negative() async {
        await #expect(processExitsWith: .trap) {
            var answers = TextAnswers()
            answers.keep(.holds, of: .first, for: -1)
        }
    }
}

@Suite("Misuse of PayloadReader")
struct PayloadReaderMisuse {
    /// Calls a reader that has begun no payload, or one without an object.
    private static func read(_ body: (inout PayloadReader) -> Void) {
        let product = ProductHash(.ofRuntime)
        let index = WidgetIndex(hashKey: .ofRuntime, product: product)
        var reader = PayloadReader(for: index, product: product)
        body(&reader)
        // The reader needs the index until here.
        _ = index.byteCount
    }

    @Test("no container ends that has not begun, and nothing is a member of none")
    func containers() async {
        await #expect(processExitsWith: .trap) { Self.read { $0.endObject() } }
        await #expect(processExitsWith: .trap) { Self.read { $0.endArray() } }
        await #expect(processExitsWith: .trap) { Self.read { $0.beginArray() } }
        await #expect(processExitsWith: .trap) {
            Self.read { reader in
                reader.begin(app: .first, payload: .empty, kinds: nil)
                reader.beginObject()
                reader.endObject()
                reader.endObject()
            }
        }
    }

    @Test("values of no member, and payloads that were never begun, are not collected")
    func values() {
        Self.read { reader in
            reader.string(.empty)
            [0x31].withByteView { reader.number($0) }
            reader.literal(.null)
            reader.abandon()
            reader.abandon()
            #expect(reader.batch.fields.count == 0)
        }
    }
}

@Suite("Misuse of FieldValue")
struct FieldValueMisuse {
    private static func value(_ bytes: ByteView) -> FieldValue {
        FieldValue(
            attribute: .root(.first),
            context: .none,
            value: TypedValue(tag: .string, bytes: bytes),
            hash: 1
        )
    }

    @Test("a text that is longer than its head can say is cut")
    func long() {
        let text = [UInt8](repeating: 0x61, count: 1 << 24 + 5)
        text.withByteView { view in
            let value = Self.value(view)
            #expect(value.length == 5 && value.bytes.count == 5)
        }
    }

    @Test("it is not compared with fewer bytes than the head says")
    func compare() async {
        await #expect(processExitsWith: .trap) {
            let text = [UInt8](repeating: 0x61, count: 12)
            text.withByteView { view in
                let value = Self.value(view)
                _ = value.compare(toHead: value.head, bytes: view.slice(0, to: 4))
            }
        }
    }
}
