import Foundation
import ReloadRouterKit
import Testing

@Suite("The name of a widget")
struct NameTests {
    let router = FakeSystem()

    private func elf(
        _ family: String? = "systemSmall",
        _ name: String = "elf-42"
    ) -> ReportedWidget {
        ReportedWidget(
            kind: "com.mygame.character-detail",
            family: family,
            configuration: ["character": .init(name), "none": nil]
        )
    }

    /// The ids that were sent last.
    private var ids: [String] {
        let widgets = router.requests.last?.members["widgets"] as? [[String: Any]] ?? []
        return widgets.compactMap { $0["id"] as? String }
    }

    @Test("is the same in each process and version")
    func stable() {
        #expect(elf().id == "systemSmall-5168593ddb2ff01e")
        let odd = ReportedWidget(
            kind: "k",
            configuration: ["level": 3, "isShown": true, "names": ["a", "b"], "é": "x"]
        )
        #expect(odd.id == "widget-cfd1f9e658dc8c8c")
    }

    @Test("differs with kind, family and each value, and not with the order of the values")
    func differences() {
        let values: [[String: ConfigurationValue?]] = [
            [:], ["a": "1"], ["a": 1], ["a": true], ["a": false], ["a": ["1"]], ["a": []],
            ["a": ["1", "2"]], ["a": ["12"]], ["b": "1"], ["a": "1", "b": "2"], ["a": "1b"],
        ]
        let widgets =
            values.map { ReportedWidget(kind: "k", family: "f", configuration: $0) }
            + [ReportedWidget(kind: "kf"), ReportedWidget(kind: "k", family: "g"), elf()]
        #expect(Set(widgets.map(\.id)).count == widgets.count)
        let zeros = [0.0, -0.0].map {
            ReportedWidget(kind: "k", configuration: ["a": .number($0)]).id
        }
        #expect(zeros[0] == zeros[1])
    }

    @Test("has a number if widgets look the same, in whatever order they come")
    func alike() async throws {
        let reporter = router.reporter()
        try await reporter.register([elf(), elf("systemLarge"), elf(), elf()])
        let name = elf().id
        #expect(ids == [name, elf("systemLarge").id, "\(name)-2", "\(name)-3"])
        try await reporter.register([elf("systemLarge"), elf(), elf()])
        #expect(ids == [elf("systemLarge").id, name, "\(name)-2"])
        #expect(await reporter.widgets(ofKind: elf().kind).map(\.id) == ids)
        // A name that is taken is left out, whoever gave it.
        let taken = ReportedWidget(id: "\(name)-2", kind: "lamp")
        try await reporter.register([elf(), elf(), taken])
        #expect(ids == [name, "\(name)-3", "\(name)-2"])
    }

    @Test("changes when the person chooses another value, and returns with the former one")
    func edited() async throws {
        let reporter = router.reporter()
        for character in ["elf-42", "orc-7", "elf-42"] {
            try await reporter.register([elf("systemSmall", character)])
        }
        let sent = router.requests.map(\.body)
        #expect(sent[0] == sent[2] && sent[0] != sent[1])
    }
}
