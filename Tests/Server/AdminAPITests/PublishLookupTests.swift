import Basics
import FrameCodec
import HTTPMessages
import HTTPServing
import Testing

@testable import AdminAPI

/// What publishers over HTTP may ask of their pushes.
@Suite("A publisher's question")
struct PublishLookupTests {
    private let stage = PublishingTests()

    private func ask(
        _ path: String,
        query: [(name: String, value: String)] = [],
        token: String? = "right",
        reply: PublishAnswer = .json([])
    ) throws -> (response: HTTPResponse, asked: PushLookup?) {
        var asked: PushLookup?
        let response = try stage.ask(
            "",
            path: "/v1/apps/game/pushes\(path)",
            method: "GET",
            query: query,
            token: token,
            reply: reply,
            onLookup: { asked = $0 }
        ).response
        return (response, asked)
    }

    /// The key of an event or a request that is sent.
    private func sent(
        _ body: String,
        headers: [(name: String, value: String)]
    ) throws -> PushRequest {
        try #require(try stage.ask(body, headers: headers).asked.first)
    }

    @Test func `A push of a producer that it may speak for is looked up`() throws {
        let (response, asked) = try ask(
            "/shard-7/41",
            query: [("after", "3"), ("limit", "2")],
            reply: .json(Array("{}".utf8))
        )
        #expect(response.status == 200 && response.body == Array("{}\n".utf8))
        #expect(asked?.text == "history game shard-7 41 3 2")
        #expect(try ask("/shard-7/41").asked?.text == "history game shard-7 41 - 64")
    }

    @Test func `Whether another's producer exists is not said`() throws {
        let own = PublishSender.producer(of: try senderName(), lane: 0)
        for producer in ["other", "(http)", "(http 2)", "(operator)", "\(own) ", "(\(own))"] {
            let (response, asked) = try ask("/\(PercentEscapes.encode(producer))/1")
            #expect(response.status == 403 && stage.code(response) == "token-invalid")
            #expect(asked == nil)
        }
        #expect(try ask("/shard-1/1", token: "wrong").response.status == 401)
    }

    @Test func `The router's own producers of the sender are the sender's`() throws {
        let name = try senderName()
        for lane in [0, 1, 15] {
            let producer = PublishSender.producer(of: name, lane: lane)
            let asked = try ask("/\(PercentEscapes.encode(producer))/1").asked
            #expect(asked?.text == "history game \(producer) 1 - 64")
        }
        let beyond = PublishSender.producer(of: name, lane: 16)
        #expect(try ask("/\(PercentEscapes.encode(beyond))/1").response.status == 403)
    }

    private func senderName() throws -> String {
        let push = try #require(try stage.ask().asked.first)
        return try #require(push.sender.name)
    }

    @Test func `The pushes of a request are found by the key that it had`() throws {
        let push = try sent("{}", headers: [("Idempotency-Key", #""order 17""#)])
        let (_, asked) = try ask("", query: [("key", "order+17")])
        guard case .list(let list)? = asked else { return #expect(asked != nil) }
        #expect(try #require(list.name).hasName(of: try #require(push.key)))
        #expect(list.app == "game" && list.producer == nil && list.limit == 64)
        #expect(push.names.isEmpty)
    }

    @Test func `The push of an event is found by it, alone, in a list and numbered`() throws {
        let event = #"{"specversion":"1.0","id":"1","source":"/s","type":"t","data":{}}"#
        let (_, asked) = try ask("", query: [("source", "%2Fs"), ("id", "1")])
        guard case .list(let list)? = asked, let name = list.name else {
            return #expect(asked != nil)
        }
        let alone = try sent(event, headers: [("Content-Type", CloudEvent.structuredType)])
        #expect(try #require(alone.key).hasName(of: name) && alone.names.isEmpty)
        let batch = [("Content-Type", CloudEvent.batchType)]
        #expect(try sent("[{},\(event)]", headers: batch).names == [0, name.high])
        #expect(try #require(try sent("[\(event)]", headers: batch).key).hasName(of: name))
        let keyed = try sent("[{},\(event)]", headers: batch + [("Idempotency-Key", "k")])
        #expect(keyed.names.isEmpty)
        let numbered = try stage.ask(
            event,
            query: [("producer", "shard-1"), ("seq", "1")],
            headers: [("Content-Type", CloudEvent.structuredType)]
        ).asked.first
        #expect(numbered?.names == [name.high] && numbered?.key == nil)
    }

    @Test(
        arguments: [
            ("", ""), ("", "key="), ("", "source=s"), ("", "id=1"), ("", "key=k&source=s&id=1"),
            ("", "key=k&limit=65"), ("", "key=k&limit=0"), ("", "key=k&producer=shard-1"),
            ("", "key=k&key=k"), ("/shard-1/0", ""), ("/shard-1/+1", ""), ("/shard-1/x", ""),
            ("/shard-1/9007199254740992", ""), ("/shard-1/1", "key=k"),
            ("/shard-1/1", "after=-1"), ("/shard-1/1", "limt=1"),
        ]
    )
    func `What it cannot mean is refused`(path: String, query: String) throws {
        let parts = query.split(separator: "&").map { part in
            let halves = part.split(separator: "=", omittingEmptySubsequences: false)
            return (name: String(halves[0]), value: String(halves[1]))
        }
        let (response, asked) = try ask(path, query: parts)
        #expect(response.status == 400 && stage.code(response) == "parameter-invalid")
        #expect(asked == nil)
    }

    @Test func `An answer to pushes says where their history is`() throws {
        var body = PushesBody(accepted: 1, matched: 0, lastSeq: 5, outcome: PushesOutcome())
        #expect(try stage.ask(reply: PublishAnswer(body)).response.header("Location") == nil)
        body.location = "/v1/apps/game/pushes/%28http%29/5"
        for headers in [[], [("Prefer", "return=minimal")]] as [[(String, String)]] {
            let response = try stage.ask(headers: headers, reply: PublishAnswer(body)).response
            #expect(response.header("Location") == body.location)
        }
    }

    @Test func `Another method is refused with those that there are`() throws {
        let (response, _) = try stage.ask(path: "/v1/apps/game/pushes/shard-1/1", method: "POST")
        #expect(response.status == 405 && response.header("Allow") == "GET, HEAD, OPTIONS")
    }
}
