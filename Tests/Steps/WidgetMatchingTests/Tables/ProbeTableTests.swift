import TestSupport
import Testing

@testable import WidgetMatching

@Suite("Probe tables")
struct ProbeTableTests {
    private struct Number: ProbeSlot {
        var fingerprint: UInt32
        var number: UInt32

        var isEmpty: Bool { number == .max }
        static var empty: Number { Number(fingerprint: 0, number: .max) }
    }

    private static func find(
        _ table: borrowing ProbeTable<Number>,
        _ number: UInt32,
        _ fingerprint: UInt32
    ) -> Int? {
        var index = table.home(fingerprint)
        while !table[index].isEmpty {
            if table[index].number == number { return index }
            index = table.next(index)
        }
        return nil
    }

    @Test(
        "Every slot is found until it is removed, and none after",
        arguments: [(UInt32.max, 3_000), (7, 300), (0, 60)]
    )
    func model(mask: UInt32, most: Int) {
        // A narrow mask makes fingerprints collide.
        var random = SeededGenerator(seed: UInt64(mask) + UInt64(most))
        var table = ProbeTable<Number>()
        let empty = table.byteCount
        var expected: [(number: UInt32, fingerprint: UInt32)] = []
        for step in 0..<most * 6 {
            let grows = step / most % 2 == 0
            if expected.isEmpty || random.below(10) < (grows ? 8 : 2) {
                let fingerprint = UInt32(truncatingIfNeeded: random.next()) & mask
                table.insert(Number(fingerprint: fingerprint, number: UInt32(step)))
                expected.append((UInt32(step), fingerprint))
            } else {
                expected.swapAt(random.below(expected.count), expected.count - 1)
                let gone = expected.removeLast()
                table.remove(at: Self.find(table, gone.number, gone.fingerprint)!)
                #expect(Self.find(table, gone.number, gone.fingerprint) == nil)
            }
            #expect(table.count == expected.count)
            if step % 50 == 0 {
                let found = expected.allSatisfy {
                    Self.find(table, $0.number, $0.fingerprint) != nil
                }
                #expect(found, "step \(step)")
            }
        }
        for gone in expected {
            table.remove(at: Self.find(table, gone.number, gone.fingerprint)!)
        }
        #expect(table.byteCount == empty)
    }
}
