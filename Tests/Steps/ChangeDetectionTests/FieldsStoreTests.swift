import Basics
import StoreFormat
import TestSupport
import Testing

@testable import ChangeDetection

@Suite("Fields of widgets in a store")
struct FieldsStoreTests {
    @Test("Restored widgets behave like those never stopped", arguments: 0..<20 as Range<UInt64>)
    func replica(number: UInt64) throws {
        let seed = number &* 0x2545_f491_4f6c_dd1d &+ 11
        var run = FieldsStoreRun(seed: seed)
        for round in 0..<6 {
            for _ in 0..<60 { _ = run.step() }
            try run.restart()
            #expect(run.images(of: run.bench) == run.images(of: run.replica!), "seed \(seed)")
            for step in 0..<120 {
                guard let difference = run.step() else { continue }
                Issue.record("seed \(seed), round \(round), step \(step): \(difference)")
                return
            }
        }
        #expect(run.changeCount > 100 && run.sameCount > 100, "seed \(seed): says little")
        run.removeAll()
        #expect(run.replica!.usedByteCount == 0, "seed \(seed)")
    }

    #if DEBUG
    @Test("No block changes that is not said to change before", arguments: 0..<10 as Range<UInt64>)
    func changesAreNoted(number: UInt64) throws {
        let seed = number &* 0x9e37_79b9 &+ 3
        var run = FieldsStoreRun(seed: seed)
        var (changed, noted) = (0, 0)
        for step in 0..<800 {
            let before = run.blocks()
            run.bench.widgets.formerBlocks = [:]
            _ = run.step()
            let former = run.bench.widgets.formerBlocks!
            let after = run.blocks()
            for widget in run.page {
                if former[widget] != nil { noted += 1 }
                if after[widget] == before[widget] { continue }
                changed += 1
                #expect(former[widget] == before[widget], "seed \(seed), step \(step), \(widget)")
            }
        }
        // Marking all widgets always would pass as well, and a checkpoint would write all pages.
        #expect(changed > 100 && noted < changed * 3 / 2, "seed \(seed): \(noted) for \(changed)")
    }
    #endif

    @Test("What a widget had under another list of its kind is left out")
    func otherGeneration() throws {
        let bench = FieldsBench(observes: ["hp"], inlines: ["hp"])
        let empty = [UInt8](repeating: 0, count: 8)
        #expect(bench.stored(NumberRange(from: 0, to: 64)) == empty)
        _ = bench.push(#"{"hp":1}"#, to: 5)
        #expect(bench.stored(NumberRange(from: 0, to: 64)).count > 8)
        #expect(bench.stored(NumberRange(from: 64, to: 128)) == empty)
        bench.declare(observes: ["hp", "level"], inlines: ["hp"])
        #expect(bench.stored(NumberRange(from: 0, to: 64)) == empty)
    }

    @Test("Fields of other lists than the kind's are refused")
    func otherLists() throws {
        let bench = FieldsBench(observes: ["hp", "level"], inlines: ["hp"])
        _ = bench.push(#"{"hp":1,"level":2}"#, to: 63)
        let bytes = bench.stored(NumberRange(from: 0, to: 64))
        try FieldsBench(observes: ["hp", "level"], inlines: ["hp"])
            .restore(NumberRange(from: 0, to: 64), kind: { _ in 0 }, from: bytes)
        let others = [
            FieldsBench(), FieldsBench(observes: ["hp"], inlines: ["hp"]),
            FieldsBench(observes: ["hp", "level"]),
            FieldsBench(observes: ["hp", "level"], inlines: ["hp", "level"]),
        ]
        for other in others {
            #expect(throws: StoreError.self) {
                try other.restore(NumberRange(from: 0, to: 64), kind: { _ in 0 }, from: bytes)
            }
        }
        #expect(throws: StoreError.self) {
            try FieldsBench(observes: ["hp", "level"], inlines: ["hp"])
                .restore(NumberRange(from: 0, to: 63), kind: { _ in 0 }, from: bytes)
        }
        #expect(throws: StoreError.self) {
            try FieldsBench(observes: ["hp", "level"], inlines: ["hp"])
                .restore(NumberRange(from: 0, to: 64), kind: { _ in nil }, from: bytes)
        }
    }

    @Test("Of several keys, none is no key")
    func noKey() throws {
        let range = NumberRange<WidgetID>(from: 0, to: 1)
        func bench() -> FieldsBench {
            let bench = FieldsBench()
            bench.declare(observes: ["hp"], keys: [["id"]])
            return bench
        }
        let pushed = bench()
        for id in 1...2 { _ = pushed.push(#"{"hp":1,"id":\#(id)}"#) }
        let bytes = pushed.stored(range)
        try bench().restore(range, kind: { _ in 0 }, from: bytes)
        // At the end are the key of the last push, and the other with what is known and a hash.
        for start in [bytes.count - 18, bytes.count - 14] {
            var damaged = bytes
            #expect(damaged[start..<start + 4] != [0, 0, 0, 0])
            damaged.replaceSubrange(start..<start + 4, with: [0, 0, 0, 0])
            #expect(throws: StoreError.self) {
                try bench().restore(range, kind: { _ in 0 }, from: damaged)
            }
        }
    }

    @Test("Cut, flipped and random bytes are refused or restored, and trap nowhere")
    func damage() throws {
        let seed: UInt64 = 77
        var run = FieldsStoreRun(seed: seed)
        var refused = 0
        for _ in 0..<12 {
            for _ in 0..<30 { _ = run.step() }
            let bytes = run.bench.stored(run.page)
            for _ in 0..<200 {
                let count = run.random.below(bytes.count)
                #expect(throws: StoreError.self) { try run.fresh(from: Array(bytes[..<count])) }
            }
            for _ in 0..<200 {
                var damaged = run.random.below(8) == 0 ? run.random.bytes(200) : bytes
                for _ in 0...run.random.below(3) {
                    let position = run.random.below(damaged.count)
                    damaged[position] ^= 1 << UInt8(run.random.below(8))
                }
                do {
                    let bench = try run.fresh(from: damaged)
                    // Whatever was taken is of use.
                    for widget in run.page {
                        #expect(bench.inlined(widget, kind: run.kind(widget)).utf8.count <= 512)
                    }
                } catch let error as StoreError {
                    #expect(error.code == .corrupt)
                    refused += 1
                }
            }
        }
        #expect(refused > 500, "seed \(seed)")
    }
}
