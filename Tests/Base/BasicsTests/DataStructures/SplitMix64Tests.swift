import Basics
import Testing

@Suite("SplitMix64")
struct SplitMix64Tests {
    @Test("gives the numbers of the reference in C")
    func reference() {
        var random = SplitMix64(seed: 1_234_567)
        let numbers = (0..<5).map { _ in random.next() }
        #expect(
            numbers == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
                4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
            ]
        )
    }

    @Test("stays below a bound, and reaches what is below it")
    func below() {
        var random = SplitMix64(seed: 1)
        var counts = [0, 0, 0]
        for _ in 0..<3_000 { counts[random.below(3)] += 1 }
        #expect(counts.allSatisfy { $0 > 900 })
        #expect(SplitMix64.scaled(.max, below: 10) == 9 && SplitMix64.scaled(0, below: 10) == 0)
    }
}
