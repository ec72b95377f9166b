import Basics
import Testing

@testable import ReloadRouterClient

@Suite("The dates of a timeline that a client reports")
struct TimelineDatesTests {
    private let now = WallTime(rawValue: 1_795_945_299_000)

    private func refusal(_ entries: [Int64], policy: ReloadPolicy = .never) -> ClientError? {
        do throws(ClientError) {
            try DeviceBodies.requireDates(entries, policy: policy, now: now)
            return nil
        } catch {
            return error
        }
    }

    @Test func `Dates in milliseconds since 1970 are sent`() {
        #expect(refusal([]) == nil)
        #expect(refusal([978_307_200_000, now.rawValue], policy: .after(now.rawValue)) == nil)
        #expect(refusal([253_402_300_799_999], policy: .atEnd) == nil)
    }

    @Test(
        "Dates in another unit are refused by its name",
        arguments: [
            (1_795_945_299, "seconds since 1970"), (817_638_099, "seconds since 2001"),
            (1_795_945_299_000_000, "microseconds since 1970"), (0, "a length of time"),
            (-1, "a length of time"),
        ] as [(Int64, String)]
    )
    func otherUnits(date: Int64, unit: String) {
        let error = ClientError.bodyInvalid(
            "the date \(date) looks like \(unit); send milliseconds since 1970"
        )
        #expect(refusal([now.rawValue, date]) == error)
        #expect(refusal([], policy: .after(date)) == error)
    }
}
