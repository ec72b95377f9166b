import Basics
import Credentials
import Foundation
import RouterCore
import Testing

@testable import WidgetFleet

@Suite("An app file as a fleet uses it")
struct FleetAppFileTests {
    private static let text = """
        {"apps":[
          {"app":"a","publishers":[],
           "origins":[{"origin":"api","perSecond":9}],
           "kinds":[{"kind":"x","match":{"o":{"deep":["v"]}},"observes":["hp"]},
                    {"kind":"y","origin":"api","spread":{"mode":"ledger","window":60}}]},
          {"app":"b","kinds":[{"kind":"z"}]}]}
        """

    private func file() throws -> FleetAppFile { try FleetAppFile(Data(Self.text.utf8)) }

    private func kinds(_ file: FleetAppFile) throws -> [[String: Any]] {
        let parsed = try JSONSerialization.jsonObject(with: Data(file.bytes)) as? [String: Any]
        let apps = parsed?["apps"] as? [[String: Any]] ?? []
        return apps.flatMap { $0["kinds"] as? [[String: Any]] ?? [] }
    }

    @Test(arguments: ["", "[]", "{}", #"{"apps":{}}"#, #"{"apps":[1]}"#, "{\"apps\":["])
    func `What has no apps is refused`(text: String) {
        #expect(throws: ScenarioError("apps", problem: "the file is not an app file")) {
            try FleetAppFile(Data(text.utf8))
        }
    }

    @Test func `Members of payloads are read by rules and as observed fields`() throws {
        let file = try file()
        #expect(file.reads("deep", in: "a") && file.reads("hp", in: "a"))
        #expect(!file.reads("kinds", in: "a") && !file.reads("hp", in: "b"))
    }

    @Test func `The roles of all apps are opened, whatever they were`() throws {
        var file = try file()
        #expect(file.has("a") && file.has("b") && !file.has("c"))
        file.openRoles()
        let access = try file.bytes.withByteView { try AppFile.parse($0) }.access
        for app in access {
            for role in AppAccess.roles { #expect(app[role] == .open) }
        }
        #expect(access.map(\.app) == ["a", "b"])
    }

    @Test func `A spread is that of all kinds of all apps, and windows stay unless one is given`()
        throws
    {
        var file = try file()
        file.spread("uniform", window: nil)
        let spreads = try kinds(file).map { $0["spread"] as? [String: Any] }
        #expect(spreads.map { $0?["mode"] as? String } == ["uniform", "uniform", "uniform"])
        #expect(spreads.map { $0?["window"] as? Int } == [nil, 60, nil])
        file.spread("none", window: 7)
        #expect(
            try kinds(file).map { ($0["spread"] as? [String: Any])?["window"] as? Int } == [
                7, 7, 7,
            ]
        )
    }

    @Test(arguments: ["none", "uniform", "ledger"], [nil, 30])
    func `What is left is an app file that a router takes`(mode: String, window: Int?) throws {
        var file = try file()
        file.spread(mode, window: window)
        _ = try file.bytes.withByteView { try AppFile.parse($0) }
    }
}
