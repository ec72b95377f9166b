internal import Basics
internal import FrameCodec
internal import StoreFormat

/// Producers, requests and keys as records of the table; see `StateRecord`.
extension Publishers {
    /// Writes producers in the order of their numbers: 0 for a number that is free, otherwise the
    /// app plus one, and what is known of the producer.
    func writeProducers(_ range: NumberRange<ProducerID>, to writer: inout StoreWriter) {
        writer.put(varint: UInt64(range.count))
        for number in range {
            if !producers.isKnown(number) {
                writer.put(varint: 0)
                continue
            }
            let producer = producers[number]
            writer.put(varint: UInt64(producer.app.rawValue) + 1)
            writer.put(counted: producers.name(number))
            writer.put(varint: producer.lastSeq)
            writer.put(signed: producer.usedAt)
            writer.put(varint: UInt64(producer.idleSince.rawValue))
            let rejections = producers.rejections[number]
            writer.put(varint: rejections.forgottenSeq)
            writer.put(varint: UInt64(rejections.known.count))
            for rejection in rejections.known {
                writer.put(varint: rejection.seq)
                writer.put(rejection.code.storedNumber)
            }
        }
    }

    // MARK: - Reading

    /// Restores a record of producers, whose number says which producers it has, of `appCount`
    /// apps.
    ///
    /// - Throws: `corrupt`.
    mutating func restoreProducers(
        _ record: UInt32,
        apps appCount: Int,
        running: Milliseconds,
        from reader: inout StoreReader
    ) throws(StoreError) {
        if Int(record) * StateRecord.producersPerRecord != Int(producers.end) {
            throw reader.corrupt("there are \(producers.end) producers before it")
        }
        let numbers = StateRecord.producers(of: record)
        let count = try reader.readCount(atMost: StateRecord.producersPerRecord)
        for number in numbers.prefix(count) {
            try restoreProducer(number, apps: appCount, running: running, from: &reader)
        }
        producers.restore(end: UInt32(numbers.startIndex + count))
    }

    private mutating func restoreProducer(
        _ number: ProducerID,
        apps appCount: Int,
        running: Milliseconds,
        from reader: inout StoreReader
    ) throws(StoreError) {
        guard let restored = try ProducerTable.StoredProducer(reading: &reader) else { return }
        if restored.app.index >= appCount {
            throw reader.corrupt("there is no app \(restored.app)")
        }
        if producers.find(of: restored.app, named: restored.name) != nil {
            throw reader.corrupt("a producer occurs twice")
        }
        if restored.idleSince > running {
            throw reader.corrupt("a producer was used at a time that has not come")
        }
        if !producers.restore(number, from: restored) {
            throw reader.corrupt("the rejected pushes of a producer are not in order")
        }
    }

    /// Restores a publisher's session, and returns whether its app has the producer.
    mutating func restore(_ session: SessionRecord, on connection: ConnectionSlot) -> Bool {
        let producer = session.producer
        guard producers.isKnown(producer), producers[producer].app == session.app else {
            return false
        }
        producers.restoreSession(producer, on: connection, session: session.number)
        return true
    }

    /// Restores a page of keys.
    mutating func restoreRequestKeys(
        page: UInt32,
        from reader: inout StoreReader
    ) throws(StoreError) {
        try requestKeys.restore { slots throws(StoreError) in
            try slots.restore(page: page, filling: .empty, from: &reader)
        }
    }

    /// Restores the chains of keys, the requests under way and the refused lines.
    mutating func restoreRequestQueues(
        apps appCount: Int,
        from reader: inout StoreReader
    ) throws(StoreError) {
        let end = try reader.read(UInt32.self)
        if end != requestKeys.slots.end {
            throw reader.corrupt("there are \(requestKeys.slots.end) numbers of keys, not \(end)")
        }
        for _ in 0..<(try reader.readCount(atMost: appCount)) {
            let app = try reader.readNumber(of: AppID.self, below: appCount)
            var queue = RequestKeyTable.Queue()
            queue.oldest = RequestKeyID(rawValue: try reader.read(UInt32.self))
            queue.newest = RequestKeyID(rawValue: try reader.read(UInt32.self))
            queue.count = try reader.readCount(atMost: Int(end))
            if !requestKeys.restoreQueue(queue, of: app) {
                throw reader.corrupt("the keys of app \(app) are no chain")
            }
        }
        for _ in 0..<(try reader.readCount(atMost: producers.count)) {
            let producer = try reader.readNumber(of: ProducerID.self)
            let request = try RequestKeyTable.Open(reading: &reader)
            guard producers.isKnown(producer), producers[producer].app == request.app,
                requestKeys.restore(request, of: producer)
            else { throw reader.corrupt("a request of no producer is under way") }
        }
        for _ in 0..<(try reader.readCount(atMost: requestKeys.count)) {
            let key = try reader.readNumber(of: RequestKeyID.self)
            if !requestKeys.restore(try reader.readRefusedLines(), of: key) {
                throw reader.corrupt("lines of no request were refused")
            }
        }
        requestKeys.restoredQueues()
    }

    /// Writes what partitions know of each other's pushes.
    func writeHomes(to writer: inout StoreWriter) {
        unsettled.write(to: &writer)
        for home in evaluated { home.write(to: &writer) }
    }

    /// Restores what `writeHomes` has written, after the producers.
    mutating func restoreHomes(from reader: inout StoreReader) throws(StoreError) {
        try unsettled.restore(&reader)
        for home in evaluated.indices { evaluated[home] = try EvaluatedPushes(reading: &reader) }
        var entries = unsettled.entries(after: unsettled.settled)
        while let entry = entries.next() {
            if !producers.isKnown(entry.producer) || producers[entry.producer].app != entry.app {
                throw reader.corrupt("push \(entry.number) is of no producer, and not settled")
            }
            producers.restoreUnsettled(entry.producer)
        }
    }

    /// Ends the restoring, after all else was read.
    mutating func finishRestoring() throws(StoreError) {
        producers.finishRestoring()
        if requestKeys.isRestored { return }
        throw StoreError.corrupt("the record of requests' keys is missing")
    }
}

extension ProducerTable.StoredProducer {
    /// Reads what `Publishers.writeProducers` has written of a number; nil if that is free. A dump
    /// shows a name of any length.
    init?(reading reader: inout StoreReader, forDump: Bool = false) throws(StoreError) {
        let position = try reader.readCount(atMost: AppID.count)
        if position == 0 { return nil }
        app = AppID(index: position - 1)
        name = try forDump ? reader.readCounted() : reader.readIdentifier()
        lastSeq = try reader.readVarint()
        usedAt = try reader.readSigned(WallTime.self)
        idleSince = Milliseconds(try reader.readVarint())
        forgottenRejection = try reader.readVarint()
        for _ in 0..<(try reader.readCount(atMost: RouterLimits.rejectionsPerProducer)) {
            let seq = try reader.readVarint()
            guard let code = ErrorCode(storedNumber: try reader.read(UInt8.self)) else {
                throw reader.corrupt("a push was rejected with an unknown code")
            }
            rejected.append(RejectionTable.Rejection(seq: seq, code: code))
        }
    }
}
