import Basics
import TestOrigin
import Testing

@Suite("The world of an origin's resources")
struct OriginContentTests {
    private func world(seed: UInt64 = 1, changedLimit: Int = 100) throws -> OriginContent {
        var content = OriginContent(seed: seed, changedLimit: changedLimit)
        try content.declare(
            pool: "character",
            fields: [
                OriginField("hp", initial: .number(10...99)),
                OriginField("class", initial: .choice(["elf", "orc"])),
                OriginField("online", initial: .flag),
            ]
        )
        try content.declare(
            pool: "region",
            fields: [OriginField("weather", initial: .choice(["rain"]))]
        )
        return content
    }

    private func text(_ content: OriginContent, _ path: String) -> String? {
        content.object(path).map { String(decoding: $0, as: UTF8.self) }
    }

    @discardableResult
    private func apply(_ payload: String, to content: inout OriginContent) throws -> Int {
        try content.apply(Array(payload.utf8))
    }

    @Test func `A resource is the same each time, and another one with another seed`() throws {
        let (one, same, other) = (try world(), try world(), try world(seed: 2))
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
        #expect(one.changedCount == 0)
    }

    @Test func `Fields lie in the order of their declaration, within what was declared`() throws {
        let text = try #require(text(try world(), "/character/elf-42"))
        let pattern =
            #/\{"character":"elf-42","revision":0,"hp":(\d\d),"class":"(elf|orc)","online":(true|false)\}/#
        #expect(text.wholeMatch(of: pattern) != nil, "\(text)")
        #expect(
            self.text(try world(), "/region/a/\"b\"")
                == #"{"region":"a/\"b\"","revision":0,"weather":"rain"}"#
        )
    }

    @Test(arguments: [
        "", "/", "character", "/character", "/character/", "/dragon/x", "//x", "character/elf-42",
        "/character/" + String(repeating: "x", count: 257),
    ])
    func `What is no resource is not found`(path: String) throws {
        let content = try world()
        #expect(content.object(path) == nil && !content.has(path))
        #expect(content.revision(path) == nil)
    }

    @Test func `A push overwrites fields, adds others, and raises the revision`() throws {
        var content = try world()
        let push = #"{"event":"potion","character":"elf-42","hp":3e1,"bag":{"x":1},"revision":9}"#
        #expect(try apply(push, to: &content) == 1)
        let after = try #require(text(content, "/character/elf-42"))
        #expect(after.hasPrefix(#"{"character":"elf-42","revision":1,"hp":3e1,"class":""#))
        #expect(after.hasSuffix(#","event":"potion"}"#))
        try apply(#"{"character":"elf-42","event":null,"class":"a\"b\u0041"}"#, to: &content)
        let last = try #require(text(content, "/character/elf-42"))
        #expect(
            last.hasPrefix(#"{"character":"elf-42","revision":2,"hp":3e1,"class":"a\"b\u0041","#)
        )
        #expect(last.hasSuffix(#","event":null}"#))
        #expect(content.revision("/character/elf-42") == 2)
        #expect(content.revision("/character/elf-43") == 0)
    }

    @Test func `A push may be about several resources, each once, of several pools`() throws {
        var content = try world()
        let push = #"{"character":["a","b","a",7,["c"],""],"region":"marsh","hp":1}"#
        #expect(try apply(push, to: &content) == 3)
        for path in ["/character/a", "/character/b", "/region/marsh"] {
            #expect(content.revision(path) == 1)
        }
        #expect(content.revision("/character/c") == 0)
        // Arrays are nothing that a field can be; strings are.
        #expect(
            text(content, "/region/marsh")
                == #"{"region":"marsh","revision":1,"weather":"rain","hp":1}"#
        )
        #expect(text(content, "/character/a")!.hasSuffix(#","region":"marsh"}"#))
        #expect(try apply(#"{"hp":1,"character":7}"#, to: &content) == 0)
        #expect(content.changedCount == 3)
    }

    @Test func `What is no JSON object is refused, and changes nothing`() throws {
        var content = try world()
        for payload in ["", "[]", "{", #"{"character":"a""#, #"{"character":"a"} x"#] {
            #expect(throws: JSONError.self) { try content.apply(Array(payload.utf8)) }
        }
        #expect(content.changedCount == 0)
    }

    @Test func `What is over a limit is left away and counted`() throws {
        var content = try world(changedLimit: 2)
        try apply(#"{"character":["a","b","c"],"hp":1}"#, to: &content)
        #expect(content.changedCount == 2 && content.droppedCount == 1)
        #expect(content.revision("/character/c") == 0)
        try apply(#"{"character":"b","hp":2}"#, to: &content)
        #expect(content.revision("/character/b") == 2)
        let members = (0..<100).map { #","f\#($0)":\#($0)"# }.joined()
        try apply("{\"character\":\"a\"\(members)}", to: &content)
        // hp is one of the 64.
        #expect(content.droppedCount == 1 + 100 - 63)
        let object = try #require(content.object("/character/a"))
        var scanner = JSONScanner()
        try object.withByteView { (view) throws(JSONError) in
            try validateJSON(view, using: &scanner)
        }
    }

    @Test func `A pool that cannot be is an error`() throws {
        var content = try world()
        #expect(throws: OriginPoolError.declaredTwice("region")) {
            try content.declare(pool: "region", fields: [])
        }
        for name in ["", "a/b"] {
            #expect(throws: OriginPoolError.name(name)) {
                try content.declare(pool: name, fields: [])
            }
        }
        for name in ["x", "revision", "y"] {
            #expect(throws: OriginPoolError.field(name)) {
                try content.declare(
                    pool: "x",
                    fields: [OriginField("y", initial: .flag), OriginField(name, initial: .flag)]
                )
            }
        }
        #expect(throws: OriginPoolError.noChoice("y")) {
            try content.declare(pool: "x", fields: [OriginField("y", initial: .choice([]))])
        }
        for number in 2..<OriginContent.poolLimit {
            try content.declare(pool: "p\(number)", fields: [])
        }
        #expect(throws: OriginPoolError.tooMany(limit: OriginContent.poolLimit)) {
            try content.declare(pool: "x", fields: [])
        }
    }

    @Test func `A number may be any`() throws {
        var content = OriginContent(seed: 1)
        try content.declare(
            pool: "x",
            fields: [
                OriginField("a", initial: .number(.min ... .max)),
                OriginField("b", initial: .number(-3 ... -3)),
            ]
        )
        #expect(text(content, "/x/y")!.hasSuffix(#","b":-3}"#))
    }
}
