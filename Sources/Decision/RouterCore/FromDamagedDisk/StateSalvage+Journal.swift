internal import Basics
internal import FrameCodec
package import StoreFormat

/// The journal that a salvage makes.
extension StateSalvage {
    /// The bodies of a new journal, one after the other, each to be a record of its own. All others
    /// need the first one, and no other one.
    ///
    /// - Returns: nothing if there is no app file, without which nothing else has a meaning.
    /// - Throws: `corrupt` if the app file cannot be read; `older` or `newer` if the table is of a
    ///   version that this router does not read.
    package mutating func bodies() throws(StoreError) -> [[UInt8]] {
        endTable()
        try table.manifest?.requireReadable()
        if appFile.isEmpty { return [] }
        let declared = try appFile.withByteView { source throws(StoreError) in
            try StoreReader(source).catalog(source).apps.map { Array($0.app.utf8) }
        }
        let places = Dictionary(uniqueKeysWithValues: zip(declared, declared.indices))
        let numbers = apps.map { places[Array($0.utf8)] }
        func number(_ app: Int) -> Int? { app < numbers.count ? numbers[app] : nil }
        var bodies = producerBodies(number)
        for (name, before) in revocations.sorted(by: { $0.key < $1.key }) {
            guard let app = number(name.app) else {
                losses.add(of: .revocations)
                continue
            }
            bodies.append(
                name.device.withByteView {
                    Self.body(.tokensRevoked(app: AppID(index: app), device: $0, before: before))
                }
            )
        }
        for report in coveredReports + reports {
            guard let app = number(report.app) else {
                losses.add(of: .lists)
                continue
            }
            bodies.append(
                report.body.withByteView {
                    Self.body(.deviceReported(app: AppID(index: app), type: .widgets, body: $0))
                }
            )
        }
        return bodies
    }

    /// The first body, with the app file and a session of each producer, which numbers them; then
    /// sessions with their pushes, and with the keys of requests.
    private mutating func producerBodies(_ number: (Int) -> Int?) -> [[UInt8]] {
        var kept: [SalvagedProducers.Producer] = []
        /// The own producers of apps: their new numbers, and their last pushes.
        var own: [Int: (number: Int, lastSeq: UInt64)] = [:]
        for (_, var producer) in producers.known.sorted(by: { $0.key < $1.key }) {
            guard let app = number(producer.app) else {
                losses.add(of: .producers)
                continue
            }
            producer.app = app
            if producer.name == Self.ownProducer { own[app] = (kept.count, producer.lastSeq) }
            kept.append(producer)
        }
        var contents = kept.enumerated().filter { $1.lastSeq > 0 }
            .map { number, producer in
                Self.session(of: producer) {
                    let (number, last) = (ProducerID(index: number), producer.lastSeq)
                    RouterInput.batchEnded(source: .producer(number), last: last, count: 1)
                        .write(to: &$0)
                }
            }
        for request in requests.kept {
            guard let app = number(request.app) else {
                losses.add(of: .requestKeys)
                continue
            }
            if own[app] == nil {
                own[app] = (kept.count, 0)
                kept.append(.init(app: app, name: Self.ownProducer, lastSeq: 0))
            }
            let (number, lastSeq) = own[app]!
            own[app]!.lastSeq += UInt64(request.lines)
            contents.append(
                Self.session(of: kept[number]) { writer in
                    request.write(to: &writer, of: ProducerID(index: number), after: lastSeq)
                }
            )
            losses.add(of: .matchedCounts)
        }
        var first = StoreWriter()
        if let (now, schedule) = clock { RouterInput.clock(now, schedule).write(to: &first) }
        first.put(InputTag.apps.rawValue)
        appFile.withByteView { first.put(counted: $0) }
        for producer in kept { Self.put(sessionOf: producer, to: &first) { _ in } }
        return [first.bytes.array] + contents
    }

    /// Whether one of the `bodies` is one input, of which nothing is applied if it is refused.
    package static func isOneInput(_ body: [UInt8]) -> Bool {
        body.first == InputTag.reported.rawValue || body.first == InputTag.revoked.rawValue
    }

    /// A body with one input.
    private static func body(_ input: borrowing RouterInput) -> [UInt8] {
        var writer = StoreWriter()
        input.write(to: &writer)
        return writer.bytes.array
    }

    /// A body with a session of a producer.
    private static func session(
        of producer: SalvagedProducers.Producer,
        write: (inout StoreWriter) -> Void
    ) -> [UInt8] {
        var writer = StoreWriter()
        put(sessionOf: producer, to: &writer, write: write)
        return writer.bytes.array
    }

    /// Writes a session of a producer, from its begin to its end.
    private static func put(
        sessionOf producer: SalvagedProducers.Producer,
        to writer: inout StoreWriter,
        write: (inout StoreWriter) -> Void
    ) {
        let (connection, app) = (ConnectionSlot.first, AppID(index: producer.app))
        producer.name.withByteView {
            RouterInput.sessionOpened(connection: connection, role: .publisher, app: app, name: $0)
                .write(to: &writer)
        }
        write(&writer)
        RouterInput.sessionEnded(connection: connection).write(to: &writer)
    }
}
