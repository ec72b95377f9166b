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
    ///
    /// Not yet a record while `isRecordOpen`.
    package var journalBytes: ByteView { journal.writer.bytes }

    /// Whether more must come before the entries can be a record: matches of a batch that is neither
    /// finished nor interrupted.
    package var isRecordOpen: Bool { journal.isRecordOpen }

    /// Whether a batch of pushes is matched in part.
    package var isBatchOpen: Bool { isMatching }

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

    /// Writes the matches that a portion has found, in their order.
    ///
    ///     producer │ whether it is the last portion: 8 │ count │ runs
    ///     run: tag │ is the push new: 8 │ [ the push: its flags: 8 │ burst │ reloads since │
    ///          void at: signed │ payload ] │ count │ widgets: 32 each
    ///
    /// `burst` counts from the last one of the batch before, `reloads since` are those that were sent
    /// after the push came: both are small. The payload is there if a kind may show or carry something of it.
    mutating func recordPortion() {
        let count = matcher.matchCount
        // The last one need not be written if it is empty: the batch's end follows.
        if !journal.records || (count == 0 && !isMatching) { return }
        begin(.portion)
        journal.isRecordOpen = true
        journal.writer.put(varint: UInt64(batchProducer))
        journal.writer.put(!isMatching)
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

    /// The batch is matched.
    mutating func recordBatch() {
        if !journal.records { return }
        recordPushes(through: producers[Int(batchProducer)].lastSeq, lastBurst)
        journal.forgetPayloads()
    }

    /// The batch is matched up to a push, or to somewhere in it: what has been written can be a
    /// record.
    ///
    /// Should the process end before it has written more, the publisher has no ACK for the push, and
    /// sends it again: to widgets that were matched before the interruption, too.
    mutating func recordInterruption(at push: Int) {
        if !journal.records { return }
        if push > 0 { recordPushes(through: pushes[push - 1].seq, pushes[push - 1].burst) }
        begin(.interrupted)
        // The next record says again what it is.
        pushes[push].isJournaled = false
        journal.isRecordOpen = false
    }

    private mutating func recordPushes(through seq: UInt64, _ burst: UInt64) {
        begin(.batch)
        journal.writer.put(varint: UInt64(batchProducer))
        journal.writer.put(varint: seq)
        journal.writer.put(varint: burst &- journal.lastBurst)
        journal.lastBurst = burst
        journal.isRecordOpen = false
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
