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

@Suite("Misuse of PagedArray")
struct PagedArrayMisuse {
    @Test("an element outside of the array is not read", arguments: [2, 64, -1, .max])
    func read(index: Int) async {
        await #expect(processExitsWith: .trap) { [index] in
            let array = PagedArray<UInt32>(repeating: 1, count: 2)
            _ = array[index]
        }
    }

    @Test("an element outside of the array is not written", arguments: [2, 64, -1])
    func write(index: Int) async {
        await #expect(processExitsWith: .trap) { [index] in
            var array = PagedArray<UInt32>(repeating: 1, count: 2)
            array[index] = 1
        }
    }
}

@Suite("Misuse of KeyFilter")
struct KeyFilterMisuse {
    @Test("hashes of any bits are asked for and added")
    func hashes() {
        let keys = HashIndex()
        let filter = KeyFilter()
        for hash in [0, 1, 1 << 55, 1 << 56, 0xffff_ffff, .max] as [UInt64] {
            // Far more often than the table has keys.
            for _ in 0..<100 { filter.insert(hash, of: keys) }
            #expect(filter.mayHave(hash))
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
        let vocabulary = ScanVocabulary(hashKey: .ofRuntime, product: product)
        var reader = PayloadReader(vocabulary, product: product)
        body(&reader)
    }

    @Test("no container ends that has not begun, and nothing is a member of none")
    func containers() async {
        await #expect(processExitsWith: .trap) { Self.read { $0.endObject() } }
        await #expect(processExitsWith: .trap) { Self.read { $0.endArray() } }
        await #expect(processExitsWith: .trap) { Self.read { $0.beginArray() } }
        await #expect(processExitsWith: .trap) {
            Self.read { reader in
                reader.begin(app: .first, payload: .empty)
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
            #expect(reader.fields.count == 0)
        }
    }
}

@Suite("Misuse of PayloadScanner")
struct PayloadScannerMisuse {
    /// A matcher with a widget of a kind without a rule, so that a field is known.
    private static func matcher() -> WidgetMatcher {
        var matcher = WidgetMatcher(hashKey: .ofRuntime)
        let kind = WidgetMatcher.Kind(kind: .first, name: "k", rule: nil)
        matcher.install(apps: [WidgetMatcher.App(app: .first, kinds: [kind])])
        _ = Array(#"{"f":1}"#.utf8).withByteView {
            try? matcher.insert(kind: .first, configuration: $0)
        }
        return matcher
    }

    @Test("a push that was scanned with another vocabulary is not queued")
    func otherVocabulary() async {
        await #expect(processExitsWith: .trap) {
            var matcher = Self.matcher()
            var scanner = PayloadScanner(hashKey: .ofRuntime)
            Array("{}".utf8).withByteView { payload in
                guard let push = try? scanner.scan(app: .first, payload: payload) else { return }
                matcher.enqueue(push, tag: 0)
            }
        }
    }

    @Test("no matcher is followed that has another hash key")
    func otherKey() async {
        await #expect(processExitsWith: .trap) {
            let matcher = Self.matcher()
            var scanner = PayloadScanner(hashKey: HashKey(low: 1, high: 1))
            scanner.follow(matcher)
        }
    }
}

@Suite("Misuse of FieldValue")
struct FieldValueMisuse {
    /// A text at the beginning of a payload.
    private static func field(_ bytes: ByteView) -> ScannedField {
        ScannedField(
            hash: 1,
            attribute: .root(.first),
            context: .none,
            offset: 0,
            head: ValueTable.head(.string, length: bytes.count)
        )
    }

    private static func value(_ bytes: ByteView) -> FieldValue {
        let field = field(bytes)
        return FieldValue(field, bytes: ScannedBytes(payload: bytes, rewritten: .empty)[field])
    }

    @Test("a text that is longer than its head can say is cut")
    func long() {
        let text = [UInt8](repeating: 0x61, count: 1 << 24 + 5)
        text.withByteView { view in
            let value = Self.value(view)
            #expect(value.length == 5 && value.bytes.count == 5)
        }
    }

    @Test("it is not made of fewer bytes than there are, nor of bytes outside of the payload")
    func outside() async {
        await #expect(processExitsWith: .trap) {
            let text = [UInt8](repeating: 0x61, count: 12)
            text.withByteView { view in
                _ = FieldValue(Self.field(view), bytes: view.slice(0, to: 4))
            }
        }
        await #expect(processExitsWith: .trap) {
            let text = [UInt8](repeating: 0x61, count: 12)
            text.withByteView { view in
                let short = ScannedBytes(payload: view.slice(0, to: 4), rewritten: view)
                _ = short[Self.field(view)]
            }
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
