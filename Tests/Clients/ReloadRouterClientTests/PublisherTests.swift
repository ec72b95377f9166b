import Basics
import TestSupport
import Testing

@testable import ReloadRouterClient

struct PublisherTests {
    private let now = WallTime(rawValue: 1_780_272_000_000)

    @Test func `a push expires the given duration from now, cut to whole milliseconds`() {
        #expect(Publisher.date(after: .seconds(2), from: now) == now + .seconds(2))
        #expect(Publisher.date(after: .microseconds(1_999), from: now) == now + .milliseconds(1))
        #expect(Publisher.date(after: .seconds(-2), from: now) == now - .seconds(2))
    }

    @Test(arguments: [
        Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999),
        Duration(secondsComponent: .max / 1_000 + 1, attosecondsComponent: 0),
        // The whole seconds fit into the number of milliseconds, but not with the rest.
        Duration(
            secondsComponent: .max / 1_000,
            attosecondsComponent: 999_000_000_000_000_000
        ),
        Duration(secondsComponent: .max / 1_000, attosecondsComponent: 0),
    ])
    func `a push with a duration beyond all dates expires at the last date`(_ duration: Duration) {
        #expect(Publisher.date(after: duration, from: now) == .lastDate)
    }

    @Test(arguments: [
        Duration(secondsComponent: .min, attosecondsComponent: 0),
        Duration(
            secondsComponent: .min / 1_000,
            attosecondsComponent: -999_000_000_000_000_000
        ),
    ])
    func `a push with a duration back beyond 1970 expires in 1970`(_ duration: Duration) {
        #expect(Publisher.date(after: duration, from: now) == .zero)
    }

    @Test(arguments: [
        (Duration.zero, Milliseconds.zero), (.milliseconds(-1_500), -.milliseconds(1_500)),
        (.nanoseconds(-999_999), .zero), (.seconds(Int64.max), .max), (.seconds(Int64.min), .min),
    ])
    func `a duration becomes its whole milliseconds`(_ duration: Duration, _ length: Milliseconds) {
        #expect(Milliseconds(duration) == length)
    }
}
