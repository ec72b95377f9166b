import ArgumentParser
import TestSupport
import Testing
import WidgetTimelines

@testable import WidgetFleet

@Suite("The command of a fleet")
struct FleetRunnerTests {
    private let folder = TestFolder()

    /// Plays a scenario whose payload names the kind of its widgets; returns
    /// why that is not possible.
    private func refusal(apps: String) async -> String? {
        let scenario = folder.path(of: "scenario.json")
        let file = #"{"apps":[{"app":"a","kinds":[{"kind":"com.mygame.clock"}]}]}"#
        TestFolder.write(file.utf8, to: folder.path(of: "apps.json"))
        let json = #"""
            {"name":"n","app":"a","bundle":"game",\#(apps)"devices":1,"seconds":1,
             "widgets":[{"kind":"com.mygame.clock"}],
             "pushes":[{"perSecond":1,"payload":{"kinds":["com.mygame.clock"]}}]}
            """#
        TestFolder.write(json.utf8, to: scenario)
        let error = await #expect(throws: FleetError.self) {
            try await FleetRunner(
                FleetOptions.parse([scenario]),
                bundles: ["game": GameBundle.declarations]
            ).run()
        }
        return error?.description
    }

    @Test func `Kinds in a payload are refused only with an app file`() async {
        let refused = await refusal(apps: #""apps":"apps.json","#)
        #expect(refused?.contains("pushes[0].payload.kinds: it has no effect") == true)
        #expect(await refusal(apps: "") == "the scenario has no \"apps\"")
    }
}
