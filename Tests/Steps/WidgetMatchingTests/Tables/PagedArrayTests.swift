import TestSupport
import Testing

@testable import WidgetMatching

@Suite("Arrays whose copies share pages")
struct PagedArrayTests {
    @Test(
        "A copy stays as it is, whatever becomes of the others",
        arguments: 1...6 as ClosedRange<UInt64>
    )
    func copies(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var array = PagedArray<UInt32>()
        var model: [UInt32] = []
        var copies: [(array: PagedArray<UInt32>, model: [UInt32])] = []
        for step in 0..<3_000 {
            switch random.below(20) {
            case 0:
                let count = model.count + random.below(100)
                array.extend(to: count, filling: UInt32(step))
                while model.count < count { model.append(UInt32(step)) }
            case 1: copies.append((array, model))
            case 2 where copies.count > 4: copies.remove(at: random.below(copies.count))
            case 3 where !copies.isEmpty: (array, model) = random.pick(copies)
            default:
                if model.isEmpty { continue }
                let index = random.below(model.count)
                array[index] = UInt32(step)
                model[index] = UInt32(step)
            }
            if step % 100 != 0 { continue }
            for copy in copies + [(array, model)] {
                let elements = (0..<copy.array.count).map { copy.array[$0] }
                #expect(elements == copy.model, "seed \(seed), step \(step)")
            }
        }
    }
}
