import Testing
import WidgetTimelines

/// The documents that the project grew from, word for word in `Documents`, with Apple's imports.
///
/// One of them has a misprint: it calls `Calendar.current` itself where it means `date(from:)`.
@Suite("Widget code of the documents")
struct DocumentTests {
    private let context = TimelineProviderContext(family: .systemSmall, isPreview: false)

    @Test("makes entries ten seconds apart, and wants to be asked again at their end")
    func weather() throws {
        var timeline: Timeline<WeatherWidgetEntry>?
        WeatherWidgetProvider().getTimeline(in: context) { timeline = $0 }
        let entries = try #require(timeline).entries
        #expect(entries.map(\.temperature) == ["30°", "30°", "31°", "32°", "33°", "34°"])
        for (first, second) in zip(entries.dropFirst(), entries.dropFirst(2)) {
            #expect(abs(second.date.timeIntervalSince(first.date) - 10) < 0.1)
        }
        #expect(timeline?.policy == .atEnd)
    }

    @Test("is declared, and shown, as it says")
    func declaration() {
        let declaration = WeatherWidgetSmp.declarations[0]
        #expect(declaration.kind == "WeatherWidget")
        #expect(declaration.families == WidgetFamily.allCases)
        let entry = declaration.provider.placeholder(in: context)
        #expect(entry.render().lines(at: Date()) == ["20°", "☀️"])
    }

    @Test("asks for a reload of everything while it makes a timeline")
    func count() throws {
        let center = SimulatedCenter()
        var timeline: Timeline<CountWidget.SimpleEntry>?
        WidgetCenter.run(on: center) {
            CountWidget.Provider().getTimeline(in: context) { timeline = $0 }
        }
        #expect(center.reloads == ["*"])
        let entries = try #require(timeline).entries
        #expect(entries.map(\.text) == [0, 3, 5, 7, 9].map { "count:\($0)" })
        let last = entries[4].date.timeIntervalSince(entries[0].date)
        #expect(abs(last - 9 * 60) < 0.001)
    }

    @Test("has entries a minute apart, for ever")
    func todo() throws {
        var timeline: Timeline<TodoWidget.SimpleEntry>?
        TodoWidget.Provider().getTimeline(in: context) { timeline = $0 }
        let entries = try #require(timeline).entries
        #expect(entries.count == 3 && timeline?.policy == .atEnd)
        #expect(abs(entries[2].date.timeIntervalSince(entries[0].date) - 120) < 0.001)
    }

    // MARK: - The center

    private func widget(_ id: String, _ character: String?) -> WidgetInfo {
        WidgetInfo(
            kind: "com.mygame.\(id)",
            family: .systemSmall,
            name: id,
            configuration: .intent(SelectCharacterIntent(character: character))
        )
    }

    @Test("reloads the kind whose widget shows the character that received a potion")
    func potion() {
        let center = SimulatedCenter([widget("list", nil), widget("detail", "elf-42")])
        WidgetCenter.run(on: center) {
            Potion.received(by: "elf-42")
            Potion.received(by: "orc-7")
        }
        #expect(center.reloads == ["com.mygame.detail"])
    }

    @Test("reloads a kind, and everything, when it says so")
    func reloads() {
        let center = SimulatedCenter()
        WidgetCenter.run(on: center) {
            Potion.reloadDetail()
            Potion.signedOut()
        }
        #expect(center.reloads == ["com.mygame.character-detail", "*"])
    }

    @Test("reaches only the device that runs it, and none where there is no device")
    func devices() async throws {
        let first = SimulatedCenter([widget("detail", "elf-42")])
        let second = SimulatedCenter()
        WidgetCenter.run(on: first) {
            WidgetCenter.run(on: second) { Potion.signedOut() }
        }
        Potion.signedOut()
        #expect(first.reloads.isEmpty && second.reloads == ["*"])
        let found = await WidgetCenter.run(on: first) {
            (try? await WidgetCenter.shared.currentConfigurations())?.map(\.kind)
        }
        #expect(found == ["com.mygame.detail"])
        #expect(try await WidgetCenter.shared.currentConfigurations().isEmpty)
    }

    // MARK: - Dates

    @Test("shows dates as the documents print them")
    func dates() throws {
        // At the moment when the document has made its date, so long before that.
        func lines(_ view: some View, before seconds: Double = 0) throws -> [String] {
            let content = view.viewContent
            return content.lines(at: try #require(content.firstDate) - seconds)
        }
        let eleven = try lines(DynamicDates.relativeAndOffset, before: 11 * 60 + 14)
        #expect(eleven == ["11 min, 14 sec", "-11 minutes"])
        #expect(try lines(DynamicDates.timer, before: 15 * 60) == ["15:00"])
        let absolute = try lines(DynamicDates.absolute)
        #expect(absolute == ["April 1, 2020", "Date: April 1, 2020", "Time: 9:41AM"])
        let interval = try lines(DynamicDates.interval)
        #expect(interval == ["9:30AM-2:45PM", "The meeting will take place: 9:30AM-2:45PM"])
    }
}

extension ViewContent {
    /// The first date in it.
    fileprivate var firstDate: Date? {
        switch self {
        case .group(let views), .stack(_, let views):
            return views.lazy.compactMap(\.firstDate).first
        case .noted(let view, _): return view.firstDate
        case .fitting(let views, _): return views.lazy.compactMap(\.firstDate).first
        case .sized(let views): return views.usual.firstDate
        case .image, .symbol, .progress, .area, .spacer, .divider: return nil
        case .text(let parts):
            for part in parts {
                switch part {
                case .literal, .symbol, .run: continue
                case .date(let date, _): return date
                case .interval(let dates), .clock(let dates, _, _): return dates.lowerBound
                }
            }
            return nil
        }
    }
}
