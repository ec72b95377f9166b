package import ByteStorage
internal import FrameCodec
internal import PayloadFields
internal import ReloadModel
internal import ReloadScheduling
internal import StoreFormat
internal import WidgetMatching

/// Writing the journal: see `JournalEntry`.
extension Router {
    /// Begins to keep what the router takes in; until then nothing is written.
    package mutating func startJournal() {
        journal.isOn = true
        journal.lastBurst = lastBurst
    }

    /// The entries since `journalTaken`: the body of a journal record.
    package var journalBytes: ByteView { journal.writer.bytes }

    package mutating func journalTaken() {
        journal.clear()
    }

    /// Begins an entry, with the time in front of it if that is another one than before.
    mutating func begin(_ entry: JournalEntry) {
        if journal.clock != now {
            journal.clock = now
            journal.writer.put(JournalEntry.clock.rawValue)
            journal.writer.put(signed: now.monotonic)
            journal.writer.put(signed: now.wall)
            scheduleClock.write(to: &journal.writer)
        }
        journal.writer.put(entry.rawValue)
    }

    mutating func recordSession(
        _ connection: UInt32,
        _ role: Peer,
        _ app: AppID,
        _ name: ByteView
    ) {
        capture.record(connection, role, apps[Int(app)].declaration.app, name)
        if !journal.records { return }
        begin(.session)
        journal.writer.put(varint: UInt64(connection))
        journal.writer.put(role.journalNumber)
        journal.writer.put(varint: UInt64(app))
        journal.writer.put(counted: name)
    }

    /// A session that was begun is over, or will be: nothing is sent to it any more.
    mutating func recordEnd(_ connection: UInt32) {
        if !delivery.connections[connection].session.phase.isEstablished { return }
        capture.recordEnd(connection)
        if !journal.records { return }
        begin(.ended)
        journal.writer.put(varint: UInt64(connection))
    }

    mutating func recordFrame(_ connection: UInt32, _ type: FrameType, _ body: ByteView) {
        if !journal.records { return }
        begin(.frame)
        journal.writer.put(varint: UInt64(connection))
        journal.writer.put(type.rawValue)
        journal.writer.put(counted: body)
    }

    mutating func recordAttachment(_ connection: UInt32, _ device: DeviceID) {
        if !journal.records { return }
        begin(.attached)
        journal.writer.put(varint: UInt64(connection))
        journal.writer.put(varint: UInt64(device))
    }

    mutating func recordApps(_ source: [UInt8]) {
        capture.record(apps: source)
        if !journal.records { return }
        precondition(!source.isEmpty, "the journal keeps the app file")
        begin(.apps)
        source.withByteView { journal.writer.put(counted: $0) }
    }

    mutating func recordPause(_ app: AppID, _ isPaused: Bool) {
        if !journal.records { return }
        begin(.paused)
        journal.writer.put(varint: UInt64(app))
        journal.writer.put(isPaused)
    }

    /// A checkpoint does not have the pauses: the journal behind it begins with them.
    mutating func recordPauses() {
        for app in paused.apps.sorted() { recordPause(app, true) }
    }

    mutating func recordSlots(_ kind: KindID, _ dates: [Int64]) {
        if !journal.records { return }
        begin(.slots)
        journal.writer.put(varint: UInt64(kind))
        journal.writer.put(varint: UInt64(dates.count))
        for date in dates { journal.writer.put(signed: date) }
    }

    mutating func recordForgetting(_ forgotten: ContiguousArray<UInt32>) {
        if !journal.records { return }
        begin(.forgotten)
        journal.writer.put(varint: UInt64(forgotten.count))
        for producer in forgotten { journal.writer.put(varint: UInt64(producer)) }
    }

    /// Writes an entry that is nothing but its name.
    mutating func record(_ entry: JournalEntry) {
        if journal.records { begin(entry) }
    }

    mutating func recordHanding(_ device: DeviceID) {
        if !journal.records { return }
        begin(.handed)
        journal.writer.put(device)
    }

    mutating func recordExpired() {
        if !journal.records || expiredTimers.isEmpty { return }
        begin(.expired)
        journal.writer.put(varint: UInt64(expiredTimers.count))
        for widget in expiredTimers { journal.writer.put(widget) }
    }

    // MARK: - Pushes

    /// Writes the matches that were found, in their order.
    ///
    ///     producer │ are they taken at once: 8 │ count │ runs
    ///     run: tag │ is the push new: 8 │ [ the push: its flags: 8 │ burst │ reloads since │
    ///          void at: signed │ payload ] │ count │ widgets: 32 each
    ///
    /// `burst` counts from the last one of the batch before, `reloads since` are those that were sent
    /// after the push came: both are small. The payload is there if a kind may show or carry something of it.
    ///
    /// - Parameter areTaken: else they are a fan-out's.
    mutating func recordMatches(areTaken: Bool) {
        let count = matcher.matchCount
        // That there is a fan-out has to be known even if nothing is in it yet.
        if !journal.records || (count == 0 && areTaken) { return }
        begin(.matched)
        journal.writer.put(varint: UInt64(batchProducer))
        journal.writer.put(areTaken)
        journal.writer.put(varint: UInt64(count))
        var start = 0
        while start < count {
            let tag = matcher.match(at: start).tag
            var end = start + 1
            while end < count && matcher.match(at: end).tag == tag { end += 1 }
            recordRun(Int(tag), start..<end)
            start = end
        }
    }

    private mutating func recordRun(_ tag: Int, _ run: Range<Int>) {
        let push = pushes[tag]
        journal.writer.put(varint: UInt64(tag))
        journal.writer.put(!push.isJournaled)
        if !push.isJournaled {
            pushes[tag].isJournaled = true
            journal.writer.put(push.journalFlags)
            journal.writer.put(varint: push.burst &- journal.lastBurst)
            journal.writer.put(varint: reloadSeq &- push.reloadsBefore)
            journal.writer.put(signed: push.voidAt)
            if push.fields != PushFields.none {
                journal.writer.put(counted: journal.payload(of: tag))
            }
        }
        journal.writer.put(varint: UInt64(run.count))
        for index in run { journal.writer.put(matcher.match(at: index).widget) }
    }

    /// All that the batch concerns has been found: from here on its pushes are the router's to keep.
    ///
    /// Should the process end before, the publisher has no ACK for them, and sends them again.
    mutating func recordBatch() {
        if !journal.records { return }
        begin(.batch)
        journal.writer.put(varint: UInt64(batchProducer))
        journal.writer.put(varint: producers[batchProducer].lastSeq)
        journal.writer.put(varint: lastBurst &- journal.lastBurst)
        journal.lastBurst = lastBurst
        journal.forgetPayloads()
    }

    /// So many matches of the first fan-out are handed out.
    mutating func recordFanOut(_ count: Int) {
        if !journal.records { return }
        begin(.fannedOut)
        journal.writer.put(varint: UInt64(count))
    }
}

extension Router.QueuedPush {
    static var urgentFlag: UInt8 { 1 }
    static var voidFlag: UInt8 { 2 }
    static var fieldsFlag: UInt8 { 4 }

    var journalFlags: UInt8 {
        (isUrgent ? Self.urgentFlag : 0) | (isVoid ? Self.voidFlag : 0)
            | (fields != PushFields.none ? Self.fieldsFlag : 0)
    }
}

extension Peer {
    var journalNumber: UInt8 {
        switch self {
        case .publisher: 1
        case .device: 2
        case .gateway, .server: 3
        }
    }

    init(reading reader: inout StoreReader) throws(StoreError) {
        switch try reader.read(UInt8.self) {
        case 1: self = .publisher
        case 2: self = .device
        case 3: self = .gateway
        default: throw reader.corrupt("there is no such role")
        }
    }
}
