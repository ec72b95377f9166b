import Foundation
import Testing
import WidgetTimelines

/// Texts of CLDR 48, as `Intl.RelativeTimeFormat` and `Intl.NumberFormat` of Node.js 20 have them.
@Suite("Formatters that Foundation lacks on Linux")
struct FormatterTests {
    private static let styles: [(RelativeDateTimeFormatter.UnitsStyle, [String])] = [
        (
            .full,
            [
                "in 1 year", "2 months ago", "in 3 weeks", "1 day ago", "in 2 days", "1 hour ago",
                "in 2 minutes", "1 second ago",
            ]
        ),
        (
            .spellOut,
            [
                "in one year", "two months ago", "in three weeks", "one day ago", "in two days",
                "one hour ago", "in two minutes", "one second ago",
            ]
        ),
        (
            .short,
            [
                "in 1 yr.", "2 mo. ago", "in 3 wk.", "1 day ago", "in 2 days", "1 hr. ago",
                "in 2 min.", "1 sec. ago",
            ]
        ),
        (
            .abbreviated,
            ["in 1y", "2mo ago", "in 3w", "1d ago", "in 2d", "1h ago", "in 2m", "1s ago"]
        ),
    ]

    @Test(arguments: styles)
    func `Distances have units and plurals`(
        _ style: RelativeDateTimeFormatter.UnitsStyle,
        _ texts: [String]
    ) {
        let formatter = RelativeDateTimeFormatter()
        formatter.unitsStyle = style
        let day = 86_400.0
        let intervals = [365 * day, -60 * day, 21 * day, -day, 2 * day, -3_600, 120, -1]
        #expect(intervals.map(formatter.localizedString(fromTimeInterval:)) == texts)
    }

    @Test(arguments: [
        (RelativeDateTimeFormatter.UnitsStyle.full, ["last year", "this month", "next week"]),
        (.short, ["last yr.", "this mo.", "next wk."]),
        (.abbreviated, ["last yr.", "this mo.", "next wk."]),
    ])
    func `Near dates are named`(_ style: RelativeDateTimeFormatter.UnitsStyle, _ texts: [String]) {
        let formatter = RelativeDateTimeFormatter()
        formatter.unitsStyle = style
        formatter.dateTimeStyle = .named
        func text(_ components: DateComponents) -> String {
            formatter.localizedString(from: components)
        }
        #expect(
            [
                text(DateComponents(year: -1)), text(DateComponents(month: 0)),
                text(DateComponents(weekOfMonth: 1)),
            ] == texts
        )
        let days = (-1...1).map { text(DateComponents(day: $0)) }
        #expect(days == ["yesterday", "today", "tomorrow"])
        #expect(text(DateComponents(hour: 0)) == "this hour")
        #expect(text(DateComponents(minute: 0)) == "this minute")
        #expect(formatter.localizedString(fromTimeInterval: 0) == "now")
        #expect(text(DateComponents(hour: -1)).hasSuffix(" ago"))
        formatter.formattingContext = .beginningOfSentence
        #expect(text(DateComponents(day: -1)) == "Yesterday")
    }

    @Test func `The distance of two dates is that of the calendar`() throws {
        let formatter = RelativeDateTimeFormatter()
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        formatter.calendar = calendar
        let start = Date(timeIntervalSince1970: 1_769_904_000)  // 2026-02-01
        func text(days: Double) -> String {
            let date = start.addingTimeInterval(days * 86_400)
            return formatter.localizedString(for: date, relativeTo: start)
        }
        #expect(text(days: 28) == "in 1 month")
        #expect(text(days: 27) == "in 3 weeks")
        #expect(text(days: -31) == "1 month ago")
        #expect(text(days: -30) == "4 weeks ago")
    }

    @Test(arguments: [
        (DateComponentsFormatter.UnitsStyle.positional, "1:02:05", "1:05", "5"),
        (.abbreviated, "1h 2m 5s", "1m 5s", "5s"),
        (.short, "1 hr, 2 min, 5 sec", "1 min, 5 sec", "5 sec"),
        (.full, "1 hour, 2 minutes, 5 seconds", "1 minute, 5 seconds", "5 seconds"),
        (
            .spellOut, "one hour, two minutes, five seconds", "one minute, five seconds",
            "five seconds"
        ),
        (.brief, "1hr 2min 5sec", "1min 5sec", "5sec"),
    ])
    func `Lengths of time have all styles`(
        _ style: DateComponentsFormatter.UnitsStyle,
        _ hour: String,
        _ minute: String,
        _ second: String
    ) {
        let formatter = DateComponentsFormatter()
        formatter.unitsStyle = style
        #expect(formatter.string(from: 3_725) == hour)
        #expect(formatter.string(from: 65) == minute)
        #expect(formatter.string(from: 5) == second)
        #expect(formatter.string(from: -65) == "-" + minute)
    }

    /// The example of Apple's page on `pad`: one hour, with days to seconds.
    @Test func `Zeros are dropped or kept as asked`() {
        let formatter = DateComponentsFormatter()
        formatter.allowedUnits = [.day, .hour, .minute, .second]
        formatter.zeroFormattingBehavior = .pad
        #expect(formatter.string(from: 3_600) == "0d 1:00:00")
        formatter.unitsStyle = .abbreviated
        #expect(formatter.string(from: 3_600) == "0d 1h 0m 0s")
        formatter.zeroFormattingBehavior = .default
        #expect(formatter.string(from: 3_600) == "1h")
        #expect(formatter.string(from: 0) == "0s")
        formatter.zeroFormattingBehavior = .dropLeading
        #expect(formatter.string(from: 3_601) == "1h 0m 1s")
        formatter.zeroFormattingBehavior = .dropMiddle
        #expect(formatter.string(from: 3_601) == "0d 1h 1s")
        formatter.zeroFormattingBehavior = .dropTrailing
        #expect(formatter.string(from: 3_600) == "0d 1h")
        formatter.zeroFormattingBehavior = .dropAll
        formatter.maximumUnitCount = 1
        formatter.includesApproximationPhrase = true
        formatter.includesTimeRemainingPhrase = true
        formatter.unitsStyle = .full
        #expect(formatter.string(from: 3_700) == "About 1 hour remaining")
    }

    @Test func `Weeks are written only if they are allowed`() {
        let formatter = DateComponentsFormatter()
        formatter.unitsStyle = .short
        #expect(formatter.string(from: 15 * 86_400) == "15 days")
        formatter.allowedUnits = [.weekOfMonth, .day]
        #expect(formatter.string(from: 15 * 86_400) == "2 wks, 1 day")
        let text = DateComponentsFormatter.localizedString(
            from: DateComponents(month: 1, minute: 7),
            unitsStyle: .full
        )
        #expect(text == "1 month, 7 minutes")
        #expect(formatter.string(from: DateComponents(hour: 1)) == nil)
    }
}
