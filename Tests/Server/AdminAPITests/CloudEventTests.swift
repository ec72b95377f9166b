import Basics
import HTTPServing
import TestSupport
import Testing

@testable import AdminAPI

/// Events of CloudEvents 1.0 at the listener for publishers, in each mode.
@Suite("CloudEvents over HTTP")
struct CloudEventTests {
    private let publishers = PublishingTests()
    private let structured = [("Content-Type", "application/cloudevents+json; charset=utf-8")]
    private let batch = [("Content-Type", "application/cloudevents-batch+json")]
    private let binary = [
        ("ce-specversion", "1.0"), ("ce-id", "1"), ("ce-source", "/cms"), ("ce-type", "t"),
    ]
    private let event =
        #"{"specversion":"1.0","id":"1","source":"/cms","type":"t","data":{"a":[1]}}"#
    private let added = #""type":"t","source":"/cms","$event":{"type":"t","source":"/cms"}"#

    /// An event of the id with data and other members.
    private func event(
        _ id: String,
        _ members: String = #""data":{"a":1}"#
    ) -> String {
        #"{"specversion":"1.0","id":"\#(id)","source":"/cms","type":"t",\#(members)}"#
    }

    private func asked(
        _ body: String,
        _ headers: [(String, String)]
    ) throws -> PushRequest {
        let asked = try publishers.ask(body, headers: headers).asked
        return try #require(asked.first, "\(body)")
    }

    // MARK: - Payloads

    @Test func `The data of a structured event is the payload`() throws {
        #expect(
            try asked(event, structured).payloads.texts == [#"{"a":[1],"# + added + "}"]
        )
        #expect(try asked("[\(event), \(event)]", batch).payloads.count == 2)
    }

    @Test func `The body of a binary event is the payload`() throws {
        for type in [[], [("Content-Type", "application/json")]] as [[(String, String)]] {
            let asked = try asked(#"{"a":1}"#, binary + type)
            #expect(asked.payloads.texts == [#"{"a":1,"# + added + "}"])
        }
        for name in ["ce-id", "ce-source", "ce-type"] {
            let headers = binary.filter { $0.0 != name }
            let response = try publishers.ask(headers: headers).response
            #expect(response.status == 400 && publishers.code(response) == "event-invalid")
        }
        let lines = try publishers.ask(headers: binary + [("Content-Type", "text/plain")]).response
        #expect(lines.status == 415)
    }

    @Test(arguments: [
        (#"{}"#, #"{"type":"t\"ü","source":"/c","subject":"elf","#),
        (#" { } "#, #" { "type":"t\"ü","source":"/c","subject":"elf","#),
        (
            #"{"type":null,"b":{"source":1}}"#,
            #"{"type":null,"b":{"source":1},"source":"/c","subject":"elf","#
        ),
        (
            #"{"s\u006furce":1,"subject":"","type":"x"}"#,
            #"{"s\u006furce":1,"subject":"","type":"x","#
        ),
    ])
    func `An event's attributes are members that its data lacks, and those of $event`(
        _ data: String,
        _ begin: String
    ) throws {
        let all = #""$event":{"type":"t\"ü","source":"/c","subject":"elf","x":"1"}}"#
        let found = try CloudEvent(attributes, data: Array(data.utf8))
        #expect(found.payload.text == begin + all)
        #expect(found.content.text == begin.dropLast() + "}")
    }

    @Test(arguments: [#"[{}]"#, #""}""#, "{", #"{"a":1}}"#])
    func `Data that is no object is judged as it is`(_ data: String) throws {
        let found = try CloudEvent(attributes, data: Array(data.utf8))
        #expect(found.payload.text == data && found.content.text == data)
    }

    private var attributes: CloudEvent.Attributes {
        var attributes = CloudEvent.Attributes(
            name: CloudEvent.Name(source: "/c", id: "1"),
            type: "t\"ü"
        )
        attributes.subject = "elf"
        attributes.extensions = [.init(name: "x", value: "1")]
        return attributes
    }

    @Test func `Data cannot pass for attributes`() throws {
        let data = #""data":{"a":1,"$ev\u0065nt":{"type":"other"}}"#
        let response = try publishers.ask(event("1", data), headers: structured).response
        #expect(response.status == 400 && publishers.code(response) == "event-invalid")
        #expect(response.text.contains("member $event"))
    }

    @Test func `A subject is optional in both modes, and is no longer than others`() throws {
        func payload(_ member: String) throws -> String? {
            let body = event("1", member + #""data":{}"#)
            return try publishers.ask(body, headers: structured).asked.first?.payloads.texts.first
        }
        let subject =
            #"{"type":"t","source":"/cms","subject":"x","#
            + #""$event":{"type":"t","source":"/cms","subject":"x"}}"#
        #expect(try payload("") == "{\(added)}")
        #expect(try payload(#""subject":null,"#) == "{\(added)}")
        #expect(try payload(#""subject":"x","#) == subject)
        let long = String(repeating: "x", count: 1_025)
        #expect(try payload(#""subject":"\#(long)","#) == nil)
        #expect(try asked("{}", binary + [("ce-subject", "x")]).payloads.texts == [subject])
    }

    @Test func `Extensions are alike in all modes`() throws {
        let members =
            #""zone":"a b","count":5,"flag":true,"object":{"a":1},"list":[1],"gone":null,"#
            + #""Upper":"x","half":0.5,"time":"2026-11-28T18:00:00Z","dataschema":"/s","#
            + #""data":{}"#
        let body = event("1", members)
        let headers =
            binary + [
                ("ce-zone", "a%20b"), ("Ce-Flag", "true"), ("ce-count", "5"),
                ("ce-time", "2026-11-28T18:00:00Z"), ("ce-dataschema", "/s"), ("ce-a_b", "x"),
            ]
        let all =
            #"{"type":"t","source":"/cms","$event":{"type":"t","source":"/cms","#
            + #""count":"5","flag":"true","zone":"a b"}}"#
        #expect(try asked(body, structured).payloads.texts == [all])
        #expect(try asked("[\(body)]", batch).payloads.texts == [all])
        #expect(try asked("{}", headers).payloads.texts == [all])
    }

    // MARK: - Headers as text

    @Test(arguments: [
        ("plain", "plain"), ("Euro%20%E2%82%AC%20%F0%9F%98%80", "Euro € 😀"),
        ("Euro%20%e2%82%ac", "Euro €"), (#""quoted""#, "quoted"), (#""a\"b\\c""#, #"a"b\c"#),
        (#""a%20b""#, "a b"), ("%61", "a"), ("100%", "100%"), ("a%zz", "a%zz"), (#"a"b"#, #"a"b"#),
        (#"""#, #"""#), ("", ""), ("%2525", "%25"), ("goal – Köln", "goal – Köln"),
    ])
    func `A header is unescaped once`(_ header: String, _ text: String) {
        #expect(AttributeText.decode(header) == text)
    }

    @Test func `A header that is not UTF-8 once it is decoded is refused`() throws {
        #expect(AttributeText.decode("%ff") == nil)
        let headers = binary.map { $0.0 == "ce-id" ? ($0.0, "%C3") : $0 }
        let response = try publishers.ask(headers: headers).response
        #expect(response.status == 400 && publishers.code(response) == "event-invalid")
        #expect(response.text.contains("ce-id"))
    }

    // MARK: - Data in base64

    @Test(arguments: [
        "", #""datacontenttype":"application/json","#,
        #""datacontenttype":"text/JSON; charset=utf-8","#,
        #""datacontenttype":"application/vnd.game+json","#, #""datacontenttype":null,"#,
    ])
    func `Data in base64 is the payload if it is JSON by its type`(_ type: String) throws {
        let body = event("1", type + #""data_base64":"eyJhIjpbMV19""#)
        for (text, headers) in [(body, structured), ("[\(body)]", batch)] {
            #expect(try asked(text, headers).payloads.texts == [#"{"a":[1],"# + added + "}"])
        }
    }

    @Test(arguments: [
        (#""datacontenttype":"text/plain","data_base64":"e30=""#, "text/plain"),
        (#""data_base64":"e30""#, "not base64"), (#""data_base64":"e3!=""#, "not base64"),
        (#""data_base64":"e-_=""#, "not base64"), (#""data_base64":"====""#, "not base64"),
        (#""data_base64":"e31=""#, "not base64"), (#""data_base64":"e30=","data":{}"#, "and"),
    ])
    func `Other data in base64 is refused`(_ members: String, _ sentence: String) throws {
        let response = try publishers.ask(event("1", members), headers: structured).response
        #expect(response.status == 400 && publishers.code(response) == "event-invalid")
        #expect(response.text.contains(sentence), "\(response.text)")
    }

    @Test func `Base64 is decoded with its padding`() {
        for (text, bytes) in [
            ("", []), ("AA==", [0]), ("AAE=", [0, 1]), ("+/8A", [0xfb, 0xff, 0]),
        ] as [(String, [UInt8])] {
            #expect(AttributeText.decodeBase64(text) == bytes, "\(text)")
        }
    }

    // MARK: - What is no event

    @Test(arguments: [
        #"{"specversion":"0.3","id":"1","source":"s","type":"t","data":{}}"#,
        #"{"specversion":"1.0","source":"s","type":"t","data":{}}"#,
        #"{"specversion":"1.0","id":"","source":"s","type":"t","data":{}}"#,
        #"{"specversion":"1.0","id":"1","source":"s","type":"t"}"#,
        #"{"specversion":1.0,"id":"1","source":"s","type":"t","data":{}}"#,
        "[]", "1", "null",
    ])
    func `What is no event is refused, in a batch by its place`(_ body: String) throws {
        let (response, none) = try publishers.ask(body, headers: structured)
        #expect(response.status == 400 && none.isEmpty)
        let asked = try asked("[\(event("a")),\(body),\(event("b"))]", batch)
        #expect(asked.payloads.count == 3 && asked.refused.count == 1)
        #expect(asked.refused.named.map(\.line) == [2])
        #expect(asked.refused.named.map(\.code) == ["event-invalid"])
    }

    @Test(arguments: ["{", "", #"{},"x":{}"#, "[]", "{}", "[1,]"])
    func `What is no list of events is refused as a whole`(_ body: String) throws {
        let (response, asked) = try publishers.ask(body, headers: batch)
        #expect(response.status == 400 && asked.isEmpty)
    }

    // MARK: - What an event is called

    @Test func `Events name their requests in each mode, unless a header does`() throws {
        func key(_ body: String, _ headers: [(String, String)]) throws -> RequestKey {
            try #require(try asked(body, headers).key)
        }
        let whole = try key(event("1"), structured)
        #expect(try key(#"{"a":1}"#, binary) == whole)
        #expect(try key("[\(event("1"))]", batch) == whole)
        #expect(try !key(event("2"), structured).hasName(of: whole))
        #expect(try !key("[\(event("1")),1]", batch).hasName(of: whole))
        let named = try key(event("1"), structured + [("Idempotency-Key", "k")])
        #expect(try key(event("2"), structured + [("Idempotency-Key", "k")]) == named)
    }

    @Test func `An event that is written in another way is the same one`() throws {
        func key(_ body: String, _ headers: [(String, String)]) throws -> RequestKey {
            try #require(try asked(body, headers).key)
        }
        let first = try key(event("ä 1"), structured)
        for other in [
            event(#"\u00e4 1"#), event("ä 1", #""data":{ "a" : 1.0 }, "traceparent":"00-1""#),
            #"{"data":{"a":1},"type":"t","source":"/cms","id":"ä 1","specversion":"1.0"}"#,
        ] {
            #expect(try key(other, structured) == first)
            #expect(try key("[ \(other) ]", batch) == first)
        }
        let headers = binary.map { $0.0 == "ce-id" ? ($0.0, "%C3%A4%201") : $0 }
        #expect(try key(#"{"a":1.0}"#, headers + [("Reload-Urgent", "?1")]) == first)
        let named = [("Idempotency-Key", "k")]
        let content = try key(event("1"), structured + named)
        #expect(
            try key(event("1", #""tracestate":"x","data":{"a":1}"#), structured + named) == content
        )
        #expect(try key(event("1", #""data":{"a":2}"#), structured + named) != content)
    }
}
