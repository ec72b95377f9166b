import Foundation
import Testing
import WidgetTimelines

@testable import ExampleWidgets

@Suite struct StockWidgetsTests {
    private let kex: [(name: String, value: ParameterValue)] = [("symbol", .text("KEX"))]

    /// A time in New York, in the last week of January 2027.
    private func date(_ day: Int, _ hour: Int, _ minute: Int = 0) throws -> Date {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "America/New_York"))
        let parts = DateComponents(year: 2_027, month: 1, day: day, hour: hour, minute: minute)
        return try #require(calendar.date(from: parts))
    }

    @Test func `There is trading on weekdays, and not at night`() throws {
        #expect(MarketHours.isOpen(at: try date(25, 9, 30)))
        #expect(MarketHours.isOpen(at: try date(29, 15, 59)))
        #expect(!MarketHours.isOpen(at: try date(25, 9, 29)))
        #expect(!MarketHours.isOpen(at: try date(25, 16)))
        #expect(!MarketHours.isOpen(at: try date(30, 12)))
        #expect(MarketHours.opening(after: try date(25, 8)) == (try date(25, 9, 30)))
        #expect(MarketHours.opening(after: try date(25, 9, 30)) == (try date(26, 9, 30)))
        #expect(MarketHours.closing(after: try date(25, 12)) == (try date(25, 16)))
    }

    @Test func `From Friday's closing until Monday's opening no price is asked for`() throws {
        let friday = try date(22, 16, 1)
        let timeline = QuoteProvider(placeholderText: "").timeline(
            "KEX",
            quote: Quote(price: 1, change: nil),
            now: friday
        )
        let monday = try date(25, 9, 30)
        #expect(timeline.policy == .after(monday))
        #expect(timeline.entries[0].opening == monday)
        let open = try date(22, 12)
        let during = QuoteProvider(placeholderText: "").timeline(
            "KEX",
            quote: Quote(price: 1, change: nil),
            now: open
        )
        #expect(during.policy == .after(open + 900))
        #expect(during.entries[0].opening == nil)
    }

    @Test func `Clocks that are put forward do not move the opening`() throws {
        // Summer time begins on March 14, 2027 in New York.
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "America/New_York"))
        let parts = DateComponents(year: 2_027, month: 3, day: 13, hour: 12)
        let saturday = try #require(calendar.date(from: parts))
        let opening = MarketHours.opening(after: saturday)
        let found = calendar.dateComponents([.month, .day, .hour, .minute], from: opening)
        #expect([found.month, found.day, found.hour, found.minute] == [3, 15, 9, 30])
    }

    @Test func `A quote has its change`() async throws {
        let origin = FakeOrigin(["/symbol/KEX": #"{"price":1187.1,"change":-1.225}"#])
        let played = try await Played.timeline(.stocks, "quote", kex, origin)
        #expect(played.entries[0][0...1] == ["KEX", "1187.10 -1.22"])
        #expect(Quote(price: 5, change: 0.5).changeText == "+0.50")
    }

    @Test func `A complication observes the price that the push brought`() async throws {
        let origin = FakeOrigin()
        let played = try await Played.timeline(
            .stocks,
            "complication",
            kex,
            origin,
            pushed: #"{"price":5,"change":1}"#
        )
        #expect(played.entries == [["KEX", "5.00"]])
        #expect(origin.paths.isEmpty)
    }

    @Test func `A watchlist has as many symbols as there is room for`() async throws {
        let names = (0..<12).map { "S\($0)" }
        let origin = FakeOrigin(["/symbol/S1": #"{"price":5}"#])
        let symbols: [(name: String, value: ParameterValue)] = [
            ("symbols", .list(names.map { .text($0) })), ("big", .boolean(false)),
        ]
        for (family, count) in [(WidgetFamily.accessoryRectangular, 3), (.systemLarge, 8)] {
            let played = try await Played.timeline(
                .stocks,
                "watchlist",
                symbols,
                origin,
                family: family
            )
            #expect(played.entries[0].count == count)
            #expect(played.entries[0][0...1] == ["S0 –", "S1 5.00"])
            #expect(played.after == 300)
        }
    }

    @Test func `A lot waits for trades`() async throws {
        let played = try await Played.timeline(
            .stocks,
            "lot",
            [("lot", .integer(250))],
            FakeOrigin(["/lot/250": #"{"price":7,"change":0}"#])
        )
        #expect(played.entries == [["Lots of 250", "7.00 +0.00"]])
        #expect(played.policy == .never)
    }

    @Test func `The market opens and closes without being asked`() throws {
        let provider = MarketProvider()
        let night = try date(25, 20)
        let closed = provider.timeline(MarketIndex(index: 1), now: night)
        #expect(closed.entries.map(\.isOpen) == [false, true])
        #expect(closed.entries[1].date == (try date(26, 9, 30)))
        #expect(closed.policy == .after(try date(26, 9, 30)))
        let noon = try date(26, 12)
        let open = provider.timeline(MarketIndex(index: 1), now: noon)
        #expect(open.entries.map(\.isOpen) == [true, false])
        #expect(open.policy == .after(noon + 900))
        #expect(
            MarketView(entry: open.entries[0]).viewContent.lines(at: noon)
                == ["Market open", "1.00", "Closes in 4 hr"]
        )
    }
}
