import Basics
import Testing

@testable import WidgetFleet

@Suite("Which widgets a push concerns")
struct ConcernIndexTests {
    /// The widgets 0, 1 and so on of one plan that have these values, and whom pushes concern.
    private func concerned(
        _ values: [[String: JSONValue]],
        _ push: [String: Any],
        _ payload: [String: JSONValue]
    ) throws -> [UInt32] {
        let configuration: [String: Any] = ["character": "x", "guild": "y", "topics": ["z"]]
        let scenario = try testScenario([
            "widgets": [["kind": "k", "configuration": configuration]], "pushes": [push],
        ])
        var index = ConcernIndex(scenario)
        for (number, value) in values.enumerated() {
            index.insert(UInt32(number), plan: 0, configuration: .object(value))
        }
        var found: [UInt32] = []
        index.forEach(push: 0, payload: .object(payload)) { found.append($0) }
        return found
    }

    private let elves: [[String: JSONValue]] = [
        ["character": .string("a")], ["character": .string("b")], ["character": .string("a")], [:],
    ]

    @Test func `Those whose parameter has the name and the value of a member`() throws {
        let push: [String: Any] = ["count": 1, "payload": ["character": "a", "hp": 1]]
        #expect(try concerned(elves, push, ["character": .string("a")]) == [0, 2])
        #expect(try concerned(elves, push, ["character": .string("c")]) == [])
        #expect(try concerned(elves, push, ["other": .string("a")]) == [])
    }

    @Test func `None if no parameter is named like a member`() throws {
        let push: [String: Any] = ["count": 1, "payload": ["event": "a"]]
        let payload: [String: JSONValue] = ["event": .string("a"), "character": .string("a")]
        #expect(try concerned(elves, push, payload) == [])
    }

    @Test func `All of a kind if the scenario names no parameter`() throws {
        let push: [String: Any] = ["count": 1, "payload": [:], "concerns": [["kind": "k"]]]
        #expect(try concerned(elves, push, [:]) == [0, 1, 2, 3])
    }

    @Test func `Those of the parameter that the scenario names, whatever others say`() throws {
        let push: [String: Any] = [
            "count": 1, "payload": ["character": "a", "guild": "g"],
            "concerns": [["kind": "k", "by": "guild"]],
        ]
        let widgets: [[String: JSONValue]] = [
            ["character": .string("a"), "guild": .string("h")],
            ["character": .string("b"), "guild": .string("g")],
        ]
        let payload: [String: JSONValue] = ["character": .string("a"), "guild": .string("g")]
        #expect(try concerned(widgets, push, payload) == [1])
    }

    @Test func `Lists on either side are compared by their elements`() throws {
        let push: [String: Any] = ["count": 1, "payload": ["topics": "a"]]
        let widgets: [[String: JSONValue]] = [
            ["topics": .list([.string("a"), .string("b")])], ["topics": .list([])],
            ["topics": .list([.string("b"), .list([.string("c")])])], ["topics": .string("b")],
        ]
        #expect(try concerned(widgets, push, ["topics": .string("a")]) == [0])
        #expect(try concerned(widgets, push, ["topics": .string("c")]) == [2])
        let both = try concerned(widgets, push, ["topics": .list([.string("a"), .string("b")])])
        // A widget with two of the values comes twice.
        #expect(both == [0, 0, 2, 3])
    }

    @Test(
        arguments: [
            (.integer(1), .double(1), true), (.string("1"), .integer(1), false),
            (.boolean(true), .integer(1), false), (.boolean(true), .boolean(true), true),
            (.null, .null, false), (.object([:]), .object([:]), false),
        ] as [(JSONValue, JSONValue, Bool)]
    )
    func `Values are compared by their types, numbers by their values`(
        one: JSONValue,
        other: JSONValue,
        isSame: Bool
    ) throws {
        let push: [String: Any] = ["count": 1, "payload": ["character": "a"]]
        let found = try concerned([["character": one]], push, ["character": other])
        #expect(found == (isSame ? [0] : []))
    }

    @Test func `A push is narrowed to its kinds, of which it concerns those without parameters`()
        throws
    {
        let scenario = try testScenario([
            "widgets": [
                ["kind": "a"], ["kind": "b"], ["kind": "c", "configuration": ["x": "1"]],
                ["kind": "d", "configuration": ["x": "1"]],
            ],
            "pushes": [["count": 1, "payload": ["x": "1"], "kinds": ["a", "c"]]],
        ])
        var index = ConcernIndex(scenario)
        for (number, plan) in scenario.widgets.enumerated() {
            let configuration = JSONValue.object(plan.configuration)
            index.insert(UInt32(number), plan: number, configuration: configuration)
        }
        var found: [UInt32] = []
        index.forEach(push: 0, payload: .object(["x": .string("1")])) { found.append($0) }
        #expect(found == [0, 2])
    }

    @Test func `Each push has its own widgets, and plans are kept apart`() throws {
        let scenario = try testScenario([
            "widgets": [
                ["kind": "a", "configuration": ["x": "1"]],
                ["kind": "b", "configuration": ["x": "1"]],
                ["kind": "b", "configuration": ["y": "1"]],
            ],
            "pushes": [
                ["count": 1, "payload": ["x": "1"], "concerns": [["kind": "a", "by": "x"]]],
                ["count": 1, "payload": ["x": "1", "y": "1"]],
                ["count": 1, "payload": ["x": "1"], "concerns": []],
            ],
        ])
        var index = ConcernIndex(scenario)
        index.insert(0, plan: 0, configuration: .object(["x": .string("1")]))
        index.insert(1, plan: 1, configuration: .object(["x": .string("1")]))
        index.insert(2, plan: 2, configuration: .object(["y": .string("1")]))
        let payload = JSONValue.object(["x": .string("1"), "y": .string("1")])
        let found = (0..<3).map { push in
            var found: [UInt32] = []
            index.forEach(push: push, payload: payload) { found.append($0) }
            return found
        }
        #expect(found == [[0], [0, 1, 2], []])
    }
}
