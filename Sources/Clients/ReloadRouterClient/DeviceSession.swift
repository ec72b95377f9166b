package import Basics
package import FrameCodec

/// What a device's session reports to its driver.
package enum DeviceEvent: Equatable, Sendable {
    /// The router asks for a reload.
    case reload(ReloadEvent)
    /// A frame was accepted. The date is nil unless the frame was a timeline with a reload date.
    case accepted(ticket: UInt64, ScheduledReload?)
    /// A frame was refused.
    case rejected(ticket: UInt64, Rejection)
    /// After a reconnect, the router has refused the widgets of a device that it had accepted
    /// before.
    case registrationLost(device: String, Rejection)
    /// The gateway no longer speaks for a device: it has a session of its own, or another gateway
    /// speaks for it or has removed it.
    case detached(device: String, reason: String)
}

/// A frame from a device to the router, without its sequence number.
package struct DeviceFrame: Equatable, Sendable {
    /// The type: WIDGETS, TIMELINE, REQUEST or STATE.
    package var type: FrameType
    /// The device that the frame is about.
    package var device: String
    /// The body, a JSON object.
    package var body: [UInt8]

    /// Makes a frame; its sequence number is assigned when it is sent.
    package init(_ type: FrameType, device: String, body: [UInt8]) {
        self.type = type
        self.device = device
        self.body = body
    }
}

/// A device's or gateway's session: registers widgets, again after each reconnect, and receives
/// reloads.
///
/// Frames that the router had not answered when a connection broke are sent again over the next
/// one, after the registrations. That is safe because each of them may be applied twice.
package struct DeviceSession: ClientSession {
    private struct Command: Sendable {
        /// Names the frame in events; nil for a repeated registration, which no task waits for.
        var ticket: UInt64?
        var frame: DeviceFrame
        /// The frame's sequence number on this connection.
        var seq: UInt64 = 0
        /// The date from SCHEDULED, which arrives before the ACK.
        var scheduled: ScheduledReload?
        /// The devices of an ATTACH.
        var devices: [String] = []
    }

    /// Events since the last `takeEvents`.
    private var events: [DeviceEvent] = []
    private var handshake: Handshake
    /// Frames to be sent.
    private var queue = FIFO<Command>()
    /// Frames sent over this connection and not answered, by ascending sequence number.
    private var inFlight = FIFO<Command>()
    private var nextSeq: UInt64 = 1
    private var nextTicket: UInt64 = 1
    /// The WIDGETS bodies that the router has accepted, by device.
    private var registrations: [String: [UInt8]] = [:]
    /// The number of WIDGETS frames with a ticket that the router has not answered, by device.
    private var unansweredRegistrations: [String: Int] = [:]
    /// The number of ATTACH frames that are not answered, sent or not. Until all are, no other
    /// frame is sent: it might be about a device that the router does not know any more.
    private var unansweredAttaches = 0
    /// Devices that the router does not know any more, whose widgets are to be sent again.
    private var unknownDevices: [String] = []
    private let limits: ClientLimits
    /// Number of frames with a ticket that the router has not answered, sent or not.
    private var waitingCount = 0

    /// Makes a session without a connection; every connection begins with `hello`, which may wait
    /// for `identify`.
    package init(
        _ hello: HelloMessage,
        awaitsToken: Bool = false,
        limits: ClientLimits = ClientLimits()
    ) {
        handshake = Handshake(hello, awaitsToken: awaitsToken)
        self.limits = limits
    }

    /// Whether the router has accepted the session, and does not drain.
    package var isEstablished: Bool { handshake.phase == .established }
    /// Whether `send` would accept another frame.
    package var hasRoom: Bool { waitingCount < limits.unansweredFrames }
    /// Devices whose widgets the router has accepted.
    package var registrationCount: Int { registrations.count }

    /// Queues a frame.
    ///
    /// - Returns: the ticket that the frame's event will name; nil if there is no capacity now.
    /// - Throws: `tooLong` or `limitReached`.
    package mutating func send(_ frame: DeviceFrame) throws(ClientError) -> UInt64? {
        if frame.body.count > handshake.maxBody {
            throw .tooLong(byteCount: frame.body.count, limit: handshake.maxBody)
        }
        if frame.type == .widgets, !mayRegister(frame.device) {
            throw .limitReached("\(limits.registrations) registrations")
        }
        guard hasRoom else { return nil }
        let ticket = nextTicket
        nextTicket += 1
        waitingCount += 1
        if frame.type == .widgets { unansweredRegistrations[frame.device, default: 0] += 1 }
        queue.append(Command(ticket: ticket, frame: frame))
        return ticket
    }

    /// Whether the limit of registrations allows one of this device, if the router accepts all that
    /// it has not answered.
    private func mayRegister(_ device: String) -> Bool {
        if registrations[device] != nil || unansweredRegistrations[device] != nil { return true }
        let most = registrations.count + unansweredRegistrations.count
        if most < limits.registrations { return true }
        // Devices that register again are counted in both.
        let added = unansweredRegistrations.keys.count { registrations[$0] == nil }
        return registrations.count + added < limits.registrations
    }

    /// Returns the events since the last call, and clears them.
    package mutating func takeEvents() -> [DeviceEvent] {
        defer { events.removeAll(keepingCapacity: true) }
        return events
    }

    // MARK: - Connection

    /// Queues HELLO, and numbers frames from 1 again.
    package mutating func connected() {
        assert(inFlight.isEmpty, "frames of another connection are in flight")
        handshake.connected()
        nextSeq = 1
    }

    /// Queues the HELLO that waits for its token.
    package mutating func identify(by token: String) { handshake.identify(by: token) }

    /// Queues the unanswered frames for the next connection.
    package mutating func disconnected() {
        handshake.disconnected()
        // Repeated registrations are dropped here; `registerAgain` makes them anew.
        unansweredAttaches = 0
        unknownDevices = []
        let unanswered = (inFlight.removeAll() + queue.removeAll()).filter { $0.ticket != nil }
        for command in unanswered { queue.append(command) }
    }

    /// Appends HELLO and PONGs, and once the session is established, queued frames up to the
    /// window.
    package mutating func takeOutput(into bytes: inout [UInt8], limit: Int) {
        handshake.takeControl(into: &bytes)
        guard handshake.phase == .established else { return }
        while inFlight.count < handshake.window, bytes.count < limit, maySendNext,
            var command = queue.popFirst()
        {
            assert(
                inFlight.isEmpty || inFlight[inFlight.count - 1].seq < nextSeq,
                "the sequence numbers in flight do not ascend"
            )
            command.seq = nextSeq
            nextSeq += 1
            bytes += encodeFrame(command.frame.type, seq: command.seq, body: command.frame.body)
            inFlight.append(command)
        }
    }

    /// Processes a frame of the router, and reports what it leads to as events.
    ///
    /// - Throws: `refused` or `protocolBroken`; the session is over then.
    package mutating func received(_ header: FrameHeader, body: ByteView) throws(ClientError) {
        switch try handshake.received(header, body: body) {
        case .welcome: registerAgain()
        case .done: break
        case .other:
            try ClientError.reading { () throws(ProtocolError) in
                try receivedAnswer(header, body: body)
            }
        }
    }

    /// Whether the next frame of the queue, if there is one, may be sent now.
    private var maySendNext: Bool {
        unansweredAttaches == 0 || (!queue.isEmpty && queue[0].frame.type == .attach)
    }

    /// Queues all registrations before the waiting frames; the order among registrations does not
    /// matter. A gateway first asks which of them the router still has.
    private mutating func registerAgain() {
        if registrations.isEmpty { return }
        let waiting = queue.removeAll()
        if handshake.isGateway { attachAgain() } else { register(Array(registrations.keys)) }
        for command in waiting { queue.append(command) }
    }

    /// Queues the registrations of some devices at the end.
    private mutating func register(_ devices: [String]) {
        for device in devices {
            guard let body = registrations[device] else { continue }
            queue.append(Command(frame: DeviceFrame(.widgets, device: device, body: body)))
        }
    }

    /// Queues ATTACH frames with all registered devices.
    private mutating func attachAgain() {
        var devices: [String] = []
        var byteCount = 0
        for device in registrations.keys {
            // The name's quotation marks and the comma after it; identifiers need no escapes.
            let more = device.utf8.count + 3
            if devices.count == RouterLimits.devicesPerAttach
                || byteCount + more > handshake.maxBody - 16
            {
                queueAttach(devices)
                (devices, byteCount) = ([], 0)
            }
            devices.append(device)
            byteCount += more
        }
        queueAttach(devices)
    }

    private mutating func queueAttach(_ devices: [String]) {
        let frame = DeviceFrame(.attach, device: "", body: AttachMessage.encode(devices))
        queue.append(Command(frame: frame, devices: devices))
        unansweredAttaches += 1
    }

    /// Records which devices of an ATTACH the router does not let the gateway speak for.
    private mutating func attached(_ seq: UInt64, message: AttachedMessage) {
        guard offset(ofSeq: seq) != nil else { return }
        unknownDevices += message.unknown
        for device in message.own where registrations.removeValue(forKey: device) != nil {
            let reason = DetachedMessage.Reason.session
            events.append(.detached(device: device, reason: reason.rawValue))
        }
        for device in message.foreign where registrations.removeValue(forKey: device) != nil {
            let rejection = Rejection(
                seq: seq,
                code: ErrorCode.deviceForeign.rawValue,
                message: "the gateway's credential is not for this device any more"
            )
            events.append(.registrationLost(device: device, rejection))
        }
    }

    /// Records that an ATTACH is answered; after the last one, the widgets of the devices that the
    /// router does not know are queued before the waiting frames.
    private mutating func attachAnswered() {
        unansweredAttaches -= 1
        assert(unansweredAttaches >= 0, "more ATTACH frames are answered than were sent")
        if unansweredAttaches > 0 { return }
        let waiting = queue.removeAll()
        register(unknownDevices)
        unknownDevices = []
        for command in waiting { queue.append(command) }
    }

    private mutating func receivedAnswer(
        _ header: FrameHeader,
        body: ByteView
    ) throws(ProtocolError) {
        switch header.type {
        case .reload: events.append(.reload(try ReloadEvent(seq: header.seq, reading: body)))
        case .scheduled:
            let scheduled = try ScheduledReload(body)
            if let offset = offset(ofSeq: header.seq) { inFlight[offset].scheduled = scheduled }
        case .attached: attached(header.seq, message: try AttachedMessage(reading: body))
        case .detached:
            let message = try DetachedMessage(reading: body)
            // Not registered again after a reconnect: that would take the device from whichever
            // session has it now.
            registrations[message.device] = nil
            events.append(.detached(device: message.device, reason: message.reason))
        case .reject:
            let refusal = try RefusalMessage(reading: body, of: .reject)
            rejected(Rejection(refusal, of: header.seq))
        default: acknowledged(header.seq)
        }
    }

    /// Index in `inFlight` of the frame with a sequence number, by binary search; nil if there is
    /// none.
    private func offset(ofSeq seq: UInt64) -> Int? {
        var (low, high) = (0, inFlight.count)
        while low < high {
            let middle = (low + high) / 2
            if inFlight[middle].seq < seq { low = middle + 1 } else { high = middle }
        }
        return low < inFlight.count && inFlight[low].seq == seq ? low : nil
    }

    /// Records that all frames up to `seq` were accepted.
    private mutating func acknowledged(_ seq: UInt64) {
        while !inFlight.isEmpty, inFlight[0].seq <= seq, let command = inFlight.popFirst() {
            if command.frame.type == .widgets {
                registrations[command.frame.device] = command.frame.body
            }
            if command.frame.type == .attach { attachAnswered() }
            guard let ticket = command.ticket else { continue }
            answered(command)
            events.append(.accepted(ticket: ticket, command.scheduled))
        }
    }

    /// Records that the router has refused a frame.
    private mutating func rejected(_ rejection: Rejection) {
        guard let command = inFlight.remove(where: { $0.seq == rejection.seq }) else { return }
        if command.frame.type == .attach {
            unknownDevices += command.devices
            return attachAnswered()
        }
        guard let ticket = command.ticket else {
            registrations[command.frame.device] = nil
            events.append(.registrationLost(device: command.frame.device, rejection))
            return
        }
        answered(command)
        events.append(.rejected(ticket: ticket, rejection))
    }

    /// Counts a frame with a ticket as answered.
    private mutating func answered(_ command: Command) {
        assert(command.ticket != nil, "no task waits for the answer")
        waitingCount -= 1
        assert(waitingCount >= 0, "more frames are answered than were sent")
        if command.frame.type != .widgets { return }
        let count = unansweredRegistrations[command.frame.device] ?? 0
        assert(count > 0, "a registration is answered that was not counted")
        unansweredRegistrations[command.frame.device] = count > 1 ? count - 1 : nil
    }
}
