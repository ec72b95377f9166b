import Basics
import FrameCodec
import Testing

@testable import ReloadRouterClient

struct DeviceStateTests {
    private func reconnect(_ session: inout DeviceSession) throws {
        session.connected()
        _ = try ServerFrames.output(&session)
        try ServerFrames.feed(ServerFrames.welcome(), to: &session)
        _ = session.takeEvents()
    }

    @Test("A STATE says what changed and leaves out what did not")
    func state() throws {
        func text(_ body: [UInt8]) -> String { String(decoding: body, as: UTF8.self) }
        #expect(text(StateMessage.encode(device: "d")) == #"{"device":"d"}"#)
        let all = StateMessage.encode(
            device: "d",
            foreground: false,
            media: .navigation,
            visible: ["w1", "w2"],
            hasMovedSignificantly: true
        )
        #expect(
            text(all)
                == #"{"device":"d","foreground":false,"media":"navigation","#
                + #""visible":["w1","w2"],"location":"significant-change"}"#
        )
        let nothing = StateMessage.encode(device: "d", media: StateMessage.Media.none, visible: [])
        #expect(text(nothing) == #"{"device":"d","media":null,"visible":[]}"#)
    }

    @Test("The router reads a STATE as it was meant", arguments: MediaActivity.allCases)
    func stateIsRead(media: MediaActivity) throws {
        let body = StateMessage.encode(
            device: "d",
            foreground: true,
            media: StateMessage.Media(media),
            visible: ["w"]
        )
        try body.withByteView { view in
            let message = try StateMessage(view)
            #expect(message.device.string == "d")
            #expect(message.foreground == true)
            #expect(message.media == StateMessage.Media(media))
            #expect(message.visible?.string == #"["w"]"#)
            #expect(!message.hasMovedSignificantly)
        }
    }

    @Test("A STATE that was not answered is sent again over the next connection")
    func stateIsRepeated() throws {
        var session = DeviceSession(
            HelloMessage(role: .gateway, app: "a", token: nil, name: nil)
        )
        try reconnect(&session)
        let body = StateMessage.encode(device: "d-1", visible: ["w1"])
        let ticket = try session.send(DeviceFrame(.state, device: "d-1", body: body))
        _ = try ServerFrames.output(&session)
        session.disconnected()
        try reconnect(&session)
        let sent = try ServerFrames.output(&session)
        #expect(sent.map(\.type) == [.state])
        #expect(sent.map(\.body) == [#"{"device":"d-1","visible":["w1"]}"#])
        try ServerFrames.feed(ServerFrames.ack(1), to: &session)
        #expect(session.takeEvents() == [.accepted(ticket: ticket!, nil)])
    }
}
