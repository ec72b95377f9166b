import AppIntents
import Foundation
import ReloadRouterKit
import Synchronization
import Testing
import WidgetKit
import WidgetTimelines

@testable import GameOnIOS

/// A router that answers each timeline with a date of its own.
private final class FakeRouter: Sendable {
    struct Request: Sendable {
        let line: String
        let body: Data

        /// The body's members.
        var members: [String: Any] {
            (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:]
        }
    }

    struct State {
        var requests: [Request] = []
        var files: [String: Data] = [:]
    }

    let state = Mutex(State())
    /// What it adds to the date that is asked for; nil if it cannot be reached.
    let delay: Double?

    init(delay: Double? = 7) {
        self.delay = delay
    }

    var requests: [Request] { state.withLock { $0.requests } }

    func reporter() -> DeviceReporter {
        DeviceReporter(
            url: URL(string: "https://router.example")!,
            app: "com.mygame",
            device: "d-1",
            storage: ReportStorage(
                load: { key in self.state.withLock { $0.files[key] } },
                save: { data, key in self.state.withLock { $0.files[key] = data } }
            ),
            system: ReportSystem(
                transport: { try await self.answer($0) },
                now: { Date(timeIntervalSince1970: 1_795_000_000) },
                uptime: { .zero },
                // A call that waits has failed.
                sleep: { _ in throw CancellationError() },
                random: { $0.lowerBound }
            ),
            token: { "token" }
        )
    }

    private func answer(_ request: URLRequest) async throws -> (Data, URLResponse) {
        let path = request.url!.lastPathComponent
        let sent = Request(line: "\(request.httpMethod!) \(path)", body: request.httpBody!)
        state.withLock { $0.requests.append(sent) }
        guard let delay else { throw URLError(.cannotConnectToHost) }
        var body = Data()
        if let after = (sent.members["policy"] as? [String: Double])?["after"] {
            body = Data(#"{"reloadAt":\#(Int64(after + delay * 1_000))}"#.utf8)
        }
        let answer = HTTPURLResponse(
            url: request.url!,
            statusCode: body.isEmpty ? 204 : 200,
            httpVersion: nil,
            headerFields: nil
        )
        return (body, answer!)
    }
}

/// A device with these widgets.
private struct Center: WidgetCenterDevice {
    let characters: [String]
    let token: Data?

    func currentWidgets() -> [WidgetInfo] {
        characters.enumerated().map { index, character in
            WidgetInfo(
                kind: Game.characterKind,
                family: .systemSmall,
                name: "w\(index + 1)",
                configuration: .appIntent(SelectCharacter(character: character))
            )
        }
    }

    func reload(kind: String?) {}
    func pushInfo() -> WidgetPushInfo? { token.map(WidgetPushInfo.init(token:)) }
}

@Suite("The example for iOS")
struct GameOnIOSTests {
    private let router = FakeRouter()
    private let now = Date(timeIntervalSince1970: 1_795_000_000)

    private func provider(_ router: FakeRouter, health: Int?) -> CharacterProvider {
        CharacterProvider(
            reporter: router.reporter(),
            load: { _ in
                guard let health else { throw URLError(.timedOut) }
                return GameCharacter(health: health)
            },
            now: { [now] in now }
        )
    }

    private func timeline(_ provider: CharacterProvider) async -> Timeline<CharacterEntry> {
        await provider.timeline(
            for: SelectCharacter(character: "elf-42"),
            in: TimelineProviderContext(family: .systemSmall, isPreview: false)
        )
    }

    @Test("registers what WidgetCenter lists when its app comes to the foreground")
    func app() async throws {
        let reporter = router.reporter()
        let center = Center(characters: ["elf-42", "orc-7"], token: Data([0xab, 0x01]))
        let failure = await WidgetCenter.run(on: center) { () async -> String? in
            do {
                try await Registration.appBecameActive(reporter)
                try await Registration.appLeftForeground(reporter)
                return nil
            } catch {
                return "\(error)"
            }
        }
        #expect(failure == nil)
        #expect(router.requests.map(\.line) == ["PUT widgets", "POST state", "POST state"])
        let members = router.requests[0].members
        #expect(members["pushToken"] as? String == "ab01")
        #expect(members["environment"] as? String == "sandbox")
        let widgets = try #require(members["widgets"] as? [[String: Any]])
        #expect(Set(widgets.compactMap { $0["id"] as? String }).count == 2)
        #expect(widgets.map { $0["family"] as? String } == ["systemSmall", "systemSmall"])
        let characters = widgets.map { ($0["configuration"] as? [String: String])?["character"] }
        #expect(characters == ["elf-42", "orc-7"])
        #expect(
            router.requests.dropFirst().map { $0.members["foreground"] as? Bool } == [true, false]
        )
    }

    @Test("registers alike widgets and odd configurations by names that a router takes")
    func names() async throws {
        let odd = #"a "quoted" text"# + "\nof two lines"
        let center = Center(characters: ["elf-42", "elf-42", odd], token: nil)
        let first = router.reporter()
        try await first.register(center.currentWidgets().map(\.reported))
        let found = router.requests[0].members["widgets"] as? [[String: Any]] ?? []
        let names = found.compactMap { $0["id"] as? String }
        #expect(Set(names).count == 3)
        #expect(names.allSatisfy { $0.wholeMatch(of: /[a-zA-Z0-9-]{1,64}/) != nil }, "\(names)")
        #expect(names[1] == names[0] + "-2")
        // In another order and process, they are the same; of an edited one, another.
        try await router.reporter().register(center.currentWidgets().reversed().map(\.reported))
        let again = router.requests[1].members["widgets"] as? [[String: Any]] ?? []
        #expect(Set(again.compactMap { $0["id"] as? String }) == Set(names))
        let edited = Center(characters: ["orc-7", "elf-42", odd], token: nil)
        try await router.reporter().register(edited.currentWidgets().map(\.reported))
        let other = router.requests[2].members["widgets"] as? [[String: Any]] ?? []
        let others = Set(other.compactMap { $0["id"] as? String })
        #expect(others.intersection(names) == [names[0], names[2]])
    }

    @Test("reports no foreground for an app without widgets, of which the router knows nothing")
    func noWidgets() async throws {
        let reporter = router.reporter()
        await WidgetCenter.run(on: Center(characters: [], token: nil)) {
            try? await Registration.appBecameActive(reporter)
            try? await Registration.appLeftForeground(reporter)
        }
        #expect(router.requests.map(\.line) == ["PUT widgets"])
    }

    @Test("registers the token that its push handler gets, whether the app runs or not")
    func pushHandler() async throws {
        let declaration = try #require(GameWidgetBundle.declarations.first)
        #expect(declaration.kind == Game.characterKind)
        #expect(declaration.pushHandler is GamePushHandler.Type)
        var handler = GamePushHandler()
        handler.reporter = router.reporter()
        let center = Center(characters: ["elf-42"], token: Data([0xcd]))
        handler.pushTokenDidChange(center.pushInfo()!, widgets: center.currentWidgets())
        // It is remembered when the handler returns, and sent once, by whichever comes first.
        #expect(
            await handler.reporter.widgets(
                ofKind: Game.characterKind,
                family: "systemSmall",
                configuration: ["character": "elf-42"]
            ).count == 1
        )
        try await handler.reporter.refresh()
        #expect(router.requests.map(\.line) == ["PUT widgets"])
        #expect(router.requests[0].members["pushToken"] as? String == "cd")
    }

    @Test("passes the router's date to its timeline's own policy")
    func date() async throws {
        let provider = provider(router, health: 25)
        let widgets = Center(characters: ["elf-42", "orc-7"], token: nil).currentWidgets()
        try provider.reporter.remember(widgets.map(\.reported))
        let found = await timeline(provider)
        #expect(found.entries.map(\.health) == [25, 50, 75, 100])
        #expect(found.policy == .after(now + 3 * 3_600 + 7))
        // The registration was remembered only, and goes first.
        #expect(router.requests.map(\.line) == ["PUT widgets", "POST timelines"])
        let named = router.requests[1].members["widget"] as? String
        #expect(named != nil && named == widgets[0].reported.id)
    }

    @Test("needs no reload once its character is healed")
    func healed() async throws {
        let provider = provider(router, health: 100)
        let widgets = Center(characters: ["elf-42"], token: nil).currentWidgets()
        try provider.reporter.remember(widgets.map(\.reported))
        let found = await timeline(provider)
        #expect(found.entries.map(\.health) == [100])
        #expect(found.policy == .never)
        #expect(router.requests.last?.members["policy"] as? String == "never")
    }

    @Test("has its own date if the router, its backend or both cannot be reached")
    func silence() async throws {
        for (router, health) in [(FakeRouter(delay: nil), 75), (FakeRouter(delay: nil), nil)] {
            let provider = provider(router, health: health)
            let widgets = Center(characters: ["elf-42"], token: nil).currentWidgets()
            try provider.reporter.remember(widgets.map(\.reported))
            let found = await timeline(provider)
            #expect(found.policy == .after(now + (health == nil ? 900 : 3_600)))
            #expect(!router.requests.isEmpty)
        }
    }

    @Test("shows an example in the gallery, and a hint before a character is chosen")
    func gallery() async throws {
        let provider = provider(router, health: 50)
        let context = TimelineProviderContext(family: .systemMedium, isPreview: true)
        #expect(await provider.snapshot(for: SelectCharacter(), in: context).health == 75)
        let found = await provider.timeline(for: SelectCharacter(), in: context)
        #expect(found.entries.map(\.name) == ["Choose a character"])
        #expect(found.policy == .never && router.requests.isEmpty)
    }

    @Test("gives the time in the background back once, when it has reported or the time is over")
    @MainActor
    func backgroundTime() async throws {
        let ended = AsyncStream.makeStream(of: Int.self)
        let end: @MainActor (Int) -> Void = { ended.continuation.yield($0) }
        var iterator = ended.stream.makeAsyncIterator()
        BackgroundTime(begin: { _ in 1 }, end: end, body: {})
        #expect(await iterator.next() == 1)
        // Over at once: the report is cancelled.
        var expire: (@MainActor @Sendable () -> Void)?
        let wasCancelled = AsyncStream.makeStream(of: Bool.self)
        BackgroundTime(
            begin: {
                expire = $0
                return 2
            },
            end: end,
            body: {
                try? await Task.sleep(for: .seconds(3_600))
                wasCancelled.continuation.yield(Task.isCancelled)
            }
        )
        expire?()
        #expect(await iterator.next() == 2)
        var cancellations = wasCancelled.stream.makeAsyncIterator()
        #expect(await cancellations.next() == true)
        for _ in 0..<100 { await Task.yield() }
        ended.continuation.finish()
        #expect(await iterator.next() == nil, "it is given back once")
    }
}
