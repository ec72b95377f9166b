import Foundation
import Testing
import WidgetTimelines

@testable import ExampleWidgets

@Suite struct NewsWidgetsTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func topics(_ names: [String]) -> [(name: String, value: ParameterValue)] {
        [("topics", .list(names.map { .text($0) }))]
    }

    @Test func `Each topic has its rotation`() async throws {
        let published = (Date.now - 24.5 * 86_400).timeIntervalSince1970 * 1_000
        let origin = FakeOrigin([
            "/topic/chess": #"{"headline":"A draw","publishedAt":\#(published)}"#,
            "/topic/health": #"{"story":910001}"#,
        ])
        let played = try await Played.timeline(.news, "topic", topics(["chess", "health"]), origin)
        #expect(
            played.entries == [
                ["chess", "A draw", "3 wks, 3 days ago"], ["health", "Story 910001"],
            ]
        )
        #expect(played.dates == [0, 600])
        #expect(played.after == 1_800)
        #expect(origin.paths == ["/topic/chess", "/topic/health"])
    }

    @Test func `Of several topics those that there are are shown`() async throws {
        let origin = FakeOrigin(["/topic/b": #"{"headline":"news"}"#])
        let names = ["a", "b", "c", "d", "e", "f", "g"]
        let played = try await Played.timeline(.news, "topic", topics(names), origin)
        #expect(played.entries.count == TopicProvider.topicLimit)
        #expect(played.entries[0] == ["a", "–"])
        #expect(played.entries[1] == ["b", "news"])
        #expect(played.after == 300)
    }

    @Test func `Before a match there is a countdown`() {
        let kickoff = now + 900
        let team = Team(kickoffAt: kickoff.timeIntervalSince1970 * 1_000)
        let timeline = TeamProvider().timeline("team-7", team: team, now: now)
        #expect(timeline.policy == .after(kickoff))
        #expect(timeline.entries.map(\.date) == [now, kickoff])
        let lines = timeline.entries.map { TeamView(entry: $0).viewContent.lines(at: $0.date) }
        #expect(lines[0].last == "15:00")
        #expect(lines[1] == ["team-7", "0 : 0"])
    }

    @Test func `While a match is played there is the score, and goals are pushed`() async throws {
        let played = try await Played.timeline(
            .news,
            "team",
            [("team", .text("team-7"))],
            FakeOrigin(["/team/team-7": #"{"goals":2,"against":1,"kickoffAt":5}"#])
        )
        #expect(played.entries == [["team-7", "2 : 1"]])
        #expect(played.policy == .never)
    }

    @Test func `The front page is asked for again in half an hour`() async throws {
        let body = #"{"headline":"Peace","publishedAt":1800000000000}"#
        let played = try await Played.timeline(
            .news,
            "headlines",
            [],
            FakeOrigin(["/headlines/front": body])
        )
        #expect(played.entries == [["Daily News", "Peace", "Since 8:00AM"]])
        #expect(played.after == 1_800)
    }
}
