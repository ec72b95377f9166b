import Basics
import FrameCodec
import Testing

@testable import ReloadRouterClient

/// A router whose store was replaced by an older one knows less than its publishers.
@Suite("Pushes that the router has lost")
struct LostPushesTests {
    private func reconnect(
        _ session: inout PublisherSession,
        lastSeq: UInt64,
        behind: UInt64?
    )
        throws -> String
    {
        session.disconnected()
        session.connected()
        let hello = try ServerFrames.output(&session)[0].body
        try ServerFrames.feed(
            ServerFrames.welcome(lastSeq: lastSeq, rejected: [], behind: behind),
            to: &session
        )
        return hello
    }

    @Test("are reported once, and those without an answer are sent again")
    func lost() throws {
        let hello = HelloMessage(role: .publisher, app: "a", token: "t", name: "p")
        var session = PublisherSession(hello)
        session.connected()
        _ = try ServerFrames.output(&session)
        try ServerFrames.feed(ServerFrames.welcome(lastSeq: 0), to: &session)
        for _ in 0..<4 { _ = try session.push(Array("{}".utf8)) }
        _ = try ServerFrames.output(&session)
        try ServerFrames.feed(ServerFrames.ack(3), to: &session)
        _ = session.takeEvents()

        let first = try reconnect(&session, lastSeq: 1, behind: 2)
        #expect(first.hasSuffix(#""acked":3}"#))
        #expect(session.takeEvents() == [.lost(2...3)])
        #expect(try ServerFrames.output(&session).map(\.seq) == [4])

        let second = try reconnect(&session, lastSeq: 1, behind: nil)
        #expect(second.hasSuffix(#""acked":1}"#), "what the router has said since")
        #expect(session.takeEvents().isEmpty)
        _ = try ServerFrames.output(&session)
        try ServerFrames.feed(ServerFrames.ack(4), to: &session)
        let third = try reconnect(&session, lastSeq: 4, behind: nil)
        #expect(third.hasSuffix(#""acked":4}"#))
        #expect(session.statistics.accepted == 4)
    }

    @Test("cannot be more than there were")
    func impossible() throws {
        let hello = HelloMessage(role: .publisher, app: "a", token: "t", name: "p")
        var session = PublisherSession(hello)
        session.connected()
        _ = try ServerFrames.output(&session)
        try ServerFrames.feed(
            ServerFrames.welcome(lastSeq: 0, rejected: [], behind: 7),
            to: &session
        )
        #expect(session.takeEvents().isEmpty)
    }
}
