import Basics
import Credentials
import Cryptography
import Testing

@testable import AdminAPI

@Suite("Who sends pushes over HTTP without a producer")
struct PublishSenderTests {
    private func sender(
        _ id: String?,
        names: [String] = ["*"],
        granted: [String]? = nil
    ) throws -> PublishSender {
        let credential = try id.map {
            Credential(
                id: $0,
                proof: .certificate(.dns("shard.example")),
                names: try NamePatterns(names)
            )
        }
        return PublishSender(credential, names: try NamePatterns(granted ?? names))
    }

    private func key(_ sender: PublishSender, app: String = "game") -> RequestKey {
        var request = PushRequest(app: app, payloads: Payloads(Array("{}".utf8)))
        request.sender = sender
        return request.key(named: .key("order-17"))
    }

    @Test func `A key belongs to an app and a credential, and to what a signed token may do`()
        throws
    {
        let senders = [
            try sender(nil), try sender("ci"), try sender("cj"),
            try sender("ci", granted: ["shard-1"]), try sender("ci", granted: ["shard-2"]),
            try sender("cishard-1"),
        ]
        let keys = senders.map { key($0).high } + [key(senders[1], app: "news").high]
        #expect(Set(keys).count == keys.count)
        // Which producers a token may speak for can change without another credential.
        #expect(key(try sender("ci", names: ["shard-*"])) == key(senders[1]))
        let event = CloudEvent.Name(source: "/cms", id: "1")
        var requests = [
            PushRequest(app: "game", payloads: Payloads(of: [])),
            PushRequest(app: "game", payloads: Payloads(of: [])),
        ]
        requests[1].sender = senders[1]
        #expect(Set(requests.map { $0.key(named: .cloudEvents([event])).high }).count == 2)
    }

    @Test func `Only who may speak for some producers alone has a name`() throws {
        #expect(try sender(nil).name == nil && sender("ci").name == nil)
        let shard = try #require(try sender("ci", granted: ["shard-1"]).name)
        let other = try #require(try sender("ci", granted: ["shard-2"]).name)
        let token = try #require(try sender("ci", names: ["shard-1"]).name)
        #expect(Set([shard, other, token]).count == 3)
        #expect([shard, other, token].allSatisfy { $0.hasPrefix("ci ") && $0.utf8.count == 19 })
        let long = try #require(
            try sender(String(repeating: "ä", count: 64), names: ["shard-1"]).name
        )
        #expect(long.utf8.count == 64 + 17 && long.hasPrefix("ää"))
    }
}
