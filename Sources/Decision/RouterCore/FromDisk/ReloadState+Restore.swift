internal import Basics
internal import ChangeDetection
internal import FrameCodec
internal import ReloadScheduling
internal import StoreFormat
internal import WidgetMatching

/// Restoring the state from a checkpoint: records come in the order of their keys, each once.
///
/// Nothing read is trusted: a record that contradicts another one throws `corrupt`, and the router
/// cannot be used afterwards.
extension ReloadState {
    /// Restores what a record contains: the body without its header, under a key whose epoch is
    /// ignored.
    ///
    /// - Throws: `corrupt`, with the key.
    mutating func restore(
        _ key: TableKey,
        body: ByteView,
        into out: inout Outbox
    ) throws(StoreError) {
        precondition(!out.agenda.isKept, "restores between beginFollowing and endFollowing")
        guard let record = StateRecord(rawValue: key.type) else {
            throw StoreError.corrupt("table record \(key) is of an unknown type")
        }
        do throws(StoreError) {
            var reader = StoreReader(body)
            try restore(record, key: key, from: &reader, into: &out)
            try reader.finish()
        } catch {
            throw error.found(in: "table record \(key)")
        }
    }

    private mutating func restore(
        _ record: StateRecord,
        key: TableKey,
        from reader: inout StoreReader,
        into out: inout Outbox
    ) throws(StoreError) {
        if !record.isOneOfMany && key.number != 0 {
            throw reader.corrupt("there is only one such record")
        }
        switch record {
        case .manifest: _ = try reader.read(raw: reader.remainingCount)
        case .shared: try restoreShared(&reader)
        case .catalog: try restoreCatalog(&reader, into: &out)
        case .producers:
            try publishers.restoreProducers(
                key.number,
                apps: reloads.catalog.apps.count,
                running: reloads.clock.running.total,
                from: &reader
            )
        case .connections: try restoreConnections(&reader)
        case .origin:
            try reloads.schedules.restoreOrigin(
                OriginID(rawValue: key.number),
                hashKey: reloads.delivery.hashKey,
                idsBelow: restoring.counts.widgetEnd,
                from: &reader
            )
        case .registration:
            try restoreRegistration(of: DeviceID(rawValue: key.number), from: &reader)
        case .widgets:
            try reloads.delivery.widgets.restore(page: key.number, filling: .empty, from: &reader)
        case .schedules:
            let empty = WidgetSchedule(budget: ReloadBudget(now: .zero, phase: .zero))
            try reloads.schedules.widgets.restore(page: key.number, filling: empty, from: &reader)
        case .devices:
            try reloads.delivery.devices.restore(page: key.number, filling: .empty, from: &reader)
        case .fields:
            try reloads.fields.restore(page: key.number, in: reloads.delivery, from: &reader)
        case .requestKeys: try publishers.restoreRequestKeys(page: key.number, from: &reader)
        case .requestQueues:
            try publishers.restoreRequestQueues(apps: reloads.catalog.apps.count, from: &reader)
        case .pushes:
            try reloads.apns.pushes.restore(page: key.number, filling: .empty, from: &reader)
        case .revocations:
            if restoring.hasRevocations { throw reader.corrupt("a second list of revocations") }
            restoring.hasRevocations = true
            try revocations.restore(apps: reloads.catalog.apps.count, from: &reader)
        case .homes: try restoreHomes(&reader, into: &out)
        }
    }

    // MARK: - Records that exist once

    private mutating func restoreShared(_ reader: inout StoreReader) throws(StoreError) {
        try reloads.clock.restore(&reader)
        try reloads.numbers.restore(&reader)
        try reloads.clock.restoreRunningTime(&reader)
        restoring.counts = try TableCounts(reading: &reader)
    }

    /// Restores the numbers of everything that was ever declared, and then installs the app file.
    private mutating func restoreCatalog(
        _ reader: inout StoreReader,
        into out: inout Outbox
    ) throws(StoreError) {
        if !reloads.catalog.apps.isEmpty { throw reader.corrupt("a second catalog") }
        for _ in 0..<(try reader.readCount(atMost: AppID.count)) {
            reloads.catalog.restoreDeclaration(app: try reader.readCounted(), into: &out)
        }
        for _ in 0..<(try reader.readCount(atMost: KindID.count)) {
            let app = try reader.readNumber(of: AppID.self, below: reloads.catalog.apps.count)
            reloads.catalog.restoreDeclaration(
                kind: try reader.readCounted(),
                of: app,
                names: &reloads.delivery.names
            )
        }
        for _ in 0..<(try reader.readCount(atMost: reader.remainingCount)) {
            let app = try reader.readNumber(of: AppID.self, below: reloads.catalog.apps.count)
            reloads.catalog.restoreDeclaration(
                origin: try reader.readCounted(),
                of: app,
                in: &reloads.schedules,
                hashKey: reloads.delivery.hashKey
            )
        }
        let source = try reader.readCounted()
        for kind in reloads.catalog.kinds.elements
        where reloads.catalog.originsByName[Catalog.NameInApp(app: kind.app, name: [])] == nil {
            throw reader.corrupt("app \(kind.app) has no origin")
        }
        let declarations = try reader.catalog(source)
        // The checkpoint has numbers for all that the app file declares. None may be used again: no
        // kind has widgets yet, so a number in use would seem to be free.
        let missing = reloads.catalog.missingKindNumbers(declarations, limit: limits.kindNumbers)
        let problem = reloads.catalog.problemOfNumbers(
            with: declarations,
            limits: limits,
            matcher: matcher
        )
        if missing > 0 || problem != nil {
            throw reader.corrupt("the app file declares more than there are numbers for")
        }
        install(declarations, source: source.array, into: &out)
        reloads.catalog.restoreUndeclared()
    }

    private mutating func restoreConnections(_ reader: inout StoreReader) throws(StoreError) {
        while !reader.isAtEnd {
            let connection = ConnectionSlot(rawValue: try reader.read(UInt32.self))
            let session = try reader.read(UInt64.self)
            let app = try reader.readNumber(of: AppID.self, below: reloads.catalog.apps.count)
            let role = try Peer(reading: &reader)
            guard connection.index < RouterLimits.connectionsLimit,
                session <= reloads.numbers.session
            else { throw reader.corrupt("there is no such connection") }
            reloads.delivery.sessions.reserve(through: connection, filling: SessionRecord())
            if reloads.delivery.sessions[connection].role != nil {
                throw reader.corrupt("connection \(connection) occurs twice")
            }
            var record = SessionRecord()
            record.number = session
            record.app = app
            reloads.delivery.sessions[connection] = record
            reloads.delivery.beginSession(connection, as: role)
            switch role {
            case .publisher:
                let producer = try reader.readNumber(of: ProducerID.self)
                reloads.delivery.sessions[connection].producer = producer
                if !publishers.restore(reloads.delivery.sessions[connection], on: connection) {
                    throw reader.corrupt("there is no producer \(producer) of app \(app)")
                }
            case .device:
                reloads.delivery.nameDeviceSession(
                    connection,
                    app: app,
                    device: try reader.readIdentifier()
                )
            case .gateway, .server: break
            }
        }
    }

    // MARK: - Devices

    /// Reserves memory for the devices and widgets to come, but no more than the restored pages
    /// justify; then passes the matcher to a restorer, and returns that.
    private mutating func makeRoom() throws(StoreError) -> WidgetRestorer {
        try checkPages()
        reloads.delivery.deviceIndex.reserve(Int(restoring.counts.devices))
        let limit = 4 * UInt64(reloads.delivery.widgets.end)
        matcher.reserve(
            values: Int(min(restoring.counts.values, limit)),
            keys: Int(min(restoring.counts.keys, limit))
        )
        return beginWidgets()
    }

    /// Passes the matcher to a restorer, which owns it from now on.
    private mutating func beginWidgets() -> WidgetRestorer {
        var empty = WidgetMatcher(hashKey: reloads.delivery.hashKey)
        swap(&matcher, &empty)
        let restorer = WidgetRestorer(empty, worker: restoring.worker)
        restoring.widgets = restorer
        return restorer
    }

    private mutating func restoreRegistration(
        of device: DeviceID,
        from reader: inout StoreReader
    ) throws(StoreError) {
        let restorer = if let widgets = restoring.widgets { widgets } else { try makeRoom() }
        let app = try reader.readNumber(of: AppID.self, below: reloads.catalog.apps.count)
        let name = try reader.readIdentifier()
        // Whether another device has the same name is checked at the end: the check would read a
        // distant place in memory now (`DeliveryTable.finishRestoring`).
        guard reloads.delivery.devices.has(device), !reloads.delivery.isStored(device) else {
            throw reader.corrupt("a device occurs twice")
        }
        reloads.delivery.restoreDevice(device, of: app, named: name)
        let tokens = try TokenParts(reading: &reader)
        if tokens.contains(.widgets) {
            reloads.apns.setPushToken(
                of: device,
                to: try reader.readPushToken(),
                in: &reloads.delivery
            )
        }
        if tokens.contains(.app) {
            reloads.apns.setAppToken(
                of: device,
                to: try reader.readPushToken(),
                in: &reloads.delivery
            )
            try reloads.apns.restoreTokenState(of: .app(of: device), from: &reader)
        }
        let count = try reader.readCount(atMost: Int(UInt16.max))
        if count == 0 { throw reader.corrupt("a device has no widgets") }
        reloads.delivery.devices[device].widgetCount = UInt16(count)
        var last = WidgetID.none
        for _ in 0..<count {
            let widget = try reloads.delivery.restoreWidget(
                of: device,
                by: reloads.catalog,
                using: restorer,
                from: &reader
            )
            if tokens.contains(.families) {
                reloads.delivery.setFamily(of: widget, to: try FamilyDigest(reading: &reader))
            }
            if tokens.contains(.controls), try reader.readBool() {
                reloads.apns.setControlToken(
                    of: widget,
                    to: try reader.readPushToken(),
                    in: &reloads.delivery
                )
                try reloads.apns.restoreTokenState(of: .control(widget, of: device), from: &reader)
            }
            reloads.delivery.append(widget, to: device, after: last)
            last = widget
        }
    }
}

extension TrackedSlab where Element: StateElement {
    /// Restores a page of the slab. Pages must come in order, without a gap, so memory is taken
    /// only for elements that were read, whatever a number says.
    mutating func restore(
        page: UInt32,
        filling empty: Element,
        from reader: inout StoreReader
    ) throws(StoreError) {
        let (count, rest) = reader.remainingCount.quotientAndRemainder(
            dividingBy: Element.storedByteCount
        )
        if rest != 0 || count < 1 || count > SlabPages.length {
            throw reader.corrupt("a page of \(reader.remainingCount) bytes")
        }
        if page >= SlabPages.limit || SlabPages.first(of: page) != end {
            throw reader.corrupt("page \(page) does not follow \(end) elements")
        }
        extend(to: end + UInt32(count), filling: empty)
        for slot in ids.suffix(count) { try self[slot].read(&reader) }
    }
}

extension StoreReader {
    /// Reads the name of a producer, device or widget.
    mutating func readIdentifier() throws(StoreError) -> ByteView {
        let name = try readCounted()
        if name.count == 0 || name.count > RouterLimits.identifierBytes {
            throw corrupt("a name of \(name.count) bytes")
        }
        return name
    }

    /// Parses an app file that was stored; an empty one declares no apps.
    func catalog(_ source: ByteView) throws(StoreError) -> AppCatalog {
        if source.count == 0 { return AppCatalog(apps: []) }
        do throws(AppFileError) {
            return try AppFile.parseStored(source)
        } catch {
            throw corrupt("the app file was refused (\(error))")
        }
    }
}
