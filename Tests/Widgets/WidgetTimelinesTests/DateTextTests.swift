import Testing
import WidgetTimelines

@Suite("A date in a widget")
struct DateTextTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func text(_ seconds: Double, _ style: Text.DateStyle) -> String {
        Text(now + seconds, style: style).viewContent.lines(at: now)[0]
    }

    @Test(
        "is so far away, in its two largest units, before and after it",
        arguments: [
            (0, "0 sec"), (1, "1 sec"), (59, "59 sec"), (60, "1 min"), (61, "1 min, 1 sec"),
            (674, "11 min, 14 sec"), (3_600, "1 hr"), (3_659, "1 hr"), (7_380, "2 hr, 3 min"),
            (86_400, "1 day"), (180_000, "2 days, 2 hr"), (691_200, "1 wk, 1 day"),
            (2_592_000 * 2 + 604_800, "2 mths, 1 wk"), (31_536_000, "1 yr"),
        ] as [(Double, String)]
    )
    func relative(seconds: Double, text: String) {
        #expect(self.text(seconds, .relative) == text)
        #expect(self.text(-seconds, .relative) == text)
    }

    @Test(
        "has a minus if it is to come and a plus if it is over, in its largest unit",
        arguments: [
            (674, "-11 minutes"), (-674, "+11 minutes"), (60, "-1 minute"), (-1, "+1 second"),
            (0, "+0 seconds"), (7_199, "-1 hour"), (-172_800, "+2 days"), (604_800, "-1 week"),
        ] as [(Double, String)]
    )
    func offset(seconds: Double, text: String) {
        #expect(self.text(seconds, .offset) == text)
    }

    @Test(
        "counts down, and then up",
        arguments: [
            (900, "15:00"), (899.2, "15:00"), (899, "14:59"), (9, "0:09"), (0, "0:00"),
            (-0.4, "0:00"), (-9, "0:09"), (-3_600, "1:00:00"), (36_061, "10:01:01"),
        ] as [(Double, String)]
    )
    func timer(seconds: Double, text: String) {
        #expect(self.text(seconds, .timer) == text)
    }

    @Test("ticks while time goes by, unless it is a day, a time or an interval")
    func ticking() {
        #expect(Text(now, style: .timer).viewContent.isTicking)
        #expect(
            VStack {
                HStack {
                    Text("a")
                    Text("in \(now, style: .relative)")
                }
            }.viewContent.isTicking
        )
        #expect(!Text("\(now, style: .date) \(now, style: .time)").viewContent.isTicking)
        #expect(!Text(now...now).viewContent.isTicking)
    }

    @Test(
        "is displayed as the nearest one up to the year 9999 if it is beyond it, even endless",
        arguments: [
            (.infinity, "9999"), (-.infinity, "1"), (.nan, "1970"), (1e300, "9999"), (-1e300, "1"),
            (1e13, "9999"), (-1e13, "1"), (253_402_300_799, "9999"), (253_370_764_800, "9999"),
        ] as [(Double, String)]
    )
    func absurdDates(seconds: Double, year: String) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: "UTC")!
        let date = Date(timeIntervalSince1970: seconds)
        let styles: [Text.DateStyle] = [.relative, .offset, .timer, .date, .time]
        for style in styles {
            let line = Text(date, style: style).viewContent.lines(at: now, calendar: calendar)[0]
            #expect(!line.isEmpty)
            if style == .date { #expect(line.hasSuffix(", \(year)"), "\(line)") }
        }
        let (earlier, later) = date < now ? (date, now) : (now, date)
        if !seconds.isNaN {
            let line = Text(earlier...later).viewContent.lines(at: now, calendar: calendar)[0]
            #expect(line.contains(", \(year), "), "\(line)")
        }
        let atDate = Text(now, style: .timer).viewContent.lines(at: date, calendar: calendar)
        #expect(atDate.count == 1)
    }

    @Test("is formatted in the device's time zone")
    func zones() {
        var calendar = Calendar(identifier: .gregorian)
        let midnight = Date(timeIntervalSince1970: 1_798_761_600)
        func lines(_ zone: String) -> [String] {
            calendar.timeZone = TimeZone(identifier: zone)!
            let view = VStack {
                Text(midnight, style: .date)
                Text(midnight, style: .time)
                Text(midnight - 3_600...midnight)
            }
            return view.viewContent.lines(at: now, calendar: calendar)
        }
        #expect(
            lines("UTC")
                == [
                    "January 1, 2027", "12:00AM",
                    "December 31, 2026, 11:00PM-January 1, 2027, 12:00AM",
                ]
        )
        #expect(lines("Asia/Tokyo") == ["January 1, 2027", "9:00AM", "8:00AM-9:00AM"])
        #expect(lines("America/New_York") == ["December 31, 2026", "7:00PM", "6:00PM-7:00PM"])
    }
}
