package import Basics
package import CaptureFormat
internal import StoreFormat

/// Generates the records of a capture: a burst of some shape, with the devices that receive it.
/// `capture generate` writes them to a file.
///
///     0 s              registration           1-2 s       burst                 end
///     ├─ app file ─ HELLO, WIDGETS of all ─┬─ pause ─┬─ pushes ─────────────────┤
///                                          └ producers' HELLOs
///
/// Records are generated one at a time and not kept: memory does not grow with their number.
package struct BurstGenerator: ~Copyable {
    /// The registration of all devices, at the beginning or after all sessions have ended.
    struct Registration {
        /// When the registration starts.
        var start: RecordedTime
        /// How long it takes for all devices.
        var span: Microseconds
        /// The device to register next.
        var next = 0
        /// True once the session of the next device has its HELLO.
        var saidHello = false

        /// When a device registers. The product takes up to 67 bits: 10,000,000 devices, one a
        /// second, take 10^13 µs.
        func time(ofDevice device: Int, of devices: Int) -> RecordedTime {
            assert(device >= 0 && device <= devices, "there is no such device")
            let product = UInt64(span.rawValue).multipliedFullWidth(by: UInt64(device))
            let offset = UInt64(devices).dividingFullWidth(product).quotient
            return start + Microseconds(rawValue: Int64(offset))
        }
    }

    private enum Phase {
        case apps, devices, producers, burst, over
    }

    /// What happens in the burst.
    let shape: BurstShape
    /// The sizes and the seed of the burst.
    let options: BurstOptions
    private let domain: BurstDomain
    private let zipf: ZipfTable
    private var random: SplitMix64
    private var text = StoreWriter(capacity: 65_536)
    private var phase = Phase.apps
    /// The registration that is under way, or the last one.
    private(set) var registration: Registration
    /// The last sequence number of each session that speaks for devices.
    private var deviceSeqs: ContiguousArray<UInt64>
    /// The last sequence number of each producer.
    private var producerSeqs: ContiguousArray<UInt64>
    private var nextProducer = 0
    private var rate: BurstRate
    /// The current second of the burst.
    private var second = -1
    /// The number of pushes in this second.
    private var count = 0
    /// The number of this second's pushes that have been generated.
    private var made = 0
    /// The number of pushes generated since the burst began, without those on the hot key.
    private var totalMade = 0
    /// When the next push is due; nil if there is none.
    private var pushTime: RecordedTime?
    /// Only for the shape `reconnects`: the session to end next; nil before the first one.
    private var ending: Int?
    /// True once all devices have registered again; true from the start for other shapes.
    private var reconnectsAreOver: Bool
    /// When the pushes on the hot key are due.
    private var hotTimes: ArraySlice<RecordedTime>

    /// Prepares the burst; no record is generated before `next`.
    package init(_ shape: BurstShape, options: BurstOptions) {
        precondition(options.problem == nil, "the options contradict each other")
        self.shape = shape
        self.options = options
        domain = shape.domain
        zipf = ZipfTable(options.keys)
        random = SplitMix64(seed: SplitMix64.mixed(options.seed &+ 1))
        rate = BurstRate(shape, options: options)
        registration = Registration(start: .zero, span: Self.span(options))
        deviceSeqs = ContiguousArray(repeating: 0, count: options.sessions)
        producerSeqs = ContiguousArray(repeating: 0, count: options.producers)
        reconnectsAreOver = shape != .reconnects
        hotTimes = []
        if shape == .hotKey {
            let length = Microseconds.seconds(Int64(options.seconds))
            let share = Int64(options.hotPushes + 1)
            let times = (0..<options.hotPushes).map {
                burstStart + length * Int64($0 + 1) / share
            }
            hotTimes = times[...]
        }
    }

    /// The header of the capture.
    package var header: CaptureHeader {
        CaptureHeader(
            recording: SplitMix64.mixed(options.seed ^ 0x6275_7273_7400_0000),
            startedAt: options.startedAt
        )
    }

    /// When the first push may come. It is the beginning of a second.
    package var burstStart: RecordedTime { .zero + .seconds(Self.span(options) / .seconds(1) + 2) }

    /// How long it takes until all devices have registered.
    private static func span(_ options: BurstOptions) -> Microseconds {
        .seconds(Int64(options.devices)) / Int64(options.devicesPerSecond)
    }

    /// The seconds of the burst that have the peak's rate.
    var peakSeconds: Range<Int> { rate.peakSeconds }

    /// Returns the next record; nil after the last. Its body is valid until the next call.
    package mutating func next() -> CaptureRecord? {
        switch phase {
        case .apps:
            phase = .devices
            return apps()
        case .devices:
            if let record = nextOfRegistration() { return record }
            phase = .producers
            return next()
        case .producers:
            if nextProducer < options.producers { return producerHello() }
            phase = .burst
            advancePush()
            return next()
        case .burst:
            if let record = nextOfBurst() { return record }
            phase = .over
            return nil
        case .over: return nil
        }
    }

    // MARK: - App file

    private mutating func apps() -> CaptureRecord {
        let apps = (0..<options.apps).map { domain.app($0, hasBudgets: options.hasBudgets) }
        let file = "{\"apps\":[\(apps.joined(separator: ","))]}"
        return record(.apps, at: .zero, connection: 0, body: file)
    }

    /// A record with a text as its body.
    private mutating func record(
        _ kind: CaptureKind,
        at time: RecordedTime,
        connection: UInt32,
        seq: UInt64 = 0,
        body: String
    ) -> CaptureRecord {
        text.clear()
        body.withByteView { text.put(raw: $0) }
        return CaptureRecord(
            time: time,
            connection: connection,
            kind: kind,
            seq: seq,
            body: text.bytes
        )
    }

    // MARK: - Devices

    /// The connection of a producer. The sessions of devices have the connections from 1 on; the
    /// producers have those after them.
    private func connection(ofProducer producer: Int) -> UInt32 {
        UInt32(1 + options.sessions + producer)
    }

    /// The next HELLO or WIDGETS of a registration; nil after the last device.
    private mutating func nextOfRegistration() -> CaptureRecord? {
        assert(
            phase == .devices || phase == .burst,
            "devices register before the burst or within it"
        )
        let device = registration.next
        if device == options.devices { return nil }
        let time = registration.time(ofDevice: device, of: options.devices)
        if device < options.sessions && !registration.saidHello {
            registration.saidHello = true
            return deviceHello(device, at: time)
        }
        registration.saidHello = false
        registration.next += 1
        return widgets(device, at: time)
    }

    private mutating func deviceHello(_ session: Int, at time: RecordedTime) -> CaptureRecord {
        deviceSeqs[session] = 0
        let app = domain.name(ofApp: session % options.apps)
        let hello =
            options.gateways == 0
            ? #"{"v":1,"role":"device","app":"\#(app)","device":"\#(name(ofDevice: session))"}"#
            : #"{"v":1,"role":"gateway","app":"\#(app)"}"#
        return record(.hello, at: time, connection: UInt32(1 + session), body: hello)
    }

    private func name(ofDevice device: Int) -> String { "d-\(padded(device, to: 7))" }

    /// Returns the WIDGETS record of a device. Its widgets depend only on the seed and the device's
    /// number: a device that registers again has the same widgets.
    private mutating func widgets(_ device: Int, at time: RecordedTime) -> CaptureRecord {
        let session = device % options.sessions
        deviceSeqs[session] += 1
        var own = SplitMix64(
            seed: SplitMix64.mixed(options.seed &* 0x9e37_79b9_7f4a_7c15 ^ UInt64(device))
        )
        let widgets = (0..<options.widgetsPerDevice).map { widget in
            domain.widget(widget, keys: keys(ofWidget: widget, using: &own))
        }
        let list = widgets.joined(separator: ",")
        return record(
            .widgets,
            at: time,
            connection: UInt32(1 + session),
            seq: deviceSeqs[session],
            body: #"{"device":"\#(name(ofDevice: device))","widgets":[\#(list)]}"#
        )
    }

    /// The keys of a widget. Every third widget of a device has three, the others one. With
    /// `hot-key`, every widget has the hot key 0, and all but the first have two more keys.
    private func keys(ofWidget widget: Int, using own: inout SplitMix64) -> [Int] {
        if shape == .hotKey {
            return widget == 0 ? [0] : [0, zipf.number(own.next()), zipf.number(own.next())]
        }
        let count = widget % 3 == 2 && options.keys >= 3 ? 3 : 1
        return (0..<count).map { _ in zipf.number(own.next()) }
    }

    // MARK: - Producers

    private mutating func producerHello() -> CaptureRecord {
        assert(phase == .producers, "the producers have begun their sessions")
        let producer = nextProducer
        nextProducer += 1
        let app = domain.name(ofApp: producer % options.apps)
        return record(
            .hello,
            at: .zero + registration.span,
            connection: connection(ofProducer: producer),
            body: #"{"v":1,"role":"publisher","app":"\#(app)","#
                + #""producer":"p-\#(padded(producer, to: 3))"}"#
        )
    }

    // MARK: - Burst

    /// The next record of the burst; nil after the last.
    private mutating func nextOfBurst() -> CaptureRecord? {
        if !reconnectsAreOver {
            let time = reconnectTime
            if pushTime == nil || time <= pushTime! {
                if let record = nextReconnect(at: time) { return record }
            }
        }
        if let hot = hotTimes.first, pushTime == nil || hot <= pushTime! {
            hotTimes.removeFirst()
            return push(at: hot, producer: 0, key: 0)
        }
        guard let time = pushTime else { return nil }
        let producer = producer()
        let key = key(producer)
        let record = push(at: time, producer: producer, key: key)
        made += 1
        totalMade += 1
        advancePush()
        return record
    }

    /// Sets `pushTime` to the time of the next push, or to nil after the last second.
    private mutating func advancePush() {
        while made == count {
            guard let next = rate.nextSecond() else {
                pushTime = nil
                return
            }
            (count, made) = (next, 0)
            second += 1
        }
        assert(made < count, "the second has no push left")
        let position = (made * 1_000_000 + random.below(1_000_000)) / count
        assert(position < 1_000_000, "the push falls into a later second")
        let isWall = shape == .marketOpen && second == rate.peakSeconds.lowerBound
        // When the market opens, pushes crowd towards the beginning of the first second.
        let offset = isWall ? position * position / 1_000_000 : position
        let time = burstStart + .seconds(Int64(second)) + Microseconds(rawValue: Int64(offset))
        assert(pushTime == nil || pushTime! <= time, "the push is due before the one before it")
        pushTime = time
    }

    /// Draws the producer of the next push.
    private mutating func producer() -> Int {
        if shape != .chattyProducer { return random.below(options.producers) }
        if random.below(100) < options.chattyPercent || options.producers == 1 { return 0 }
        return 1 + random.below(options.producers - 1)
    }

    /// Draws the key that the next push is about.
    private mutating func key(_ producer: Int) -> Int {
        switch shape {
        case .matchEnd where rate.peakSeconds.contains(second): totalMade % options.keys
        case .chattyProducer where producer == 0:
            random.below(min(options.keys, options.chattyKeys))
        case .hotKey: options.keys == 1 ? 0 : 1 + random.below(options.keys - 1)
        case .marketOpen: zipf.number(random.next())
        // The other shapes push about all keys with the same probability; pushes that prefer the
        // keys of many widgets are the subject of `hot-key`.
        case .flashCrowd, .matchEnd, .chattyProducer, .reconnects, .manyApps:
            random.below(options.keys)
        }
    }

    private mutating func push(at time: RecordedTime, producer: Int, key: Int) -> CaptureRecord {
        assert(key >= 0 && key < options.keys, "no widget has the key")
        producerSeqs[producer] += 1
        return record(
            .push,
            at: time,
            connection: connection(ofProducer: producer),
            seq: producerSeqs[producer],
            body: domain.payload(about: key, using: &random)
        )
    }

    // MARK: - Reconnection of all sessions

    /// When the next record of the mass reconnection is due.
    private var reconnectTime: RecordedTime {
        let start = burstStart + .seconds(Int64(rate.peakSeconds.lowerBound))
        guard registration.start > .zero else { return start }
        return registration.time(ofDevice: registration.next, of: options.devices)
    }

    /// The next record of the mass reconnection: first the end of each session of devices, then the
    /// registration of each device again; nil after the last.
    private mutating func nextReconnect(at time: RecordedTime) -> CaptureRecord? {
        assert(shape == .reconnects && !reconnectsAreOver, "the sessions stay as they are")
        assert(time > .zero, "a registration that starts at 0 is the first one")
        let session = ending ?? 0
        if session < options.sessions {
            ending = session + 1
            return record(.ended, at: time, connection: UInt32(1 + session), body: "")
        }
        if registration.start == .zero {
            registration = Registration(start: time, span: .seconds(Int64(rate.peakSeconds.count)))
        }
        if let record = nextOfRegistration() { return record }
        reconnectsAreOver = true
        return nil
    }
}
