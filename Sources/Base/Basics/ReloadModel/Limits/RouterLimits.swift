/// Every limit of the router, by name, with what happens beyond it.
///
/// The values here are the defaults; operators change them with options of `serve`. `problem`
/// checks them against each other at start.
@usableFromInline
package struct RouterLimits: Equatable, Sendable {
    /// The longest body of a frame, in bytes; announced in WELCOME.
    ///
    /// Beyond: ERROR `frame-length`.
    package var maxBody = 65_536
    /// The most unacknowledged pushes of a publisher's session.
    ///
    /// Beyond: ERROR `window-exceeded`.
    package var window = 8_192
    /// How far above a producer's last sequence number that of its next push may be.
    ///
    /// Beyond: ERROR `seq-too-high`. So a mistake does not use up the producer's numbers. At most
    /// 2^63; it is higher than the default where recorded pushes are played, which may begin with
    /// any number.
    package var seqJump: UInt64 = 1 << 32
    /// Whether a publisher may have a name that is the router's own; see
    /// `HelloMessage.hasReservedName`. True only where recorded sessions are played.
    package var allowsReservedNames = false
    /// The highest sequence number, and the highest whole number in a body: what follows it, not
    /// every language can count.
    ///
    /// Beyond: ERROR `seq-too-high`; in a body, REJECT `body-invalid`.
    @inlinable package static var numberLimit: UInt64 { 1 << 53 - 1 }
    /// The longest body of a HELLO, in bytes; `maxBody` if that is less.
    ///
    /// Beyond: ERROR `frame-length`, as soon as the header has arrived. Before HELLO a peer is
    /// unknown, so the router keeps and scans no more than this for it.
    @inlinable package static var helloBody: Int { 4_096 }
    /// The most connections.
    ///
    /// Beyond: the oldest connection without a complete HELLO is closed; if there is none, the new
    /// one gets ERROR `too-many-connections`.
    package var connections = 65_536
    /// The most connections of one IPv4 address or one IPv6 network of 64 bits. If nil, a quarter
    /// of `connections`; all of them for connections from this machine itself.
    ///
    /// Beyond: a new one gets ERROR `too-many-connections`.
    package var connectionsPerAddress: Int?
    /// The most connections without a complete HELLO; a quarter of that for one address (all of it
    /// for this machine itself).
    ///
    /// Beyond: further ones wait with the kernel while the oldest has had less than half a second
    /// or sessions begin fast; then the oldest gets ERROR `hello-timeout`. Beyond the share of one
    /// address, a new one from it gets ERROR `too-many-connections`.
    package var connectionsAwaitingHello = 4_096
    /// The most stored devices.
    ///
    /// Beyond: REJECT `too-many-devices`.
    package var devices = 16_777_216
    /// The quotas of each app, where the app file does not state its own.
    package var appQuotas = AppQuotas()
    /// The most stored widgets of all devices.
    ///
    /// Beyond: REJECT `quota-exceeded` for a device that wants more widgets than it has.
    package var widgets = 100_000_000
    /// The memory that all stored devices and widgets may take, in bytes as `StoredCost` counts
    /// them.
    ///
    /// Beyond: REJECT `quota-exceeded` for a device that wants more than it has. The default of
    /// `serve` is another one, by the machine's memory.
    package var storedBytes = 8 << 30
    /// The memory that each of the tables' arenas may take, in bytes. It is less than the arena's
    /// own limit, because free blocks may have other sizes than the ones that are needed.
    ///
    /// Beyond: the same as beyond `storedBytes`.
    package var arenaBytes = 12 << 30
    /// The most kinds that an app file may declare for one app.
    ///
    /// Beyond: the app file is refused.
    package var kindsPerApp = 65_000
    /// The numbers available for apps. Every app that was ever declared keeps its number, because
    /// stored records refer to it by that number.
    ///
    /// Beyond: the app file is refused.
    package var appNumbers = 65_536
    /// The numbers available for kinds. Every kind that was ever declared has one, because stored
    /// records refer to it by that number.
    ///
    /// Beyond: numbers of kinds that are not declared any more and have no widgets are given to new
    /// kinds; if that is not enough, the app file is refused.
    package var kindNumbers = 65_536
    /// The most widgets of one device.
    ///
    /// Beyond: REJECT `too-many-widgets`.
    package var widgetsPerDevice = 256
    /// The most producers, of all apps, whose last push number is kept.
    ///
    /// Beyond: producers that have been idle for `producerIdle` are forgotten; if that is not
    /// enough, a new one gets ERROR `too-many-producers`.
    package var producers = 65_536
    /// The most producers of one app; nil for a quarter of `producers`, so that no app can use them
    /// all.
    ///
    /// Beyond: idle producers are forgotten as beyond `producers`; if that is not enough, a new one
    /// gets ERROR `quota-exceeded`.
    package var producersPerApp: Int?
    /// How long a producer may be idle before it is forgotten, with its last push number;
    /// counted while the router runs.
    ///
    /// Two weeks, so that a producer that pushes once a week is remembered.
    package var producerIdle = Milliseconds.days(14)
    /// How long nothing may be heard of a device before it is removed with all that is stored for
    /// it; counted while the router runs. An app that is opened once a year is remembered.
    package var deviceIdle = Milliseconds.days(400)
    /// The most keys of requests over HTTP that are kept, of all apps, if `requestKeysPerApp` is
    /// nil: each app may have an equal share, so that no app's keys displace another's.
    ///
    /// Beyond an app's share: its oldest keys are forgotten.
    package var requestKeys = 1_000_000
    /// The most keys of requests over HTTP that are kept of each app; nil for an equal share of
    /// `requestKeys`.
    ///
    /// Beyond: its oldest keys are forgotten.
    package var requestKeysPerApp: Int?
    /// The most entries of a TIMELINE.
    ///
    /// Beyond: REJECT `timeline-invalid`.
    package var timelineEntries = 400
    /// How long a new connection may take until its HELLO is complete.
    package var helloTimeout = Milliseconds.seconds(10)
    /// How long a frame may take from its first byte to its last.
    package var frameTimeout = Milliseconds.seconds(30)
    /// The silence after which a PING is sent. After two unanswered PINGs and as much
    /// silence again, the connection ends with ERROR `ping-timeout`.
    package var pingInterval = Milliseconds.seconds(15)
    /// The output of one connection, in bytes: what its peer has not read yet, and answers awaiting
    /// commit. If a sixteenth of what is still free of `totalOutput` is less, that is the limit.
    ///
    /// Beyond: its RELOADs wait (and coalesce per widget), and the connection is paused until its
    /// output is down to half of the limit.
    package var connectionOutput = 1 << 20
    /// The output of all connections, in bytes.
    ///
    /// Beyond: all connections are paused and RELOADs wait, until a quarter of the limit is free.
    /// If that takes more than 5 s, the connections with the most output are closed.
    package var totalOutput = 256 << 20
    /// The kept input of all connections, in bytes: incomplete frames, and bytes that came while
    /// the router accepted no frames.
    ///
    /// Beyond: connections are ended until a quarter of the limit is free: first those that do not
    /// read their answers, then publishers of paused apps, then those that have been sending one
    /// frame for longest, with ERROR `frame-timeout`. If that is not enough, no connection is read
    /// from.
    package var totalInput = 256 << 20
    /// The number of decisions kept for each device, for explanations; a new one replaces the
    /// oldest.
    package var decisionsPerDevice = 8
    /// The number of pushes kept to say what became of them, a power of two; a new one replaces the
    /// oldest.
    package var historyPushes = 131_072
    /// The number of widgets kept that these pushes have matched, a power of two, of all pushes
    /// together; of one push a quarter of them.
    package var historyWidgets = 1_048_576
    /// The most entries of a page that a publisher gets of these pushes or widgets; others follow
    /// in the next page.
    @inlinable package static var historyPage: Int { 64 }
    /// The most kinds by which the history of a push counts its widgets; those of others are not
    /// counted.
    @inlinable package static var historyKinds: Int { 64 }

    /// The most widgets that one search may find for pushes that arrived together, and the most
    /// that reload in one step.
    ///
    /// Beyond: the matches are delivered in portions of that many, one a step, while frames of all
    /// connections but the publisher's are accepted; so a push that matches a million widgets
    /// delays only its publisher.
    package var matchesPerStep = 8_192
    /// The work that one search for widgets may do, in units of `WorkCost` (about a nanosecond
    /// each).
    ///
    /// Beyond: the same as beyond `matchesPerStep`.
    package var workPerStep = 500_000
    /// The work that one tick may do for input, in units of `WorkCost`.
    ///
    /// Beyond: that tick accepts no further frame from any connection; the next one continues.
    package var workPerTick = 3_000_000
    /// The part of `workPerTick` that one connection may use, in units of `WorkCost`. A connection
    /// that is the only one to send may use all of it.
    ///
    /// Beyond: the connection's next frames wait until its share of later ticks has made up for
    /// the excess.
    package var workPerConnection = 250_000
    /// The number of matched widgets of all pushes that wait to be delivered; each takes 8 bytes.
    ///
    /// Beyond: no frame is accepted from any connection until they have been delivered.
    package var fanOutMatches = 4_194_304
    /// The number of widgets that were replaced or removed during fan-outs that may concern them;
    /// each is remembered until those fan-outs have been delivered.
    ///
    /// Beyond: no frame is accepted from any connection until these fan-outs have been delivered.
    @inlinable package static var fanOutChanges: Int { 65_536 }

    /// The bytes of the journal, 4 for each matched widget, after which a step stops searching for
    /// a push's matches.
    ///
    /// Beyond: the next step continues the search, in a journal record of its own.
    package var journalRecord = 512 << 10

    /// The pushes that a home keeps because not all partitions have evaluated them yet, in bytes.
    /// All are copied when a checkpoint begins.
    ///
    /// Beyond: the home accepts no further push until others are settled.
    @inlinable package static var unsettledBytes: Int { 16 << 20 }
    /// The most partitions of a store.
    ///
    /// Beyond: a store cannot be made with more, and one that says so is refused as damaged.
    @inlinable package static var partitionsLimit: Int { 64 }
    /// The upper bound of `devices`.
    @inlinable package static var devicesLimit: Int { 100_000_000 }
    /// The upper bound of `widgets`.
    @inlinable package static var widgetsLimit: Int { 134_000_000 }
    /// The upper bound of `storedBytes`: 1 TiB.
    @inlinable package static var storedBytesLimit: Int { 1 << 40 }
    /// The upper bound of `arenaBytes`: 1 GiB less than the size at which an arena traps.
    @inlinable package static var arenaBytesLimit: Int { 15 << 30 }
    /// The upper bound of `connections`.
    @inlinable package static var connectionsLimit: Int { 4_194_304 }
    /// The RELOADs made in one step: this many of one widget each, or others of the same
    /// `WorkCost`. The rest follow in the next step, so that a push with a million matches does not
    /// keep the loop from its other work.
    @inlinable package static var reloadsPerStep: Int { 4_096 }
    /// The work that searching for widgets may do in one step while no frames are accepted because
    /// a push has very many matches; in units of `WorkCost`.
    @inlinable package static var searchWorkPerStep: Int { 2_000_000 }
    /// The PINGs, and ERRORs for silence, sent in one tick; other connections follow in the next.
    @inlinable package static var pingsPerTick: Int { 64 }
    /// The connections checked for silence in one tick; the others follow in the next.
    @inlinable package static var sweptPerTick: UInt32 { 8_192 }
    /// The idle producers forgotten in one tick; the others follow in later ones.
    @inlinable package static var producersPerTick: Int { 1_024 }
    /// The most idle producers forgotten at once to free a slot for a new one; if none is freed, it
    /// is refused.
    @inlinable package static var producersPerRefusal: Int { 64 }
    /// The widgets named in one RELOAD; a device with more gets several.
    @inlinable package static var widgetsPerReload: Int { 128 }
    /// The widgets that an OUTCOME names; its counts include the others.
    @inlinable package static var outcomeWidgets: Int { 4 }
    /// The longest body of an OUTCOME, in bytes; they are reserved when its push comes.
    @inlinable package static var outcomeBytes: Int { 4_096 }
    /// The longest payload for which the nearest widget is looked for if no widget matches, in
    /// bytes.
    ///
    /// Beyond: the OUTCOME names no nearest widget.
    @inlinable package static var nearestPayload: Int { 4_096 }
    /// The work of looking for the widget nearest to a push that matches none, in units of
    /// `WorkCost`; it is done for one push of a batch, and its publisher is charged for it.
    ///
    /// Beyond: the nearest of the widgets that were examined is named, or none.
    @inlinable package static var nearestWork: Int { 500_000 }
    /// The timers advanced in one step; the rest follow in the next.
    @inlinable package static var timersPerStep: Int { 16_384 }
    /// The bytes of inlined values in one RELOAD; widgets whose values do not fit are named in a
    /// further one.
    @inlinable package static var inlinedBytesPerReload: Int { 12_288 }
    /// The deepest nesting of JSON; the outermost object has depth 1.
    @inlinable package static var jsonDepth: Int { 32 }
    /// The combinations of values with which one push may search for widgets.
    ///
    /// Beyond: the push is refused. Making a key and looking it up costs `WorkCost.look` and
    /// `WorkCost.probe`, 150 ns together, so a push takes at most 5 ms for it, however it is made.
    /// A list of objects needs one combination for each of its elements and each equality of a
    /// rule, so even the largest body hardly ever comes near.
    @inlinable package static var combinations: Int { 32_768 }
    /// The rejected pushes of a producer that are remembered, for a publisher that has lost their
    /// REJECTs.
    ///
    /// Beyond: the lowest is forgotten, and WELCOME says so.
    @inlinable package static var rejectionsPerProducer: Int { 256 }
    /// The rejected pushes of all producers that are remembered.
    ///
    /// Beyond: as above. All are copied when a checkpoint begins: 16 MiB.
    @inlinable package static var rejections: Int { 1_048_576 }
    /// The devices of one ATTACH.
    ///
    /// Beyond: REJECT `body-invalid`.
    @inlinable package static var devicesPerAttach: Int { 1_024 }
    /// The longest identifier, in bytes of UTF-8.
    @inlinable package static var identifierBytes: Int { 128 }
    /// One more than the length of the longest push token, in bytes of UTF-8.
    @inlinable package static var pushTokenBytes: Int { 1_024 }

    /// How long the key of a request over HTTP is kept at least, counted while the router runs; it
    /// is forgotten within an hour more.
    @inlinable package static var requestKeyTime: Milliseconds { .days(1) }
    /// The most keys of an app that a new one makes the router forget, if a lower limit has come
    /// into force.
    @inlinable package static var requestKeysPerRequest: Int { 16 }
    /// The most keys that are forgotten once a second because they are old.
    @inlinable package static var requestKeysPerSweep: Int { 4_096 }
    /// The upper bound of `requestKeysPerApp`.
    @inlinable package static var requestKeysLimit: Int { 16_777_216 }

    /// The default limits.
    package init() {}

    /// Removes the limits of work, for drivers with simulated time: they deliver one frame after
    /// the other, and no connection waits for another one.
    package mutating func removeWorkLimits() {
        workPerTick = 1 << 48
        workPerConnection = 1 << 48
    }

    /// The most connections of one address if `connectionsPerAddress` is nil.
    package var fairConnections: Int { max(1, connections / 4) }
    /// The most producers of one app if `producersPerApp` is nil.
    package var fairProducers: Int { max(1, producers / 4) }
    /// The most connections of one address without a complete HELLO.
    package var fairConnectionsAwaitingHello: Int { max(1, connectionsAwaitingHello / 4) }

    /// The upper bound of `producers`; `Int.max` is allowed too, for no limit at all.
    @inlinable package static var producersLimit: Int { 16_777_216 }
    /// The upper bound of `producerIdle` and `deviceIdle`: 10 years.
    @inlinable package static var producerIdleLimit: Milliseconds { .days(3_650) }

    /// What operators set: the beginning of a sentence, the value, its unit, and its range.
    private var ranges: [(name: String, value: Int?, unit: String, range: ClosedRange<Int>)] {
        [
            ("max-body is", maxBody, " bytes", 1_024...(1 << 19)),
            ("window is", window, " pushes", 1...1_048_576),
            ("max-connections is", connections, "", 1...Self.connectionsLimit),
            (
                "max-connections-per-address is", connectionsPerAddress, "",
                1...Self.connectionsLimit
            ),
            ("max-devices is", devices, "", 1...Self.devicesLimit),
            ("max-widgets is", widgets, "", 1...Self.widgetsLimit),
            ("stored-total is", storedBytes, " bytes", 1_048_576...Self.storedBytesLimit),
            ("max-kinds-per-app is", kindsPerApp, "", 1...65_536),
            ("an arena is limited to", arenaBytes, " bytes", 1...Self.arenaBytesLimit),
            ("numbers of apps are", appNumbers, "", 1...65_536),
            ("numbers of kinds are", kindNumbers, "", 1...65_536),
            ("max-producers is", producers == .max ? nil : producers, "", 1...Self.producersLimit),
            ("max-producers-per-app is", producersPerApp, "", 1...Self.producersLimit),
            ("max-request-keys-per-app is", requestKeysPerApp, "", 1...Self.requestKeysLimit),
            ("max-widgets-per-device is", widgetsPerDevice, "", 1...4_096),
            ("decisions of a device to keep are", decisionsPerDevice, "", 0...32_767),
        ]
    }

    /// The first contradiction or invalid value among the limits, as a sentence; nil if there is
    /// none.
    package var problem: String? {
        for (name, value, unit, range) in ranges {
            guard let value, !range.contains(value) else { continue }
            return "\(name) \(value)\(unit); it must be from \(range.lowerBound) to "
                + "\(range.upperBound)"
        }
        for (name, time) in [("producer-idle", producerIdle), ("device-idle", deviceIdle)]
        where !(.seconds(1)...Self.producerIdleLimit).contains(time) {
            return "\(name) is \(time) ms; it must be from 1 second to 3650 days"
        }
        if matchesPerStep < 1 || fanOutMatches < 1 {
            return "a step must match at least one widget"
        }
        if workPerStep < 1 || workPerTick < 1 || !(1...workPerTick).contains(workPerConnection) {
            return "a tick must have room for work, and a connection's share must be part of it"
        }
        if min(helloTimeout, frameTimeout, pingInterval) < .milliseconds(100) {
            return "hello-timeout, frame-timeout and ping-interval must be at least 0.1 seconds"
        }
        if connectionOutput < maxBody * 2 {
            return "output-limit is \(connectionOutput) bytes; it must hold two bodies of "
                + "\(maxBody) bytes (max-body)"
        }
        if totalOutput < connectionOutput {
            return "output-total is \(totalOutput) bytes; it must not be below output-limit, "
                + "\(connectionOutput)"
        }
        if totalInput < maxBody * 16 {
            return "input-total is \(totalInput) bytes; it must hold 16 bodies of \(maxBody) bytes "
                + "(max-body)"
        }
        return nil
    }
}

/// What one step does for widgets and devices after an app file has changed their kinds: so that no
/// step does it for all.
extension RouterLimits {
    /// The widgets that adopt in one step what an app file has changed of their kinds, and the
    /// devices that are looked at for them; the others follow in the next.
    @inlinable package static var adoptionsPerStep: Int { 512 }
    /// See `adoptionsPerStep`.
    @inlinable package static var adoptingDevicesPerStep: Int { 4_096 }
    /// The work in one step that lets widgets match by what an app file has changed of their kinds'
    /// rules, in units of `WorkCost`; the others follow in the next.
    @inlinable package static var relinkWorkPerStep: Int { 400_000 }
    /// The devices of which one step counts again what their patterns cost, after rules have
    /// changed; the others follow in the next.
    @inlinable package static var patternLoadsPerStep: Int { 512 }
}
