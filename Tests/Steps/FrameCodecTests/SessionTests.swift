import Basics
import FrameCodec
import Testing

@Suite("A session")
struct SessionTests {
    static let roles: [Peer] = [.publisher, .device, .gateway]

    /// What each role's frames are to the session; what is not here is `frame-unexpected`.
    private static let legal: [Peer: [FrameType: SessionInput]] = {
        let device: [FrameType: SessionInput] = [
            .ping: .ping, .pong: .pong, .widgets: .widgets, .timeline: .timeline,
            .state: .state, .request: .request,
        ]
        return [
            .publisher: [.ping: .ping, .pong: .pong, .push: .push],
            .device: device, .gateway: device.merging([.attach: .attach]) { $1 },
        ]
    }()

    @Test("takes from each role the frames that are its own, and no others", arguments: roles)
    func everyRoleAndType(role: Peer) {
        for type in FrameType.allCases {
            var session = session(role)
            let header = FrameHeader(type: type, seq: 1, bodyCount: 0)
            if let input = Self.legal[role]?[type] {
                #expect(outcome(&session, header) == .success(input), "\(type.name)")
            } else {
                #expect(code(&session, header) == .frameUnexpected, "\(type.name)")
            }
        }
    }

    @Test("agrees with the table of who may send which type", arguments: roles)
    func senders(role: Peer) {
        for type in FrameType.allCases where type != .hello {
            let isLegal = Self.legal[role]?[type] != nil
            #expect(type.senders.contains(role) == isLegal, "\(type.name)")
        }
        #expect(FrameType.hello.senders.contains(role))
    }

    @Test("begins with HELLO and nothing else")
    func firstFrame() {
        for type in FrameType.allCases {
            var session = Session()
            let header = FrameHeader(type: type, seq: 0, bodyCount: 2)
            if type == .hello {
                #expect(outcome(&session, header) == .success(.hello))
            } else {
                #expect(code(&session, header) == .helloExpected, "\(type.name)")
            }
        }
    }

    @Test("wants seq 0 for HELLO")
    func helloSeq() {
        var session = Session()
        #expect(code(&session, .init(type: .hello, seq: 1, bodyCount: 2)) == .helloInvalid)
    }

    @Test("takes nothing any more when it has ended", arguments: roles)
    func ended(role: Peer) {
        var session = session(role)
        session.end()
        for type in FrameType.allCases {
            let header = FrameHeader(type: type, seq: 9, bodyCount: 0)
            #expect(code(&session, header) == .frameUnexpected, "\(type.name)")
        }
    }

    @Test("refuses a PING or PONG with a body")
    func emptyBodies() {
        for role in Self.roles {
            for type in [FrameType.ping, .pong] {
                var session = session(role)
                let header = FrameHeader(type: type, seq: 0, bodyCount: 1)
                #expect(code(&session, header) == .frameLength, "\(type.name) of a \(role)")
            }
        }
    }

    @Test("lets PING and PONG have any seq, in any order")
    func pingSeq() {
        var session = session(.publisher)
        for seq in [9, 0, 9, UInt64.max, 1] {
            let header = FrameHeader(type: .ping, seq: seq, bodyCount: 0)
            #expect(outcome(&session, header) == .success(.ping))
        }
        #expect(session.highestSeq == 0)
    }

    @Test("takes a push above the last one as new, with gaps, and those of before as duplicates")
    func duplicates() {
        var session = session(.publisher, lastSeq: 10)
        for (seq, input) in [
            (1, .duplicatePush), (10, .duplicatePush), (11, .push), (10, .duplicatePush),
            (500, .push), (2, .duplicatePush), (500 + 1 << 32, .push),
        ] as [(UInt64, SessionInput)] {
            #expect(outcome(&session, push(seq)) == .success(input), "push \(seq)")
        }
        #expect(session.highestSeq == 500 + 1 << 32)
    }

    @Test("refuses a push that does not rise above those of the same session")
    func notRising() {
        for seq in [11, 12, 499, 500] as [UInt64] {
            var session = session(.publisher, lastSeq: 10)
            for seq in [12, 500] as [UInt64] { _ = outcome(&session, push(seq)) }
            #expect(code(&session, push(seq)) == .seqNotRising)
        }
    }

    @Test("lets the pushes of a session be repeated where the answers say so")
    func repeats() {
        var session = session(.publisher, lastSeq: 10)
        session.allowRepeats()
        for (seq, input) in [
            (12, .push), (11, .duplicatePush), (12, .duplicatePush), (13, .push),
        ] as [(UInt64, SessionInput)] {
            #expect(outcome(&session, push(seq)) == .success(input), "push \(seq)")
        }
    }

    @Test("refuses numbers that are too high, or too far above the last one")
    func tooHigh() {
        let most = RouterLimits.numberLimit
        for (lastSeq, seq, error) in [
            (0, 1 << 32, nil), (0, 1 << 32 + 1, .seqTooHigh), (7, 7 + 1 << 32, nil),
            (7, 8 + 1 << 32, .seqTooHigh), (most - 1, most, nil), (most - 1, most + 1, .seqTooHigh),
            (most, most + 1, .seqTooHigh), (0, .max, .seqTooHigh), (most, .max, .seqTooHigh),
            // What a version without the limit has accepted may come again.
            (.max, .max, nil), (.max, most, nil),
        ] as [(UInt64, UInt64, ErrorCode?)] {
            var session = session(.publisher, lastSeq: lastSeq)
            #expect(code(&session, push(seq)) == error, "\(seq) after \(lastSeq)")
        }
        for (seq, error) in [(most, nil), (most + 1, .seqTooHigh)] as [(UInt64, ErrorCode?)] {
            var session = session(.device)
            let header = FrameHeader(type: .request, seq: seq, bodyCount: 0)
            #expect(code(&session, header) == error, "\(seq)")
        }
    }

    @Test("refuses a push with seq 0, of a new and of a known producer")
    func pushZero() {
        for lastSeq in [0, 7] as [UInt64] {
            var session = session(.publisher, lastSeq: lastSeq)
            #expect(code(&session, push(0)) == .seqNotRising)
        }
    }

    @Test("refuses the push that makes more than the window unacknowledged, also a duplicate")
    func window() {
        var session = session(.publisher, lastSeq: 2)
        for seq in [1, 2, 3, 4] as [UInt64] {
            #expect((try? outcome(&session, push(seq), window: 4).get()) != nil)
        }
        var replica = session
        #expect(code(&session, push(5), window: 4) == .windowExceeded)
        #expect(code(&replica, push(1), window: 4) == .windowExceeded)
    }

    @Test("opens the window again when it has acknowledged")
    func windowReopens() {
        var session = session(.publisher)
        for round in 0..<5 as Range<UInt64> {
            for seq in 1...4 as ClosedRange<UInt64> {
                let outcome = outcome(&session, push(round * 4 + seq), window: 4)
                #expect(outcome == .success(.push))
            }
            #expect(session.unacknowledged == 4)
            session.acknowledged()
        }
    }

    @Test(
        "wants the seq of a device's frames to rise, from 1, over all their types",
        arguments: [Peer.device, .gateway]
    )
    func deviceSeq(role: Peer) {
        for type in [FrameType.widgets, .timeline, .state, .request] {
            var session = session(role)
            #expect(code(&session, .init(type: type, seq: 0, bodyCount: 2)) == .seqNotRising)
            session = self.session(role)
            let first = FrameHeader(type: .widgets, seq: 5, bodyCount: 2)
            #expect(outcome(&session, first) == .success(.widgets))
            for seq in [5, 4, 1] as [UInt64] {
                var copy = session
                let header = FrameHeader(type: type, seq: seq, bodyCount: 2)
                #expect(code(&copy, header) == .seqNotRising, "\(type.name) \(seq)")
            }
            #expect(code(&session, .init(type: type, seq: 9, bodyCount: 2)) == nil)
        }
    }

    @Test("says what is wrong with a frame in a sentence that names the frame")
    func sentences() {
        var session = session(.publisher)
        #expect(message(&session, .init(type: .widgets, seq: 1, bodyCount: 0)).contains("WIDGETS"))
        #expect(message(&session, push(0)).contains("seq 0"))
        var fresh = Session()
        #expect(message(&fresh, push(1)).contains("PUSH"))
    }

    private func session(_ role: Peer, lastSeq: UInt64 = 0) -> Session {
        var session = Session()
        session.accept(role, lastSeq: lastSeq)
        return session
    }

    private func push(_ seq: UInt64) -> FrameHeader {
        FrameHeader(type: .push, seq: seq, bodyCount: 2)
    }

    private func message(_ session: inout Session, _ header: FrameHeader) -> String {
        guard case .failure(let error) = outcome(&session, header) else { return "" }
        return error.message
    }
}

/// What a session says to a frame.
func outcome(
    _ session: inout Session,
    _ header: FrameHeader,
    window: Int = 100
) -> Result<SessionInput, ProtocolError> {
    do throws(ProtocolError) {
        return .success(try session.received(header, window: window, jump: 1 << 32))
    } catch {
        return .failure(error)
    }
}

/// The code with which a session refuses a frame, or nil.
func code(
    _ session: inout Session,
    _ header: FrameHeader,
    window: Int = 100
) -> ErrorCode? {
    guard case .failure(let error) = outcome(&session, header, window: window) else { return nil }
    return error.code
}
