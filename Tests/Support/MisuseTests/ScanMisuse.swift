import Testing

@testable import Basics
@testable import EventPatterns

@Suite("Misuse of KeyStack")
struct KeyStackMisuse {
    @Test("nothing is left, and no table of keys begun, while no object is open")
    func nothingOpen() async {
        await #expect(processExitsWith: .trap) {
            var stack = KeyStack(depthLimit: 4, hashKey: .ofRuntime)
            stack.close()
        }
        await #expect(processExitsWith: .trap) {
            var stack = KeyStack(depthLimit: 4, hashKey: .ofRuntime)
            for number in 0..<20 { Array("\(number)".utf8).withByteView { _ = stack.insert($0) } }
        }
    }

    @Test("no object is open at the beginning")
    func nothingAsked() {
        let stack = KeyStack(depthLimit: 4, hashKey: .ofRuntime)
        let isInObject = stack.isInObject
        #expect(!isInObject)
    }

    @Test("no more objects are opened than the limit allows")
    func depth() async {
        await #expect(processExitsWith: .trap) {
            var stack = KeyStack(depthLimit: 4, hashKey: .ofRuntime)
            for _ in 0..<5 { stack.open(isObject: true) }
        }
    }
}

@Suite("Misuse of TextScratch")
struct TextScratchMisuse {
    @Test("strings longer than a chunk get memory of their own")
    func longStrings() {
        var scratch = TextScratch()
        for count in [1, 65_536, 200_000, 70_000, 3] {
            let text = [UInt8](repeating: UInt8(truncatingIfNeeded: count | 0x40), count: count)
            let isSame = text.withByteView { scratch.decode($0) == $0 }
            #expect(isSame)
            if count > 65_536 { scratch.reset(to: ScratchPosition()) }
        }
    }

    @Test(
        "no more is kept than there was room for, nor less than nothing",
        arguments: [1 << 16 + 1, -1, .max]
    )
    func keep(byteCount: Int) async {
        await #expect(processExitsWith: .trap) { [byteCount] in
            var scratch = TextScratch()
            _ = scratch.reserve(10)
            scratch.keep(byteCount)
        }
    }

    @Test("nothing is kept before there was room")
    func keepFirst() async {
        await #expect(processExitsWith: .trap) {
            var scratch = TextScratch()
            scratch.keep(0)
        }
    }

    @Test("a place of another scratch cannot make it write outside of its chunks")
    func foreignPlace() async {
        await #expect(processExitsWith: .trap) {
            var used = TextScratch()
            var unused = TextScratch()
            let text = [UInt8](repeating: 0x61, count: 60_000)
            for _ in 0..<4 { text.withByteView { _ = used.decode($0) } }
            unused.reset(to: used.mark)
            text.withByteView { _ = unused.decode($0) }
        }
    }
}

@Suite("Misuse of RegexSimulation and RegexScratch")
struct RegexMisuse {
    @Test(
        "Misuse of RegexSimulation: a program does not begin after its end",
        arguments: [1, -1]
    )
    func start(position: Int) async {
        await #expect(processExitsWith: .trap) { [position] in
            var scratch = RegexScratch()
            scratch.reserve(instructions: 1)
            let program = [RegexInstruction(code: .match)]
            program.withUnsafeBufferPointer { program in
                var simulation = RegexSimulation(
                    program: program,
                    sets: UnsafeBufferPointer(start: nil, count: 0),
                    scratch: scratch,
                    work: 1_000
                )
                _ = simulation.run(from: position, on: .empty, at: 0)
            }
        }
    }

    @Test("Misuse of RegexScratch: memory that was never reserved is not used")
    func unreserved() async {
        await #expect(processExitsWith: .trap) { _ = RegexScratch().marks }
    }
}
