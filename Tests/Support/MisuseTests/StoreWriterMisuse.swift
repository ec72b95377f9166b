import Basics
import StoreFormat
import Testing

@Suite("Misuse of StoreWriter")
struct StoreWriterMisuse {
    @Test(
        "a number is not patched where none was written",
        arguments: [1, -1, .max, .max - 7, .min]
    )
    func patch(offset: Int) async {
        await #expect(processExitsWith: .trap) { [offset] in
            var writer = StoreWriter()
            writer.put(1 as UInt64)
            writer.patch(2 as UInt64, at: offset)
        }
    }

    @Test("it is not cut to more than it has, nor to less than nothing", arguments: [9, -1])
    func truncate(count: Int) async {
        await #expect(processExitsWith: .trap) { [count] in
            var writer = StoreWriter()
            writer.put(1 as UInt64)
            writer.truncate(to: count)
        }
    }

    @Test("no more is removed than it has, nor less than nothing", arguments: [9, -1])
    func removeFirst(count: Int) async {
        await #expect(processExitsWith: .trap) { [count] in
            var writer = StoreWriter()
            writer.put(1 as UInt64)
            writer.removeFirst(count)
        }
    }
}
