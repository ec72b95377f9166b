internal import DataStructures
internal import FrameCodec
internal import ReloadModel
package import StoreFormat
internal import Times

/// The journal that a salvage makes.
extension StateSalvage {
    /// The bodies of a new journal, one after the other, each to be a record of its own.
    ///
    /// - Returns: nothing if there is no app file, without which nothing else has a meaning.
    /// - Throws: `corrupt` if the app file cannot be read.
    package mutating func bodies() throws(StoreError) -> [[UInt8]] {
        if appFile.isEmpty { return [] }
        let declared = try appFile.withByteView { source throws(StoreError) in
            try StoreReader(source).catalog(source).apps.map(\.app)
        }
        var first = StoreWriter()
        if let (now, schedule) = clock { RouterInput.clock(now, schedule).write(to: &first) }
        first.put(InputTag.apps.rawValue)
        appFile.withByteView { first.put(counted: $0) }
        let numbers = apps.map { declared.firstIndex(of: $0) }
        func number(_ app: Int) -> Int? { app < numbers.count ? numbers[app] : nil }
        var bodies = [first.bytes.array]
        bodies += producerBodies(number)
        for (name, before) in revocations.sorted(by: { $0.key < $1.key }) {
            guard let app = number(name.app) else {
                losses.add(of: .revocations)
                continue
            }
            bodies.append(Self.body(of: name, before: before, app: app))
        }
        for report in reports {
            guard let app = number(report.app) else {
                losses.add(of: .lists)
                continue
            }
            var writer = StoreWriter()
            writer.put(InputTag.reported.rawValue)
            writer.put(varint: UInt64(app))
            writer.put(FrameType.widgets.rawValue)
            report.body.withByteView { writer.put(counted: $0) }
            bodies.append(writer.bytes.array)
        }
        return bodies
    }

    /// The sessions of producers, and those of each app's own producer with the keys of requests.
    private mutating func producerBodies(_ number: (Int) -> Int?) -> [[UInt8]] {
        var bodies: [[UInt8]] = []
        /// The own producers of apps: their new numbers, and their last pushes.
        var own: [Int: (number: UInt32, lastSeq: UInt64)] = [:]
        var count: UInt32 = 0
        for (_, producer) in producers.sorted(by: { $0.key < $1.key }) {
            guard let app = number(producer.app) else {
                losses.add(of: .producers)
                continue
            }
            if producer.name == Self.ownProducer { own[app] = (count, producer.lastSeq) }
            bodies.append(Self.body(of: producer, app: app, number: UInt64(count)))
            count += 1
        }
        for request in requests.kept {
            guard let app = number(request.app) else {
                losses.add(of: .requestKeys)
                continue
            }
            if own[app] == nil {
                own[app] = (count, 0)
                count += 1
            }
            let (number, lastSeq) = own[app]!
            own[app]!.lastSeq += UInt64(request.lines)
            bodies.append(
                Self.sessionBody(app: app, name: Self.ownProducer) { writer in
                    request.write(to: &writer, of: ProducerID(rawValue: number), after: lastSeq)
                }
            )
            losses.add(of: .matchedCounts)
        }
        return bodies
    }

    private static func body(of name: DeviceName, before: WallTime, app: Int) -> [UInt8] {
        var writer = StoreWriter()
        writer.put(InputTag.revoked.rawValue)
        writer.put(varint: UInt64(app))
        name.device.withByteView { writer.put(counted: $0) }
        writer.put(true)
        writer.put(signed: before)
        return writer.bytes.array
    }

    /// A session of the producer in which all of its pushes were accepted.
    private static func body(of producer: Producer, app: Int, number: UInt64) -> [UInt8] {
        sessionBody(app: app, name: producer.name) { writer in
            if producer.lastSeq == 0 { return }
            writer.put(InputTag.batch.rawValue)
            writer.put(varint: number)
            writer.put(varint: producer.lastSeq)
            writer.put(varint: 1)
        }
    }

    /// A session of a producer, from its begin to its end.
    private static func sessionBody(
        app: Int,
        name: [UInt8],
        write: (inout StoreWriter) -> Void
    ) -> [UInt8] {
        var writer = StoreWriter()
        writer.put(InputTag.session.rawValue)
        writer.put(varint: 0)
        writer.put(Peer.publisher.storedNumber)
        writer.put(varint: UInt64(app))
        name.withByteView { writer.put(counted: $0) }
        write(&writer)
        writer.put(InputTag.ended.rawValue)
        writer.put(varint: 0)
        return writer.bytes.array
    }
}
