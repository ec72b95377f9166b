import Basics
import Testing

@testable import ChangeDetection

@Suite("The order of updates")
struct UpdateOrderTests {
    private func order(_ text: String) -> UpdateOrder {
        Array(text.utf8).withByteView { UpdateOrder($0) }
    }

    @Test(
        "knows which is older",
        arguments: [
            ("1", "2"), ("-2", "-1"), ("9007199254740992", "9007199254740993"),
            ("9223372036854775806", "9223372036854775807"), ("1.5", "2"), ("1", "1.5"),
            ("1e3", "1001"), ("9223372036854775807", "1e30"),
            (#""2026-11-29T12:00:00Z""#, #""2026-11-29T12:00:01Z""#),
            (#""2026-11-29T12:00:00.1Z""#, #""2026-11-29T12:00:00.100000001Z""#),
            (#""2026-11-29t12:00:00+01:00""#, #""2026-11-29 12:00:00z""#),
            (#""2026-11-29T12:00Z""#, #""2026-11-29T12:00:00.5-00:00""#),
            (#""2026-06-30T23:59:60Z""#, #""2026-07-01T00:00:01Z""#),
            (#""1700-01-01T00:00:00Z""#, #""2200-12-31T23:59:59Z""#),
            (#""2026-02-28T23:59:59Z""#, #""2026-03-01T00:00:00Z""#),
        ]
    )
    func older(older: String, newer: String) {
        #expect(order(older).isOlder(than: order(newer)))
        #expect(!order(newer).isOlder(than: order(older)))
        #expect(!order(older).isOlder(than: order(older)))
    }

    @Test(
        "takes neither of two for older that are equal, or cannot be compared",
        arguments: [
            ("1", "1.0"), ("1", #""2026-11-29T12:00:00Z""#), ("1", #""1""#), ("1", "null"),
            ("0.1234567890123456", "0.1234567890123457"),
            (#""2026-11-29T12:00:00Z""#, #""2026-11-29T13:00:00+01:00""#),
        ]
    )
    func neither(one: String, other: String) {
        #expect(!order(one).isOlder(than: order(other)))
        #expect(!order(other).isOlder(than: order(one)))
    }

    @Test(
        "takes for no date what is none",
        arguments: [
            "2026-11-29", "2026-11-29T12:00:00", "2026-11-29T12:00:00Zx", "2026-02-30T12:00:00Z",
            "2026-04-31T12:00:00Z", "2025-02-29T12:00:00Z", "2026-13-01T12:00:00Z",
            "1699-12-31T23:59:59Z", "2201-01-01T00:00:00Z", "2026-11-29T24:00:00Z",
            "2026-11-29T12:00:61Z", "2026-11-29T12:00:00.Z", "2026-11-29T12:00:00+24:00", "",
        ]
    )
    func noDate(text: String) {
        #expect(order(#""\#(text)""#).isNone)
    }
}
