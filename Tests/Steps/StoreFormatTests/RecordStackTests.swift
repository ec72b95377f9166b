import Basics
import StoreFormat
import Testing

@Suite("A stack of records")
struct RecordStackTests {
    /// Takes the last one out as a name and a text.
    private static func pop(_ stack: inout RecordStack<UInt32>) -> [String]? {
        stack.popLast().map { ["\($0.name)", $0.body.string] }
    }

    private static func push(_ name: UInt32, _ text: String, _ stack: inout RecordStack<UInt32>) {
        stack.begin(name)
        text.withByteView { stack.writer.put(raw: $0) }
    }

    @Test("returns the last record first, each with all of its body")
    func order() {
        var stack = RecordStack<UInt32>()
        Self.push(4, "otter", &stack)
        Self.push(9, "", &stack)
        Self.push(2, "kit", &stack)
        #expect(Self.pop(&stack) == ["2", "kit"])
        Self.push(3, "elf", &stack)
        #expect(Self.pop(&stack) == ["3", "elf"])
        #expect(Self.pop(&stack) == ["9", ""])
        let isEmpty = stack.isEmpty
        #expect(!isEmpty)
        #expect(Self.pop(&stack) == ["4", "otter"])
        #expect(Self.pop(&stack) == nil)
    }

    @Test("gives much memory back when it has been emptied")
    func memory() {
        var stack = RecordStack<UInt32>()
        Self.push(1, String(repeating: "x", count: 2 << 20), &stack)
        _ = Self.pop(&stack)
        let used = stack.writer.capacity
        #expect(used >= 2 << 20, "another record may come")
        #expect(Self.pop(&stack) == nil)
        let kept = stack.writer.capacity
        #expect(kept < 1_000)
    }

    @Test("forgets what was not taken out")
    func removal() {
        var stack = RecordStack<UInt32>()
        Self.push(1, "lost", &stack)
        stack.removeAll()
        Self.push(2, "kept", &stack)
        #expect(Self.pop(&stack) == ["2", "kept"])
        #expect(Self.pop(&stack) == nil)
    }
}
