import Foundation
import Testing
import WidgetTimelines

@testable import WidgetFleet

@Suite struct TextLineTests {
    private let date = Date(timeIntervalSince1970: 1_800_000_000)
    private var calendar: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: "UTC")!
        return calendar
    }

    private func lines(_ view: some View, shift: TimeInterval = 0) -> [TextLine] {
        TextLine.lines(of: view.viewContent, calendar: calendar, shift: shift)
    }

    @Test func `A column has the lines of its views, a row is as high as its highest view`() {
        let view = VStack {
            Text("top")
            HStack {
                VStack {
                    Text("a")
                    Text("b")
                }
                Text("in \(date, style: .timer)")
            }
            EmptyView()
        }
        #expect(
            lines(view) == [
                TextLine([.text("top")]),
                TextLine([.text("a in "), .date(1_800_000_000_000, .timer)]),
                TextLine([.text("b")]),
            ]
        )
    }

    @Test func `Dates that tick stay dates, others are text`() {
        let view = Text(
            """
            \(date, style: .relative)|\(date, style: .offset)|\(date, style: .date)|\
            \(date, style: .time)|\(date...date)
            """
        )
        #expect(
            lines(view) == [
                TextLine([
                    .date(1_800_000_000_000, .relative), .text("|"),
                    .date(1_800_000_000_000, .offset),
                    .text("|January 15, 2027|8:00AM|8:00AM-8:00AM"),
                ])
            ]
        )
    }

    @Test func `A device whose clock is ahead sees dates as late as its clock is`() {
        let shifted = lines(Text(date, style: .timer), shift: 60)
        #expect(shifted == [TextLine([.date(1_800_000_060_000, .timer)])])
        #expect(
            lines(Text(.distantFuture, style: .timer), shift: 1e300)
                == [TextLine([.date(253_402_300_799_000, .timer)])]
        )
    }

    @Test func `A line has the colour of its view, and a row that of its cells if it is one`() {
        let view = VStack {
            Text("a").foregroundStyle(.red)
            HStack {
                Image(systemName: "star")
                ProgressView(value: 0.4)
            }
            .foregroundColor(.blue)
            HStack {
                Text("b").foregroundStyle(.red)
                Text("c").foregroundStyle(Color(red: 1, green: 0, blue: 0, opacity: 0.5))
            }
        }
        .containerBackground(.mint, for: .widget)
        #expect(
            lines(view) == [
                TextLine([.text("a")], color: "red"),
                TextLine([.text("[star] 40 %")], color: "blue"), TextLine([.text("b c")]),
            ]
        )
        #expect(view.viewContent.background == "mint")
        let half = Text("c").foregroundStyle(Color(red: 1, green: 0, blue: 0, opacity: 0.5))
        #expect(lines(half)[0].color == "#FF0000/50")
    }

    @Test func `A line has the names in JSON that the page reads`() throws {
        let line = TextLine([.text("in "), .date(5, .relative)])
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let json = try encoder.encode(line)
        #expect(
            String(decoding: json, as: UTF8.self)
                == #"{"parts":[{"text":"in "},{"date":5,"style":"relative"}]}"#
        )
    }

    @Test func `The table of date texts says what Swift writes`() throws {
        let cases = try DateCase.all()
        #expect(cases.count > 200)
        for example in cases {
            #expect(DateCase.written(example.milliseconds, example.style) == example.text)
        }
    }
}
