import Basics
import TestSupport
import Testing

@testable import WidgetFleet

@Suite("The world of an origin's resources")
struct OriginContentTests {
    private func world(seed: UInt64 = 1) -> OriginContent {
        var plan = OriginPlan()
        plan.pools = [
            "character": ["hp": .number(10...99), "level": .number(1...60)],
            "region": ["at": .secondsAfterRamp(1)],
        ]
        return OriginContent(plan, seed: seed, rampEnd: 5_000)
    }

    private func text(_ content: OriginContent, _ path: String) -> String? {
        content.object(path).map { String(decoding: $0, as: UTF8.self) }
    }

    private func apply(_ payload: String, to content: inout OriginContent) throws {
        content.apply(try payload.withByteView { try JSONValue(parsing: $0) })
    }

    @Test func `A resource is the same each time, and another one with another seed`() throws {
        let (one, same, other) = (world(), world(), world(seed: 2))
        var differ = 0
        var values: Set<[UInt8]> = []
        for number in 0..<200 {
            let path = "/character/elf-\(number)"
            let object = try #require(one.object(path))
            #expect(object == same.object(path))
            if object != other.object(path) { differ += 1 }
            values.insert(Array(object.drop { $0 != UInt8(ascii: ",") }))
        }
        #expect(differ > 150 && values.count > 100)
    }

    @Test func `Fields lie in the order of their names, within what the scenario says`() throws {
        let text = try #require(self.text(world(), "/character/elf-42"))
        let pattern = #/\{"character":"elf-42","revision":0,"hp":(\d\d),"level":(\d+)\}/#
        #expect(text.wholeMatch(of: pattern) != nil, "\(text)")
        #expect(
            self.text(world(), "/region/a/\"b\"")
                == #"{"region":"a/\"b\"","revision":0,"at":6000}"#
        )
    }

    @Test(arguments: [
        "", "/", "character", "/character", "/character/", "/dragon/x", "//x", "character/elf-42",
        "/character/" + String(repeating: "x", count: 257),
    ])
    func `What is no resource is not found`(path: String) {
        #expect(world().object(path) == nil)
    }

    @Test func `A push overwrites fields, adds others, and raises the revision`() throws {
        var content = world()
        let push = #"{"event":"potion","character":"elf-42","hp":3e1,"bag":{"x":1},"revision":9}"#
        try apply(push, to: &content)
        let after = try #require(text(content, "/character/elf-42"))
        #expect(after.hasPrefix(#"{"character":"elf-42","revision":1,"hp":3e1,"level":"#))
        #expect(after.hasSuffix(#","event":"potion"}"#))
        try apply(#"{"character":"elf-42","event":null,"level":"a\"b"}"#, to: &content)
        let last = #"{"character":"elf-42","revision":2,"hp":3e1,"level":"a\"b","event":null}"#
        #expect(text(content, "/character/elf-42") == last)
        #expect(text(content, "/character/elf-43")!.contains(#""revision":0,"#))
    }

    @Test func `A push may be about several resources, each once, of several pools`() throws {
        var content = world()
        let push = #"{"character":["a","b","a",7,["c"],""],"region":"marsh","hp":1}"#
        try apply(push, to: &content)
        for path in ["/character/a", "/character/b", "/region/marsh"] {
            #expect(text(content, path)!.contains(#""revision":1,"#))
        }
        #expect(text(content, "/character/c")!.contains(#""revision":0,"#))
        // Lists are nothing that a field can be; strings are.
        #expect(
            text(content, "/region/marsh") == #"{"region":"marsh","revision":1,"at":6000,"hp":1}"#
        )
        #expect(text(content, "/character/a")!.hasSuffix(#","region":"marsh"}"#))
    }

    @Test func `A number may be any`() {
        var plan = OriginPlan()
        plan.pools = ["x": ["a": .number(.min ... .max), "b": .number(-3 ... -3)]]
        let content = OriginContent(plan, seed: 1, rampEnd: 0)
        #expect(text(content, "/x/y")!.hasSuffix(#","b":-3}"#))
    }
}
