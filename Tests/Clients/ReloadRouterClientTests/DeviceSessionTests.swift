import Basics
import FrameCodec
import TestSupport
import Testing

@testable import ReloadRouterClient

struct DeviceSessionTests {
    private func established(
        isGateway: Bool = false,
        window: Int = 8,
        limits: ClientLimits = ClientLimits()
    ) throws -> DeviceSession {
        var session = DeviceSession(
            HelloMessage(
                role: isGateway ? .gateway : .device,
                app: "a",
                token: nil,
                name: isGateway ? nil : "d-1"
            ),
            limits: limits
        )
        try reconnect(&session, window: window)
        return session
    }

    private func reconnect(_ session: inout DeviceSession, window: Int = 8) throws {
        session.connected()
        let hello = try ServerFrames.output(&session)
        #expect(hello.map(\.type) == [.hello])
        try ServerFrames.feed(ServerFrames.welcome(window: window), to: &session)
        _ = session.takeEvents()
    }

    private func widgets(_ device: String) -> DeviceFrame {
        DeviceFrame(
            .widgets,
            device: device,
            body: Array(#"{"device":"\#(device)","widgets":[]}"#.utf8)
        )
    }

    private func request(_ device: String) -> DeviceFrame {
        DeviceFrame(.request, device: device, body: Array(#"{"device":"\#(device)"}"#.utf8))
    }

    @Test("Frames get rising numbers from 1 and are answered by the ACK that passes them")
    func answers() throws {
        var session = try established()
        let first = try session.send(widgets("d-1"))
        let second = try session.send(request("d-1"))
        let sent = try ServerFrames.output(&session)
        #expect(sent.map(\.type) == [.widgets, .request])
        #expect(sent.map(\.seq) == [1, 2])
        try ServerFrames.feed(ServerFrames.ack(2), to: &session)
        #expect(
            session.takeEvents() == [
                .accepted(ticket: first!, nil), .accepted(ticket: second!, nil),
            ]
        )
        #expect(session.registrationCount == 1)
    }

    @Test("A REJECT answers its frame alone, and nothing refused is registered")
    func rejection() throws {
        var session = try established()
        let bad = try session.send(widgets("d-1"))
        let good = try session.send(widgets("d-2"))
        _ = try ServerFrames.output(&session)
        try ServerFrames.feed(ServerFrames.reject(1, "kind-unknown"), to: &session)
        try ServerFrames.feed(ServerFrames.ack(2), to: &session)
        let rejection = Rejection(seq: 1, code: "kind-unknown", message: "no")
        #expect(
            session.takeEvents() == [
                .rejected(ticket: bad!, rejection), .accepted(ticket: good!, nil),
            ]
        )
        #expect(session.registrationCount == 1)
    }

    @Test("A RELOAD becomes an event with its number, names and body")
    func reload() throws {
        var session = try established()
        let body = #"{"device":"d-1","kinds":["k"],"widgets":["w1","w2"],"cause":"push","new":[1]}"#
        try ServerFrames.feed(ServerFrames.frame(.reload, 9, body), to: &session)
        let event = ReloadEvent(
            seq: 9,
            device: "d-1",
            kinds: ["k"],
            widgets: ["w1", "w2"],
            cause: "push",
            body: Array(body.utf8)
        )
        #expect(session.takeEvents() == [.reload(event)])
    }

    @Test("A timeline with a date is answered with the date it was given")
    func scheduled() throws {
        var session = try established()
        let body = TimelineMessage.encode(
            device: "d-1",
            widget: "w1",
            reload: 9,
            entries: [1, 2],
            policy: .after(5)
        )
        #expect(
            String(decoding: body, as: UTF8.self)
                == #"{"device":"d-1","widget":"w1","reload":9,"entries":[1,2],"policy":{"after":5}}"#
        )
        let ticket = try session.send(DeviceFrame(.timeline, device: "d-1", body: body))
        _ = try ServerFrames.output(&session)
        let answer = #"{"device":"d-1","widget":"w1","reloadAt":6,"slotDelay":1}"#
        try ServerFrames.feed(ServerFrames.frame(.scheduled, 1, answer), to: &session)
        #expect(session.takeEvents().isEmpty)
        try ServerFrames.feed(ServerFrames.ack(1), to: &session)
        let date = ScheduledReload(reloadAt: 6, slotDelay: 1)
        #expect(session.takeEvents() == [.accepted(ticket: ticket!, date)])
    }

    @Test("A RELOAD's values are passed on as they came, by widget")
    func values() throws {
        var session = try established()
        let body =
            #"{"device":"d-1","kinds":["k"],"widgets":["w1","w2"],"cause":"push","#
            + #""values":{ "w1":{ "hp":3e1,"name":"\u0065lf" } ,"w\u0033":{}}}"#
        try ServerFrames.feed(ServerFrames.frame(.reload, 9, body), to: &session)
        guard case .reload(let event) = session.takeEvents().first else {
            Issue.record("there is no reload")
            return
        }
        #expect(event.values == ["w1": #"{ "hp":3e1,"name":"\u0065lf" }"#, "w3": "{}"])
        #expect(event.values?["w2"] == nil, "that widget has to ask the origin")
    }

    @Test(
        "Values that are no objects are not the protocol's",
        arguments: ["1", "null", "[]", #"{"w1":1}"#, #"{"w1":null}"#, #"{"w1":{},"w2":[]}"#]
    )
    func brokenValues(values: String) throws {
        var session = try established()
        let body =
            #"{"device":"d-1","kinds":["k"],"widgets":["w1"],"cause":"push","values":"#
            + values + "}"
        #expect(throws: ClientError.self) {
            try ServerFrames.feed(ServerFrames.frame(.reload, 9, body), to: &session)
        }
    }

    @Test("SCHEDULED may bring a warning, also one that is not known")
    func warning() throws {
        var session = try established()
        for (seq, warning) in [(1, "entries-close"), (2, "something-new")] as [(UInt64, String)] {
            let body = TimelineMessage.encode(
                device: "d-1",
                widget: "w1",
                reload: nil,
                entries: [1, 2],
                policy: .atEnd
            )
            let ticket = try session.send(DeviceFrame(.timeline, device: "d-1", body: body))
            _ = try ServerFrames.output(&session)
            let answer =
                #"{"device":"d-1","widget":"w1","reloadAt":6,"slotDelay":1,"warning":"#
                + #""\#(warning)"}"#
            try ServerFrames.feed(ServerFrames.frame(.scheduled, seq, answer), to: &session)
            try ServerFrames.feed(ServerFrames.ack(seq), to: &session)
            let date = ScheduledReload(reloadAt: 6, slotDelay: 1, warning: warning)
            #expect(session.takeEvents() == [.accepted(ticket: ticket!, date)])
        }
        let broken = #"{"device":"d-1","widget":"w1","reloadAt":6,"slotDelay":1,"warning":1}"#
        #expect(throws: ClientError.self) {
            try ServerFrames.feed(ServerFrames.frame(.scheduled, 2, broken), to: &session)
        }
    }

    @Test("After a reconnect widgets are registered again, in front of what was not answered")
    func reconnects() throws {
        var session = try established()
        _ = try session.send(widgets("d-1"))
        _ = try ServerFrames.output(&session)
        try ServerFrames.feed(ServerFrames.ack(1), to: &session)
        let sentOnly = try session.send(request("d-1"))
        _ = try ServerFrames.output(&session)
        let waiting = try session.send(request("d-2"))
        _ = session.takeEvents()
        session.disconnected()
        try reconnect(&session)
        let sent = try ServerFrames.output(&session)
        #expect(sent.map(\.type) == [.widgets, .request, .request])
        #expect(sent.map(\.seq) == [1, 2, 3], "numbers begin anew with a connection")
        try ServerFrames.feed(ServerFrames.ack(3), to: &session)
        #expect(
            session.takeEvents() == [
                .accepted(ticket: sentOnly!, nil), .accepted(ticket: waiting!, nil),
            ]
        )
    }

    @Test("A registration repeated over many reconnects stays one")
    func repeatedReconnects() throws {
        var session = try established()
        _ = try session.send(widgets("d-1"))
        _ = try ServerFrames.output(&session)
        try ServerFrames.feed(ServerFrames.ack(1), to: &session)
        for _ in 0..<5 {
            session.disconnected()
            try reconnect(&session)
        }
        #expect(try ServerFrames.output(&session).map(\.type) == [.widgets])
    }

    @Test("A registration that the router no longer takes is reported and forgotten")
    func registrationLost() throws {
        var session = try established()
        _ = try session.send(widgets("d-1"))
        _ = try ServerFrames.output(&session)
        try ServerFrames.feed(ServerFrames.ack(1), to: &session)
        session.disconnected()
        try reconnect(&session)
        _ = try ServerFrames.output(&session)
        _ = session.takeEvents()
        try ServerFrames.feed(ServerFrames.reject(1, "kind-unknown"), to: &session)
        let rejection = Rejection(seq: 1, code: "kind-unknown", message: "no")
        #expect(session.takeEvents() == [.registrationLost(device: "d-1", rejection)])
        #expect(session.registrationCount == 0)
    }

    @Test("A gateway attaches its devices after a reconnect, and registers those that are unknown")
    func attach() throws {
        var session = try established(isGateway: true)
        for number in 1...4 { _ = try session.send(widgets("d-\(number)")) }
        _ = try ServerFrames.output(&session)
        try ServerFrames.feed(ServerFrames.ack(4), to: &session)
        _ = try session.send(request("d-1"))
        session.disconnected()
        try reconnect(&session)
        let sent = try ServerFrames.output(&session)
        #expect(sent.map(\.type) == [.attach] && sent[0].seq == 1, "the request waits")
        for number in 1...4 { #expect(sent[0].body.contains(#""d-\#(number)""#)) }
        let answer = #"{"attached":1,"unknown":["d-2"],"own":["d-3"],"foreign":["d-4"]}"#
        try ServerFrames.feed(ServerFrames.frame(.attached, 1, answer), to: &session)
        #expect(try ServerFrames.output(&session).isEmpty, "not before the ACK")
        try ServerFrames.feed(ServerFrames.ack(1), to: &session)
        let lost = session.takeEvents().compactMap { event in
            switch event {
            case .detached(let device, let reason): device + " " + reason
            case .registrationLost(let device, let rejection): device + " " + rejection.code
            default: nil
            }
        }
        #expect(lost == ["d-3 session", "d-4 device-foreign"])
        let next = try ServerFrames.output(&session)
        #expect(next.map(\.type) == [.widgets, .request])
        #expect(next[0].body.contains(#""d-2""#) && session.registrationCount == 2)
    }

    @Test("A gateway registers all devices of an ATTACH that is refused")
    func refusedAttach() throws {
        var session = try established(isGateway: true)
        for number in 1...3 { _ = try session.send(widgets("d-\(number)")) }
        _ = try ServerFrames.output(&session)
        try ServerFrames.feed(ServerFrames.ack(3), to: &session)
        session.disconnected()
        try reconnect(&session)
        _ = try ServerFrames.output(&session)
        try ServerFrames.feed(ServerFrames.reject(1, "body-invalid"), to: &session)
        #expect(try ServerFrames.output(&session).map(\.type) == [.widgets, .widgets, .widgets])
    }

    @Test("No ATTACH has more devices or bytes than a router accepts")
    func attachPortions() throws {
        var limits = ClientLimits()
        limits.unansweredFrames = 4_096
        var session = try established(isGateway: true, window: 4_096, limits: limits)
        for number in 1...2_100 { _ = try session.send(widgets("d-\(number)")) }
        _ = try ServerFrames.output(&session)
        try ServerFrames.feed(ServerFrames.ack(2_100), to: &session)
        for maxBody in [1_000, 65_536] {
            session.disconnected()
            session.connected()
            _ = try ServerFrames.output(&session)
            let welcome = ServerFrames.welcome(window: 4_096, maxBody: maxBody)
            try ServerFrames.feed(welcome, to: &session)
            let sent = try ServerFrames.output(&session)
            let counts = sent.map { $0.body.split(separator: ",").count }
            #expect(counts.reduce(0, +) == 2_100)
            #expect(sent.allSatisfy { $0.type == .attach && $0.body.utf8.count <= maxBody })
            if maxBody > 1_000 { #expect(counts == [1_024, 1_024, 52]) }
        }
    }

    @Test("A device that is lost to another session is reported, and not registered again")
    func detached() throws {
        var session = try established()
        for device in ["d-1", "d-2"] { _ = try session.send(widgets(device)) }
        _ = try ServerFrames.output(&session)
        try ServerFrames.feed(ServerFrames.ack(2), to: &session)
        _ = session.takeEvents()
        let body = #"{"device":"d-1","reason":"session"}"#
        try ServerFrames.feed(ServerFrames.frame(.detached, 0, body), to: &session)
        #expect(session.takeEvents() == [.detached(device: "d-1", reason: "session")])
        #expect(session.registrationCount == 1)
        session.disconnected()
        try reconnect(&session)
        let sent = try ServerFrames.output(&session)
        #expect(sent.count == 1 && sent[0].body.contains(#""d-2""#), "\(sent)")
    }

    @Test("The window bounds what is in flight, and the limits what waits")
    func limits() throws {
        var limits = ClientLimits()
        limits.unansweredFrames = 3
        limits.registrations = 1
        var session = try established(window: 2, limits: limits)
        #expect(try session.send(widgets("d-1")) != nil)
        #expect(try session.send(request("d-1")) != nil)
        #expect(try session.send(request("d-1")) != nil)
        #expect(try session.send(request("d-1")) == nil)
        #expect(try ServerFrames.output(&session).count == 2)
        try ServerFrames.feed(ServerFrames.ack(2), to: &session)
        #expect(try ServerFrames.output(&session).count == 1)
        #expect(throws: ClientError.limitReached("1 registrations")) {
            try session.send(widgets("d-2"))
        }
        #expect(try session.send(widgets("d-1")) != nil, "a known device may change its widgets")
    }

    @Test("The limit of registrations counts those that are not answered, and no refused ones")
    func unansweredRegistrations() throws {
        var limits = ClientLimits()
        limits.registrations = 2
        var session = try established(limits: limits)
        _ = try session.send(widgets("d-1"))
        _ = try session.send(widgets("d-2"))
        _ = try session.send(widgets("d-2"))
        let full = ClientError.limitReached("2 registrations")
        #expect(throws: full) { try session.send(widgets("d-3")) }
        _ = try ServerFrames.output(&session)
        #expect(throws: full) { try session.send(widgets("d-3")) }
        try ServerFrames.feed(ServerFrames.ack(1), to: &session)
        try ServerFrames.feed(ServerFrames.reject(2, "kind-unknown"), to: &session)
        #expect(throws: full) { try session.send(widgets("d-3")) }
        try ServerFrames.feed(ServerFrames.reject(3, "kind-unknown"), to: &session)
        #expect(session.registrationCount == 1)
        #expect(try session.send(widgets("d-3")) != nil)
        #expect(try session.send(widgets("d-1")) != nil, "a known device may change its widgets")
        session.disconnected()
        try reconnect(&session)
        #expect(throws: full) { try session.send(widgets("d-4")) }
    }

    @Test("PINGs are answered, but not without end")
    func pings() throws {
        var session = try established()
        try ServerFrames.feed(ServerFrames.frame(.ping, 3), to: &session)
        #expect(try ServerFrames.output(&session) == [.init(type: .pong, seq: 3)])
        let flood = [[UInt8]](repeating: ServerFrames.frame(.ping, 3), count: 5_000)
        #expect(throws: ClientError.self) {
            try ServerFrames.feed(Array(flood.joined()), to: &session)
        }
    }
}

struct ClientPartsTests {
    @Test("Pauses double up to the longest, with jitter, and begin anew after a good connection")
    func backoff() {
        var backoff = Backoff(ClientLimits(), generator: SeededGenerator(seed: 1))
        for longest in [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000] as [Int64] {
            let pause = backoff.pause()
            #expect((longest / 2...longest).contains(pause.rawValue))
        }
        backoff.reset()
        let pause = backoff.pause()
        #expect((50...100).contains(pause.rawValue))
        for _ in 1...3 {
            let long = backoff.pause(isLong: true)
            #expect((2_500...5_000).contains(long.rawValue), "the router has no room")
        }
    }

    @Test("A queue gives back what it was given, in order, whatever is taken from its middle")
    func queue() throws {
        var queue = FIFO<Int>()
        var model: [Int] = []
        var random = SeededGenerator(seed: 7)
        for number in 0..<20_000 {
            switch random.next() % 5 {
            case 0...2:
                queue.append(number)
                model.append(number)
            case 3:
                let first = model.isEmpty ? nil : model.removeFirst()
                #expect(queue.popFirst() == first)
            default:
                let index = model.firstIndex { $0 % 3 == 0 }
                let removed = index.map { model.remove(at: $0) }
                #expect(queue.remove { $0 % 3 == 0 } == removed)
            }
            #expect(queue.count == model.count)
            if number % 100 == 0 { try queue.checkInvariants() }
        }
        #expect(queue.removeAll() == model)
    }

    @Test("Unasked timelines say why, and that the device has its own timer")
    func unaskedTimelines() {
        for reason in TimelineReason.allCases {
            let body = TimelineMessage.encode(
                device: "d",
                widget: "w",
                reload: nil,
                because: reason,
                entries: [],
                policy: .never
            )
            #expect(
                String(decoding: body, as: UTF8.self)
                    == #"{"device":"d","widget":"w","because":"\#(reason)","entries":[],"#
                    + #""policy":"never"}"#
            )
        }
        #expect(UnaskedReason.allCases.map(\.rawValue) == TimelineReason.allCases.map(\.rawValue))
        let body = TimelineMessage.encode(
            device: "d",
            widget: "w",
            reload: 7,
            entries: [1],
            policy: .atEnd,
            ownTimer: true
        )
        #expect(
            String(decoding: body, as: UTF8.self)
                == #"{"device":"d","widget":"w","reload":7,"entries":[1],"policy":"atEnd","#
                + #""ownTimer":true}"#
        )
    }

    @Test("A request says whether it follows a download")
    func requests() {
        let plain = RequestMessage.encode(device: "d", kind: "k")
        #expect(String(decoding: plain, as: UTF8.self) == #"{"device":"d","kind":"k"}"#)
        let download = RequestMessage.encode(device: "d", kind: nil, isDownload: true)
        #expect(
            String(decoding: download, as: UTF8.self) == #"{"device":"d","because":"download"}"#
        )
    }

    @Test("A WIDGETS body is judged before it is sent")
    func widgetsBody() throws {
        let good = Array(#"{"device":"d-1","widgets":[]}"#.utf8)
        #expect(try DeviceBodies.device(ofWidgets: good) == "d-1")
        for text in ["{", "[]", "{}", #"{"device":1,"widgets":[]}"#] {
            #expect(throws: ClientError.self) {
                try DeviceBodies.device(ofWidgets: Array(text.utf8))
            }
        }
    }
}
