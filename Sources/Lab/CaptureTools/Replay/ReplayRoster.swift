internal import Basics
internal import CaptureFormat
internal import FrameCodec
internal import RouterCore
internal import StoreFormat

/// The apps, producers, gateways and devices of a capture, and its schedule: all that a replay must
/// know before it begins.
struct ReplayRoster: Sendable {
    /// The name of a producer or a device, with the number of its app.
    struct NamedPeer: Hashable, Sendable {
        /// The number of the app: its index in `ReplayRoster.apps`.
        let app: Int
        /// The name from the HELLO; empty if it had none.
        let name: String
    }

    /// The text of the app file.
    private(set) var appFile: [UInt8] = []
    /// The declared apps, of all app files before the first push.
    private(set) var apps: [AppDeclaration] = []
    /// The producers, in the order of their first sessions.
    var producers: [NamedPeer] { producerNumbers.names }
    /// Devices with sessions of their own, in the order of their first sessions; empty unless the
    /// replay also gives them connections of their own.
    var devices: [NamedPeer] { deviceNumbers.names }
    /// For each app, the most sessions of gateways that are open at once.
    private(set) var gateways: [Int] = []
    /// For each app, true if devices of it had sessions of their own, without a gateway.
    private(set) var hasDevices: [Bool] = []
    /// The number of pushes in the part that is replayed.
    private(set) var pushes = 0
    /// When the schedule begins.
    private(set) var start = RecordedTime.zero
    /// When the schedule ends and the next round begins.
    private(set) var end = RecordedTime.zero
    /// The number of inputs that the recorder could not record.
    private(set) var lost: UInt64 = 0
    /// The number of app files after the first push of the schedule; the replay ignores them.
    private(set) var laterAppFiles = 0

    private var producerNumbers = Numbering<NamedPeer>()
    private var deviceNumbers = Numbering<NamedPeer>()
    /// True if devices with sessions of their own get connections of their own.
    private let namesDevices: Bool
    private var sessions: RecordedSessions = [:]
    private var openGateways: [Int] = []
    private var appNumbers: [String: Int] = [:]
    /// The text of the last app file, which may come after the first push.
    private var appFileInForce: [UInt8] = []

    /// Reads a capture up to the end of the part that is replayed.
    ///
    /// - Throws: `ReplayError` if there is nothing to replay, or an error of the source.
    init(_ source: some ReplaySource, settings: ReplaySettings) throws {
        namesDevices = settings.gateways == 0 && settings.hasDevices
        while let record = try source.next() {
            if record.time >= settings.to { break }
            try add(record, settings: settings)
        }
        if pushes == 0 {
            throw ReplayError(.empty, message: "there are no pushes in this part of the capture")
        }
        // From the last push to the next round is as long as from one push to the next on average.
        let interval = max(Microseconds(rawValue: 1), (end - start) / Int64(pushes))
        end = settings.to < .max ? settings.to : end + interval
    }

    private mutating func add(_ record: CaptureRecord, settings: ReplaySettings) throws {
        switch record.kind {
        case .apps: try install(record)
        case .hello: hello(record)
        case .ended: ended(record.connection)
        case .push:
            // Records whose session has no valid HELLO of a declared app are ignored.
            guard sessions[record.connection]?.role == .publisher, record.time >= settings.from
            else { return }
            if pushes == 0 { start = record.time }
            pushes += 1
            end = record.time
        case .lost:
            var reader = StoreReader(record.body)
            lost += (try? reader.readVarint()) ?? 0
        case .widgets, .timeline, .state, .request, .attach: break
        }
    }

    private mutating func install(_ record: CaptureRecord) throws {
        // Later files of a recording repeat the app file in force.
        if appFileInForce.withByteView({ $0 == record.body }) { return }
        appFileInForce = record.body.array
        if pushes > 0 {
            laterAppFiles += 1
            return
        }
        let catalog: AppCatalog
        do {
            catalog = try AppFile.parseStored(record.body)
        } catch {
            throw ReplayError(.apps, message: "the capture's app file: \(error)")
        }
        // Apps keep their numbers, because sessions refer to them.
        for app in catalog.apps {
            if let number = appNumbers[app.app] {
                apps[number] = app
            } else {
                appNumbers[app.app] = apps.count
                apps.append(app)
                gateways.append(0)
                openGateways.append(0)
                hasDevices.append(false)
            }
        }
        assert(
            apps.count == gateways.count && apps.count == hasDevices.count,
            "an app has no counts of its sessions"
        )
        appFile = record.body.array
    }

    private mutating func hello(_ record: CaptureRecord) {
        if sessions[record.connection]?.isRepeated(by: record) == true { return }
        ended(record.connection)
        guard let hello = HelloMessage(recorded: record.body), let app = appNumbers[hello.app]
        else { return }
        sessions[record.connection] = session(hello, from: record, app: app)
    }

    private mutating func session(
        _ hello: HelloMessage,
        from record: CaptureRecord,
        app: Int
    ) -> RecordedSession {
        switch hello.role {
        case .publisher:
            let producer = NamedPeer(app: app, name: hello.name ?? "")
            let number = producerNumbers.number(of: producer)
            return RecordedSession(role: .publisher, app: app, number: number, hello: record)
        case .gateway:
            openGateways[app] += 1
            gateways[app] = max(gateways[app], openGateways[app])
            return RecordedSession(role: .gateway, app: app, hello: record)
        case .device, .server:
            hasDevices[app] = true
            if namesDevices {
                let device = NamedPeer(app: app, name: hello.name ?? "")
                _ = deviceNumbers.number(of: device)
            }
            return RecordedSession(role: .device, app: app, hello: record)
        }
    }

    private mutating func ended(_ connection: UInt32) {
        guard let session = sessions.removeValue(forKey: connection) else { return }
        if session.role == .gateway { openGateways[session.app] -= 1 }
        assert(openGateways[session.app] >= 0, "a gateway's session ends that has not begun")
    }

    // MARK: - Look-up

    func number(ofProducer producer: NamedPeer) -> Int? { producerNumbers[producer] }
    func number(ofDevice device: NamedPeer) -> Int? { deviceNumbers[device] }
    func number(ofApp name: String) -> Int? { appNumbers[name] }
}

extension HelloMessage {
    /// Decodes a recorded HELLO; nil if it is invalid.
    init?(recorded body: ByteView) {
        var scanner = JSONScanner(depthLimit: RouterLimits.jsonDepth)
        do {
            try validateJSON(body, using: &scanner)
            self = try HelloMessage.decode(body)
        } catch {
            return nil
        }
    }
}

/// A session of the capture, and its counterpart in the replay.
struct RecordedSession {
    enum Role {
        case publisher, gateway, device
    }

    var role: Role
    let app: Int
    /// For a publisher, its producer's number; for a gateway, its slot among those of the app; for
    /// a device, its number, or a hash that chooses its connection.
    var number = 0
    /// A hash of the HELLO and its sequence number.
    private let mark: UInt64

    init(role: Role, app: Int, number: Int = 0, hello: CaptureRecord) {
        self.role = role
        self.app = app
        self.number = number
        mark = Self.mark(of: hello)
    }

    /// Whether a HELLO only repeats that of this session, as later files of a recording do.
    func isRepeated(by hello: CaptureRecord) -> Bool { mark == Self.mark(of: hello) }

    private static func mark(of hello: CaptureRecord) -> UInt64 {
        stableHash(hello.body, seed: hello.seq)
    }
}

/// The open sessions of a capture, by the number of their connection.
typealias RecordedSessions = [UInt32: RecordedSession]
