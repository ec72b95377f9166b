import Basics
import Testing

@testable import ReloadScheduling

@Suite("Misuse of Block")
struct BlockMisuse {
    @Test("an element after the last is neither read nor written")
    func index() async {
        await #expect(processExitsWith: .trap) {
            let block = Block<UInt32>(count: 4) { $0 }
            defer { block.deallocate() }
            _ = block[4]
        }
        await #expect(processExitsWith: .trap) {
            let block = Block<UInt32>()
            block[0] = 1
        }
    }

    @Test("elements after the last are not passed on")
    func elements() async {
        await #expect(processExitsWith: .trap) {
            let block = Block<UInt32>(count: 4) { $0 }
            block.withElements(3, count: 2) { _ in }
        }
    }
}

@Suite("Misuse of wheels")
struct WheelMisuse {
    @Test(
        "Misuse of WheelChunk and WheelChunkPool: no entry after the last is read",
        arguments: [1, -1]
    )
    func entry(index: Int) async {
        await #expect(processExitsWith: .trap) { [index] in
            var pool = WheelChunkPool()
            let chunk = pool.acquire()
            chunk.append(WheelEntry(id: .first, word: .none))
            _ = chunk[index]
        }
    }

    @Test("Misuse of WheelChunkPool: a chunk takes no more entries than it has memory for")
    func full() async {
        await #expect(processExitsWith: .trap) {
            var pool = WheelChunkPool()
            let chunk = pool.acquire()
            for _ in 0...WheelChunk.capacity { chunk.append(WheelEntry(id: .first, word: .none)) }
        }
    }

    @Test(
        "Misuse of WheelSlots: a slot outside of the wheel is not detached",
        arguments: [320, -1]
    )
    func slot(number: Int) async {
        await #expect(processExitsWith: .trap) { [number] in
            var slots = WheelSlots()
            _ = slots.detach(number)
        }
    }

    @Test("Misuse of WheelSlots: no slot before the first is looked for")
    func negativeSlot() async {
        await #expect(processExitsWith: .trap) { _ = WheelSlots().occupiedSlot(from: -1) }
    }
}

@Suite("Misuse of DeadlineTable")
struct DeadlineTableMisuse {
    @Test(
        "a number of no chunk is neither read nor written",
        arguments: [0, 1 << 14, .max] as [UInt32]
    )
    func number(id: UInt32) async {
        await #expect(processExitsWith: .trap) { [id] in _ = DeadlineTable()[TimerID(rawValue: id)]
        }
        await #expect(processExitsWith: .trap) { [id] in
            var table = DeadlineTable()
            table[TimerID(rawValue: id)] = .none
        }
    }

    @Test("a chunk is not added twice, which would lose the first")
    func add() async {
        await #expect(processExitsWith: .trap) {
            var table = DeadlineTable()
            table.add(TimerID(rawValue: 0))
            table.add(TimerID(rawValue: 1))
        }
    }

    @Test("a number of no chunk may be prefetched")
    func prefetch() {
        DeadlineTable().prefetch(TimerID(rawValue: .max))
    }
}

@Suite("Misuse of NumberTable")
struct NumberTableMisuse {
    @Test("what is absent is not removed, and the number of no entry is not stored")
    func numbers() async {
        await #expect(processExitsWith: .trap) {
            var table = NumberTable(hashKey: .ofRuntime)
            table.remove(1, number: PageID(rawValue: 1))
        }
        await #expect(processExitsWith: .trap) {
            var table = NumberTable(hashKey: .ofRuntime)
            table.insert(1, number: PageID(rawValue: .max))
        }
    }
}
