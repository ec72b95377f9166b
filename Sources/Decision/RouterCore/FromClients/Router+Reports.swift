package import Basics
package import FrameCodec

/// What the router says to a device's report.
package enum ReportAnswer: Equatable, Sendable {
    /// To WIDGETS: the number of widgets that are stored for the device now.
    case registered(widgets: Int)
    /// To a TIMELINE with a date: the body of SCHEDULED.
    case scheduled([UInt8])
    /// To anything else: nothing.
    case none
}

/// What devices have reported that hold no session.
struct DeviceReportTable {
    /// What the devices of each app have left of their share of the work: together as much as a
    /// connection.
    var work = NumberedArray<AppID, WorkAccount>()
    /// What they have reported of their apps.
    var states = ReportedStates()
}

/// Reports: frames of devices that hold no session, which come over HTTP.
///
///     report ─► [ reported ] ─► answer, when durable
///
/// They change what is stored as the frames of a session do. But no RELOAD can answer them: a
/// device that reports is not attached to anything, and one with a session stays attached to that.
extension Router {
    /// Applies a report (WIDGETS, TIMELINE, STATE or REQUEST), or refuses it whole. The caller has
    /// checked the device's id, which the body need not name. A report `isOfGateway` if a gateway
    /// speaks for the device; it is refused while the device has a session of its own. If it
    /// `isMeasured`, `measured(_:ofReports:)` follows, with what this has cost. The router must not
    /// be busy.
    ///
    /// - Throws: why the report is refused; then nothing has changed.
    package mutating func report(
        _ type: FrameType,
        of device: String,
        app: String,
        isOfGateway: Bool,
        body: ByteView,
        isMeasured: Bool = false,
        now: Instant
    ) throws(ProtocolError) -> ReportAnswer {
        assert(!isSearching, "the report may change what is being searched for")
        tick(now)
        let app = try declaredApp(app)
        let spentBefore = outbox.work.spent
        outbox.work.charge(WorkCost.frame)
        let result: Result<ReportAnswer, ProtocolError> = Result { () throws(ProtocolError) in
            let whole = try wholeBody(body, of: type, device: device)
            return try whole.withByteView { (whole) throws(ProtocolError) in
                try apply(type, of: device, app: app, isOfGateway: isOfGateway, body: whole)
            }
        }
        if case .failure(let error) = result { countRejection(error, of: app) }
        if !isMeasured {
            outbox.work.settle(
                &reports.work[app, default: WorkAccount()],
                cost: outbox.work.spent &- spentBefore,
                at: now.monotonic
            )
        }
        return try result.get()
    }

    private mutating func apply(
        _ type: FrameType,
        of device: String,
        app: AppID,
        isOfGateway: Bool,
        body: ByteView
    ) throws(ProtocolError) -> ReportAnswer {
        if isOfGateway {
            try device.withByteView { (name) throws(ProtocolError) in
                try state.reloads.delivery.requireNoSession(of: app, device: name)
            }
        }
        outbox.scheduled = nil
        try perform(.deviceReported(app: app, type: type, body: body))
        capture.recordReport(type, app: state.reloads.catalog.apps[app].declaration.app, body: body)
        if type == .state { renewReportedState(of: device, app: app) }
        if type == .widgets { return .registered(widgets: widgetCount(of: device, app: app)) }
        guard let body = outbox.scheduled.take() else { return .none }
        return .scheduled(body)
    }

    private mutating func renewReportedState(of device: String, app: AppID) {
        let found = device.withByteView { state.reloads.delivery.findDevice(of: app, named: $0) }
        guard let found, state.reloads.delivery.devices[found].isExempt else { return }
        reports.states.renew(found, now: state.reloads.clock.now.monotonic)
    }

    /// The most reported states that a step looks at.
    private static var reportedStatesPerStep: Int { 128 }

    /// Ends what devices have reported of their apps' foreground and media too long ago, unless a
    /// session speaks for them.
    mutating func endReportedStates() {
        let now = state.reloads.clock.now.monotonic
        for _ in 0..<Self.reportedStatesPerStep {
            guard let (device, isOver) = reports.states.popDue(now: now) else { return }
            if isOver { endReportedState(of: device) }
        }
    }

    private mutating func endReportedState(of device: DeviceID) {
        if !state.reloads.delivery.isStored(device) { return }
        let record = state.reloads.delivery.devices[device]
        if !record.isExempt || state.reloads.delivery.isAttached(record) { return }
        outbox.work.charge(WorkCost.frame)
        let name = state.reloads.delivery.deviceName(device).string
        let body = Array("{\"device\":\"\(name)\",\"foreground\":false,\"media\":null}".utf8)
        do throws(ProtocolError) {
            try body.withByteView { (body) throws(ProtocolError) in
                try perform(.deviceReported(app: record.app, type: .state, body: body))
            }
        } catch {
            assertionFailure("a stored device's STATE was refused: \(error.message)")
        }
    }

    /// What devices without a session have reported holds anew: when that was is not stored.
    mutating func renewReportedStates() {
        for device in state.reloads.delivery.devices.ids
        where state.reloads.delivery.isStored(device)
            && state.reloads.delivery.devices[device].isExempt
        {
            reports.states.renew(device, now: state.reloads.clock.now.monotonic)
        }
    }

    private func widgetCount(of device: String, app: AppID) -> Int {
        let stored = device.withByteView { state.reloads.delivery.findDevice(of: app, named: $0) }
        return stored.map { Int(state.reloads.delivery.devices[$0].widgetCount) } ?? 0
    }

    /// The body of a report with the id of its device, which is added if it is missing.
    ///
    /// - Throws: `body-invalid` if it names another device, or why it is no JSON object.
    private mutating func wholeBody(
        _ body: ByteView,
        of type: FrameType,
        device: String
    ) throws(ProtocolError) -> [UInt8] {
        try state.scratch.validate(body, charging: &outbox)
        var isEmpty = true
        var reader = BodyReader(body, of: type)
        var named: JSONText?
        while let name = reader.next() {
            isEmpty = false
            if name == "device" { named = try reader.string() } else { reader.skip() }
        }
        if let named {
            if named.string.utf8.elementsEqual(device.utf8) { return body.array }
            throw ProtocolError(
                .bodyInvalid,
                message: "device of \(type.name) is \(quotation(named.string)), and the path names "
                    + quotation(device)
            )
        }
        // White space may be in front of the object. An identifier needs no escapes.
        let start = JSONReader(body).offset + 1
        var whole = Array("{\"device\":\"\(device)\"\(isEmpty ? "" : ",")".utf8)
        whole += body.slice(start, to: body.count).array
        return whole
    }

    // MARK: - Shares of the work

    /// When reports of an app's devices are applied again after costly ones; nil if they are now.
    package func restEnd(ofReports app: String) -> MonotonicTime? {
        guard let account = reportAccount(of: app),
            account.restUntil > state.reloads.clock.now.monotonic
        else { return nil }
        return account.restUntil
    }

    /// Whether the devices of an app that report have used up their share of this round's work.
    package func isOverdrawn(reportsOf app: String) -> Bool {
        guard let account = reportAccount(of: app) else { return false }
        return outbox.work.credit(of: account) <= 0
    }

    /// Counts reports that have to wait among what shares the next round's work.
    package mutating func waits(reportsOf app: String) {
        guard let app = try? declaredApp(app) else { return }
        outbox.work.wait(&reports.work[app, default: WorkAccount()])
    }

    private func reportAccount(of app: String) -> WorkAccount? {
        guard let app = try? declaredApp(app), reports.work.has(app) else { return nil }
        return reports.work[app]
    }
}
