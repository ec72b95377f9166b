internal import Basics
internal import CaptureFormat
internal import FrameCodec

extension ReplayEngine {
    /// Plays a record; returns false if a connection has no capacity for the record now; the caller
    /// then has to deliver it again later.
    func deliver(_ record: CaptureRecord) -> Bool {
        switch record.kind {
        case .push: return push(record)
        case .widgets, .timeline, .state, .request, .attach: return forward(record)
        case .hello: hello(record)
        case .ended: ended(record.connection)
        case .apps, .lost: break
        }
        return true
    }

    // MARK: - Sessions

    /// Begins a session if the roster knows its peer. Otherwise the HELLO is invalid, or came
    /// before its app was declared, and the session's records are ignored.
    private func hello(_ record: CaptureRecord) {
        if sessions[record.connection]?.isRepeated(by: record) == true { return }
        ended(record.connection)
        guard let hello = HelloMessage(recorded: record.body),
            let app = roster.number(ofApp: hello.app)
        else { return }
        var session = RecordedSession(role: .device, app: app, hello: record)
        // A device that reconnects gets the connection that it had.
        let hash = (hello.name ?? "").withByteView { stableHash($0, seed: 0) }
        session.number = Int(hash >> 1)
        if hello.role == .publisher {
            session.role = .publisher
            let producer = ReplayRoster.NamedPeer(app: app, name: hello.name ?? "")
            guard let number = roster.number(ofProducer: producer) else { return }
            session.number = number
        } else if hello.role == .gateway {
            session.role = .gateway
            guard let position = claimGateway(app) else { return }
            session.number = position
            begin(plan.gateway(session.number, app: app))
        } else if plan.hasDeviceConnections {
            let device = ReplayRoster.NamedPeer(app: app, name: hello.name ?? "")
            guard let number = roster.number(ofDevice: device) else { return }
            session.number = number
            beginDevice(session, named: device.name)
        }
        sessions[record.connection] = session
    }

    /// Takes the first free slot among the gateways of an app; nil if there is none.
    private func claimGateway(_ app: Int) -> Int? {
        guard let position = gatewaysInUse[app].firstIndex(of: false) else { return nil }
        gatewaysInUse[app][position] = true
        return position
    }

    /// Begins the recorded session of a stream, if the replay has devices.
    private func begin(_ stream: Int?) {
        guard let stream, settings.hasDevices else { return }
        streams[stream].begin()
        mark(streams[stream])
    }

    /// Begins the session of a device that has a connection of its own, for all copies.
    private func beginDevice(_ session: RecordedSession, named name: String) {
        guard settings.hasDevices else { return }
        for copy in 0..<settings.scale {
            let stream = plan.deviceConnection(session.number, copy: copy)
            begin(stream)
            (name + BodyCopier.suffix(copy)).withByteView {
                tracker?.bound($0, app: session.app, stream: stream)
            }
        }
    }

    /// Ends a recorded session, and its connections in the replay unless others share them.
    private func ended(_ connection: UInt32) {
        guard let session = sessions.removeValue(forKey: connection) else { return }
        if session.role == .device, plan.hasDeviceConnections, phase == .playing {
            for copy in 0..<settings.scale {
                let stream = streams[plan.deviceConnection(session.number, copy: copy)]
                stream.end()
                mark(stream)
            }
        }
        guard session.role == .gateway else { return }
        gatewaysInUse[session.app][session.number] = false
        // Connections stay open before the schedule, and where gateways share them.
        guard phase == .playing, plan.gatewaysEnd(session.app, roster: roster),
            let stream = plan.gateway(session.number, app: session.app)
        else { return }
        streams[stream].end()
        mark(streams[stream])
    }

    // MARK: - Pushes

    /// Appends a push to a ring for each copy; false if one of the rings has no capacity.
    private func push(_ record: CaptureRecord) -> Bool {
        guard phase == .playing, let session = sessions[record.connection],
            session.role == .publisher
        else { return true }
        let producer = session.number
        let needed = record.body.count + settings.scale * 16
        for copy in 0..<settings.scale {
            let stream = streams[plan.publisher(producer, copy: copy)]
            guard hasRoom(stream, bodyCount: needed) else { return false }
        }
        guard let parts = try? PushBody(record.body, flags: record.flags) else { return true }
        let payload = parts.payload
        let date = parts.expiresAt.map {
            movedDate(UInt64(clamping: $0.rawValue), recordedAt: record.time)
        }
        let due = clock.factor == nil ? now : clock.due(record.time, round: round)
        for copy in 0..<settings.scale {
            let stream = streams[plan.publisher(producer, copy: copy)]
            func append(_ body: ByteView) {
                stream.ring.append(
                    .push,
                    flags: record.flags & FrameType.push.knownFlags,
                    date: date,
                    prefix: parts.kindsPrefix,
                    body: body,
                    at: due
                )
                tracker?.pushed(body, kinds: parts.kinds, app: session.app, intended: due)
            }
            if copy == 0 {
                append(payload)
            } else {
                let body = copier.payload(payload, app: session.app, copy: copy)
                body.withByteView { append($0) }
            }
            intended += 1
            recorder.intended(at: due)
            mark(stream)
        }
        return true
    }

    /// Returns the date of a push, moved so that it lies as far in the future as it did when it was
    /// recorded.
    private func movedDate(_ date: UInt64, recordedAt time: RecordedTime) -> UInt64 {
        let shift = clock.shift(time, now: now).rawValue
        let moved = Int64(clamping: date).addingReportingOverflow(shift)
        return moved.overflow ? date : UInt64(max(0, moved.partialValue))
    }

    /// Checks whether a stream can take a push with a body of `bodyCount` bytes now.
    private func hasRoom(_ stream: ReplayStream, bodyCount: Int) -> Bool {
        if tracker?.isFull ?? false { return false }
        // At the speed `max` there is no schedule: the router's answers pace the pushes.
        if clock.factor == nil && stream.ring.count >= stream.window { return false }
        return stream.ring.hasRoom(bodyCount)
    }

    // MARK: - Frames of devices

    /// Appends a device's frame to a ring for each copy; false if one of the rings has no capacity.
    private func forward(_ record: CaptureRecord) -> Bool {
        guard settings.hasDevices, let type = FrameType(rawValue: record.kind.rawValue),
            let session = sessions[record.connection], session.role != .publisher,
            isValid(record.body)
        else { return true }
        let app = session.app
        if tracker?.isFull ?? false { return false }
        // All copies are appended or none, because a refused record is delivered again.
        let growth = settings.scale * (record.body.count + 4_096)
        for copy in 0..<settings.scale {
            guard let number = stream(for: session, copy: copy) else { return true }
            let ring = streams[number].ring
            guard ring.isEmpty || ring.hasRoom(growth) else { return false }
        }
        let shift = clock?.shift(record.time, now: now) ?? earlyShift
        for copy in 0..<settings.scale {
            guard let number = stream(for: session, copy: copy) else { break }
            let stream = streams[number]
            func append(_ body: ByteView) {
                stream.ring.append(type, body: body, at: now)
                if record.kind == .widgets { tracker?.registered(body, app: app, stream: number) }
            }
            if copy == 0 && record.kind != .timeline {
                append(record.body)
            } else {
                let body = copier.deviceBody(
                    record.body,
                    kind: record.kind,
                    app: app,
                    copy: copy,
                    shift: shift
                )
                body.withByteView { append($0) }
            }
            if !stream.isWanted { stream.begin() }
            mark(stream)
        }
        return true
    }

    private func isValid(_ body: ByteView) -> Bool {
        defer { scanner.resetScratch() }
        return (try? validateJSON(body, using: &scanner)) != nil
    }

    /// How far to move dates in records before the schedule: as if the schedule began now.
    private var earlyShift: Milliseconds {
        wall - WallTime(source.header.startedAt) - Milliseconds(roster.start.sinceBegin)
    }

    /// The number of the stream for a copy of a session; nil if there is none.
    private func stream(for session: RecordedSession, copy: Int) -> Int? {
        if session.role == .device && plan.hasDeviceConnections {
            return plan.deviceConnection(session.number, copy: copy)
        }
        if session.role == .gateway { return plan.gateway(session.number, app: session.app) }
        return plan.devices(UInt64(session.number), app: session.app)
    }
}
