import Basics
import Testing

struct MisreadingTests {
    /// A day of 2026.
    private static let now = WallTime(rawValue: 1_795_945_299_000)

    @Test(
        arguments: [
            (1_795_948_899, "seconds since 1970"),
            (817_641_699, "seconds since 2001"),
            (817_641_699_000, "milliseconds since 2001"),
            (1_795_948_899_123_456, "microseconds since 1970"),
            (817_641_699_123_456, "microseconds since 2001"),
            (1_795_948_899_123_456_789, "nanoseconds since 1970"),
            (817_641_699_123_456_789, "nanoseconds since 2001"),
            (639_315_456_990_000_000, "units of 100 ns since year 1"),
            (134_404_224_990_000_000, "units of 100 ns since 1601"),
            (0, "a length of time"), (900, "a length of time"), (3_600_000, "a length of time"),
            (31_536_000_000, "a length of time"), (946_684_799_999, "milliseconds since 2001"),
            (978_307_199_999, "milliseconds since 2001"), (330_000_000_000, "a date before 2001"),
            (253_402_300_800_000, "a date after the year 9999"),
            (8_640_000_000_000_000, "a date after the year 9999"),
            (9_007_199_254_740_991, "a date after the year 9999"),
            (9_223_372_036_854_775_807, "a date after the year 9999"),
            (.max, "a date after the year 9999"),
        ] as [(UInt64, String)]
    )
    func `a date in another unit is recognized`(number: UInt64, unit: String) {
        #expect(WallTime.misreading(of: number, now: Self.now) == unit)
    }

    @Test(
        arguments: [
            1_795_948_899_000, 1_795_945_299_000 - 3_600_000, 978_307_200_000, 1_000_000_000_000,
            4_102_444_800_000, 64_092_211_200_000, 253_402_300_799_999,
        ] as [UInt64]
    )
    func `a date from 2001 to 9999 is a date`(
        number: UInt64
    ) {
        #expect(WallTime.misreading(of: number, now: Self.now) == nil)
    }

    @Test func `a clock that has not been set judges nothing`() {
        for number in [0, 900, 1_795_948_899, 1_795_948_899_123_456] as [UInt64] {
            #expect(WallTime.misreading(of: number, now: WallTime(rawValue: 60_000)) == nil)
        }
    }
}
