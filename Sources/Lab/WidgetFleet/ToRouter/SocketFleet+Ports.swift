internal import Basics
internal import LibuvLoop
internal import ReloadRouterClient

extension SocketFleet: TimerOwner, WakeupOwner {
    func timerFired(_ timer: LoopTimer) { tick() }

    func wokenUp(_ wakeup: LoopWakeup) {
        engine.readMailbox()
        pump()
    }
}

/// The events of connections.
extension SocketFleet {
    func connectionHasEvents(_ connection: FleetConnection<DeviceSession>) {
        if connection.isEstablished { isReached = true }
        for event in connection.session.takeEvents() {
            engine.received(event, tickets: &connection.tickets)
        }
    }

    func connectionHasEvents(_ connection: FleetConnection<PublisherSession>) {
        if connection.isEstablished { isReached = true }
        _ = connection.session.takeEvents()
        engine.recorder.answered(from: answered, to: connection.session.statistics)
        answered = connection.session.statistics
    }

    func connectionLost(_ error: ClientError) {
        if isFinished || failure != nil { return }
        engine.recorder.connectionLost()
        // A router that refuses would refuse again, and a router that has not been reached so far
        // may never be reached.
        if !error.isTemporary || !isReached { fail(error) }
    }
}

extension SocketFleet: FleetPorts {
    var exactTime: ExactTime { settings.clock() }

    private func connection(_ device: Int) -> FleetConnection<DeviceSession> {
        connections[settings.gateways > 0 ? device % settings.gateways : device]
    }

    func send(_ frame: DeviceFrame, of device: Int, widget: Int?) {
        if let reports { return reports.send(frame, of: device, widget: widget) }
        let connection = connection(device)
        do throws(ClientError) {
            if let ticket = try connection.session.send(frame), let widget {
                connection.tickets[ticket] = (device, widget)
            }
        } catch {
            return fail(error)
        }
        if connection.isIdle { return connection.connect() }
        if !connection.isDirty {
            connection.isDirty = true
            dirty.append(connection)
        }
    }

    func fetch(_ path: String, number: Int) {
        guard let remoteOrigin else { return engine.askOrigin(path, number: number) }
        remoteOrigin.ask(path) { [unowned self] answer in engine.fetched(number, answer: answer) }
    }

    func isConnected(_ device: Int) -> Bool { reports != nil || connection(device).isEstablished }

    func setOnline(_ isOnline: Bool, device: Int) -> Bool {
        if settings.gateways > 0 || reports != nil { return false }
        // The session keeps the device's frames until it is connected again.
        if isOnline { connections[device].connect() } else { connections[device].disconnect() }
        return true
    }

    func breakConnection(of device: Int) {
        if reports == nil { connection(device).breakInFrame() }
    }
}

/// What the router answers to reports.
extension SocketFleet {
    /// The router has accepted a report; `scheduled` is the date that it has given a timeline.
    func reported(_ scheduled: ScheduledReload?, device: Int, widget: Int?) {
        isReached = true
        guard let scheduled, let widget else { return }
        engine.scheduled(scheduled, device: device, widget: widget)
    }

    /// The router refuses a report, and would refuse it again.
    func reportRefused(_ rejection: Rejection) { engine.rejected(rejection) }
}
