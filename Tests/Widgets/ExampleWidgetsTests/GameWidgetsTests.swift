import Foundation
import Testing
import WidgetTimelines

@testable import ExampleWidgets

@Suite struct GameWidgetsTests {
    private let elf: [(name: String, value: ParameterValue)] = [("character", .text("elf-42"))]
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test func `A character regains a quarter an hour, then it is time to ask again`() async throws
    {
        let origin = FakeOrigin(["/character/elf-42": #"{"character":"elf-42","hp":25,"level":7}"#])
        let played = try await Played.timeline(.game, "character-detail", elf, origin)
        #expect(played.dates == [0, 3_600, 7_200, 10_800])
        #expect(
            played.entries == [
                ["elf-42", "25 % level 7", "Full in 3 hr"],
                ["elf-42", "50 % level 7", "Full in 2 hr"],
                ["elf-42", "75 % level 7", "Full in 1 hr"],
                ["elf-42", "100 % level 7"],
            ]
        )
        #expect(played.policy == .atEnd)
        #expect(origin.paths == ["/character/elf-42"])
    }

    @Test(arguments: [(100, 1), (180, 1), (99, 2), (75, 2), (74, 3), (0, 5), (-9, 5)])
    func `Entries end when it has healed`(health: Int, count: Int) {
        let character = GameCharacter(hp: health)
        let timeline = CharacterProvider().timeline("elf", character: character, now: now)
        #expect(timeline.entries.count == count)
        #expect(timeline.entries.last?.health == 100)
        #expect(timeline.policy == (count == 1 ? .never : .atEnd))
        #expect(timeline.entries.dropLast().allSatisfy { $0.full == timeline.entries.last?.date })
    }

    @Test func `The outcome of a dragon's attack is not known before`() {
        let dragon = now + 7_200
        let character = GameCharacter(hp: 10, dragonAt: dragon.timeIntervalSince1970 * 1_000)
        let timeline = CharacterProvider().timeline("elf", character: character, now: now)
        #expect(timeline.entries.map(\.health) == [10, 35])
        #expect(timeline.policy == .after(dragon))
        let past = GameCharacter(hp: 100, dragonAt: 1)
        #expect(CharacterProvider().timeline("elf", character: past, now: now).policy == .never)
    }

    @Test func `What a push brought along is shown without asking`() async throws {
        let origin = FakeOrigin()
        let played = try await Played.timeline(
            .game,
            "character-detail",
            elf,
            origin,
            pushed: #"{"hp":100,"amount":3}"#
        )
        #expect(played.entries == [["elf-42", "100 %"]])
        #expect(origin.paths.isEmpty)
        _ = try await Played.timeline(
            .game,
            "character-detail",
            elf,
            origin,
            pushed: #"{"amount":3}"#
        )
        #expect(origin.paths == ["/character/elf-42"])
    }

    @Test func `A guild's wall waits for its app`() async throws {
        let played = try await Played.timeline(
            .game,
            "guild-wall",
            [("guild", .text("iron-wolves"))],
            FakeOrigin(["/guild/iron-wolves": #"{"posts":12,"members":48}"#])
        )
        #expect(played.entries == [["iron-wolves", "12 posts", "48 members"]])
        #expect(played.policy == .never)
    }

    @Test func `A dragon comes, is there, and leaves`() {
        let landing = now + 600
        let region = Region(strength: 40, dragonAt: landing.timeIntervalSince1970 * 1_000)
        let timeline = DragonProvider().timeline("marsh", region: region, now: now)
        #expect(timeline.entries.map(\.date) == [now, landing, landing + 1_800])
        #expect(timeline.policy == .after(landing + 1_800))
        #expect(
            timeline.entries.map { DragonView(entry: $0).viewContent.lines(at: $0.date) } == [
                ["marsh", "A dragon of strength 40", "Lands in 10:00"],
                ["marsh", "A dragon of strength 40 is here"],
                ["marsh", "The sky is clear"],
            ]
        )
    }

    @Test func `A region is asked for at the origin`() async throws {
        let played = try await Played.timeline(
            .game,
            "dragon-watch",
            [("region", .text("marsh"))],
            FakeOrigin(["/region/marsh": #"{"region":"marsh","strength":40}"#])
        )
        #expect(played.entries == [["marsh", "A dragon of strength 40 is here"]])
        #expect(played.policy == .never)
    }

    @Test func `A dragon that is there or gone needs no countdown`() {
        let provider = DragonProvider()
        func region(_ ago: TimeInterval) -> Region {
            Region(strength: 40, dragonAt: (now - ago).timeIntervalSince1970 * 1_000)
        }
        #expect(
            provider.timeline("a", region: region(60), now: now).entries.map(\.sky) == [
                .here(40), .clear,
            ]
        )
        #expect(
            provider.timeline("a", region: region(1_800), now: now).entries.map(\.sky) == [.clear]
        )
        #expect(provider.timeline("a", region: region(1_800), now: now).policy == .never)
        let undated = provider.timeline("a", region: Region(strength: 5), now: now)
        #expect(undated.entries.map(\.sky) == [.here(5)])
        #expect(provider.timeline("a", region: Region(), now: now).entries.map(\.sky) == [.clear])
    }

    @Test func `A leaderboard observes three scores and is asked again in an hour`() async throws {
        let played = try await Played.timeline(
            .game,
            "leaderboard",
            [],
            FakeOrigin(["/leaderboard/world": #"{"first":9,"second":7}"#])
        )
        #expect(played.entries == [["Leaderboard", "1.  9", "2.  7", "3.  –"]])
        #expect(played.after == 3_600)
    }
}
