import Basics
import CommandSupport
import Testing

struct WallDateTests {
    @Test(
        arguments: [
            ("2026-11-21T12:04:12Z", 1_795_262_652_000), ("2026-11-21T12:04Z", 1_795_262_640_000),
            ("2026-11-21T12:04:12.5Z", 1_795_262_652_500),
            ("2026-11-21T13:34:12.007+01:30", 1_795_262_652_007),
            ("2026-11-20T23:04:12-13:00", 1_795_262_652_000),
            ("2028-02-29T00:00:00Z", 1_835_395_200_000), ("1971-01-01T00:00Z", 31_536_000_000),
            ("1795262652007", 1_795_262_652_007),
        ] as [(String, Int64)]
    )
    func `a date is read in each of its forms`(_ text: String, _ milliseconds: Int64) {
        #expect(WallDate(text)?.moment == WallTime(rawValue: milliseconds))
    }

    @Test(arguments: [
        "", "2026-11-21", "2026-11-21T12:04:12", "2026-11-31T12:04:12Z", "2027-02-29T00:00Z",
        "2026-11-21T24:00Z", "2026-11-21T12:60Z", "2026-11-21T12:04:60Z", "2026-11-21T12:04:12.Z",
        "2026-11-21T12:04:12.0001Z", "2026-11-21T12:04:12+24:00", "1970-12-31T23:59:59Z",
        "31535999999", "9999-01-01T00:00Z", "-1",
    ])
    func `a text that is no date, or a date out of range, is refused`(_ text: String) {
        #expect(WallDate(text) == nil)
    }

    @Test func `a date is written in UTC, to the second`() {
        let date = WallDate(WallTime(rawValue: 1_795_262_652_999))
        #expect(date.text == "2026-11-21T12:04:12Z")
        #expect(date.day == "2026-11-21" && date.time == "12:04:12Z")
        #expect(WallDate(date.text)?.moment == date.moment - .milliseconds(999))
        #expect(WallDate(WallTime.zero).text == "1970-01-01T00:00:00Z")
        #expect(WallDate.now.moment.offsetInSecond == .zero)
    }

    @Test func `the latest date is the last second of a router's slots`() {
        #expect(WallDate(WallDate.latest.text) == WallDate.latest)
        #expect(WallDate("\(WallDate.latest.moment + .milliseconds(1))") == nil)
    }
}
