import Basics
import FrameCodec
import RouterCore
import TestSupport
import Testing

/// Every malformed vector of `protocol/vectors`, through the whole router.
@Suite("The malformed vectors")
struct MalformedVectorTests {
    @Test("get the error or the refusal of the vectors, and affect no other client")
    func all() throws {
        var ending: Set<ErrorCode> = []
        for vector in try vectors() {
            let name = try #require(vector["name"])
            let code = try #require(ErrorCode(rawValue: vector["error"] ?? ""), "\(name)")
            let harness = RouterHarness(catalog: .vectors)
            let bystander = harness.connect(.publisher, "bystander", app: "com.mygame")
            let slot = begin(harness, vector["role"] ?? "")
            harness.send(slot, try ProtocolFiles.bytes(vector["hex"] ?? ""))
            let sent = harness.step()
            #expect(sent.count == 1, "\(name): \(sent)")
            switch (sent.first, vector["effect"]) {
            case (.fail(slot, code, let message), "error"),
                (
                    .reject(slot, _, code, let message), "reject"
                ):
                #expect(!message.isEmpty, "\(name)")
            default:
                Issue.record("\(name) should get \(code.rawValue), got \(sent)")
            }
            if vector["effect"] == "reject" {
                harness.send(slot, encodeFrame(.ping, seq: 3))
                #expect(harness.step() == [.pong(slot, seq: 3)], "\(name)")
            } else {
                ending.insert(code)
            }
            harness.push(bystander, 1, "{}")
            #expect(harness.step() == [.ack(bystander, seq: 1, matched: 0)], "\(name)")
        }
        let ofHeaders: Set<ErrorCode> = [
            .frameLength, .frameType, .frameFlags, .frameReserved, .frameUnexpected, .helloExpected,
        ]
        #expect(ending.isSuperset(of: ofHeaders), "each error of a header has a vector")
    }

    /// Brings a connection into the state that a vector is for.
    private func begin(_ harness: RouterHarness, _ role: String) -> ConnectionSlot {
        switch role {
        case "publisher":
            return harness.connect(.publisher, "p", app: "com.mygame")
        case "device":
            let slot = harness.connect(.device, "d-1", app: "com.mygame")
            harness.widgets(slot, "d-1", [.init("w1", "com.mygame.character-detail")])
            _ = harness.step()
            return slot
        case "gateway":
            return harness.connect(.gateway, app: "com.mygame")
        default:
            return harness.open()
        }
    }

    private func vectors() throws -> [[String: String]] {
        let json = try ProtocolFiles.read("vectors/malformed.json")
        let vectors = try #require(json as? [[String: String]])
        // The driver judges who is let in.
        return vectors.filter { $0["error"] != "token-invalid" }
    }
}

extension AppCatalog {
    /// The app that the vectors assume.
    static let vectors = AppCatalog(apps: [
        AppDeclaration(
            app: "com.mygame",
            kinds: [
                KindDeclaration(
                    kind: "com.mygame.character-detail",
                    rule: .parameter("character")
                ),
                KindDeclaration(kind: "com.mygame.leaderboard"),
            ]
        )
    ])
}
