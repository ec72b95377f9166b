import ExampleWidgets
import Foundation
import Testing
import WidgetTimelines

@Suite struct BundleTests {
    private static var examples: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "deploy/examples")
    }

    private struct AppFile: Decodable {
        struct App: Decodable {
            struct Kind: Decodable { let kind: String }
            let app: String
            let kinds: [Kind]
        }
        let apps: [App]
    }

    @Test(arguments: ExampleBundle.allCases)
    func `A bundle has the kinds of its app file, in the same order`(bundle: ExampleBundle) throws {
        let file = Self.examples.appending(path: "\(bundle.rawValue)/apps.json")
        let app = try JSONDecoder().decode(AppFile.self, from: Data(contentsOf: file)).apps[0]
        #expect(bundle.app == app.app)
        #expect(bundle.declarations.map(\.kind) == app.kinds.map(\.kind))
    }

    @Test(arguments: ExampleBundle.allCases)
    func `Placeholder and gallery need no network`(bundle: ExampleBundle) async throws {
        let origin = FakeOrigin()
        for declaration in bundle.declarations {
            let context = TimelineProviderContext(family: .systemSmall, isPreview: false)
            let placeholder = declaration.provider.placeholder(in: context).render()
            let sample = try await Played.sample(declaration, origin)
            #expect(!placeholder.lines(at: .now).isEmpty, "\(declaration.kind)")
            #expect(sample.allSatisfy { !$0.contains("–") && !$0.isEmpty }, "\(sample)")
            #expect(declaration.displayName != declaration.kind)
            #expect(!declaration.summary.isEmpty)
        }
        #expect(origin.paths.isEmpty)
    }

    private static let choices: [(ExampleBundle, String, [(name: String, value: ParameterValue)])] =
        [
            (.game, "character-detail", [("character", .text("elf-42"))]),
            (.game, "guild-wall", [("guild", .text("iron-wolves"))]),
            (.game, "dragon-watch", [("region", .text("marsh"))]),
            (.game, "leaderboard", []),
            (.news, "topic", [("topics", .list([.text("chess"), .text("health")]))]),
            (.news, "team", [("team", .text("team-7"))]),
            (.news, "headlines", []),
            (.stocks, "quote", [("symbol", .text("KEX"))]),
            (.stocks, "watchlist", [("symbols", .list([.text("KEX")])), ("big", .boolean(true))]),
            (.stocks, "lot", [("lot", .integer(100))]),
            (.stocks, "market", []),
            (.stocks, "complication", [("symbol", .text("KEX"))]),
        ]

    @Test(arguments: choices.indices)
    func `When the origin fails there is a dash, and it is asked again in five minutes`(
        index: Int
    ) async throws {
        let (bundle, kind, parameters) = Self.choices[index]
        let played = try await Played.timeline(bundle, kind, parameters)
        #expect(played.after == 300)
        #expect(played.entries[0].contains { $0.contains("–") })
    }

    @Test(arguments: choices.indices)
    func `An answer that is no such object counts as none`(index: Int) async throws {
        let (bundle, kind, parameters) = Self.choices[index]
        for body in ["", "{", "[]", "7", "\"text\"", "\u{0}"] {
            let asked = FakeOrigin()
            _ = try await Played.timeline(bundle, kind, parameters, asked)
            let origin = FakeOrigin(
                Dictionary(asked.paths.map { ($0, body) }) { first, _ in first }
            )
            let played = try await Played.timeline(bundle, kind, parameters, origin)
            #expect(played.after == 300, "\(body)")
        }
    }

    @Test func `Who has chosen nothing is asked to, and nothing is fetched`() async throws {
        let origin = FakeOrigin()
        for (bundle, kind, parameters) in Self.choices where !parameters.isEmpty {
            let played = try await Played.timeline(bundle, kind, [], origin)
            #expect(played.entries[0][0].hasPrefix("Choose "), "\(kind)")
            #expect(played.policy == .never)
        }
        #expect(origin.paths.isEmpty)
    }

    @Test func `Parameters of another name or type are refused`() throws {
        let character = try Played.declaration(.game, "character-detail").provider
        #expect(throws: WidgetChoiceError.self) {
            try character.choose([("character", .integer(42))])
        }
        let guild = try Played.declaration(.game, "guild-wall").provider
        #expect(throws: WidgetChoiceError.self) { try guild.choose([("clan", .text("x"))]) }
        let lot = try Played.declaration(.stocks, "lot").provider
        #expect(throws: WidgetChoiceError.self) { try lot.choose([("lot", .text("100"))]) }
    }
}
