/// Every limit of the router, by name, and what happens when it is hit.
///
/// The values here are the defaults; `serve` lets an operator change them. `problem` checks them
/// against each other at start.
@usableFromInline
package struct RouterLimits: Equatable, Sendable {
    /// Longest frame body, in bytes, announced in WELCOME.
    ///
    /// Beyond: ERROR `frame-length`.
    package var maxBody = 65_536
    /// Most pushes a publisher may have unacknowledged.
    ///
    /// Beyond: ERROR `window-exceeded`.
    package var window = 8_192
    /// Longest body of a HELLO, in bytes; `maxBody` if that is less.
    ///
    /// Beyond: ERROR `frame-length`, as soon as the length is there. Nobody is known before HELLO, so
    /// nobody may have more kept or scanned.
    @inlinable package static var helloBody: Int { 4_096 }
    /// Most connections.
    ///
    /// Beyond: the oldest one that has not said HELLO makes room; if there is none, the new one
    /// gets ERROR `too-many-connections`.
    package var connections = 65_536
    /// Most connections of one IPv4 address or one IPv6 network of 64 bits; nil for a quarter of
    /// `connections`, but of this machine itself all of them.
    ///
    /// Beyond: a new one gets ERROR `too-many-connections`.
    package var connectionsPerAddress: Int?
    /// Most connections that have not said HELLO, and of one address a quarter of them (of this
    /// machine itself, all).
    ///
    /// Beyond: the oldest gets ERROR `hello-timeout`.
    package var connectionsAwaitingHello = 4_096
    /// Most stored devices.
    ///
    /// Beyond: REJECT `too-many-devices`.
    package var devices = 16_777_216
    /// What each app may have of which the app file says nothing else.
    package var appQuotas = AppQuotas()
    /// Most stored widgets of all devices.
    ///
    /// Beyond: REJECT `quota-exceeded`, for whoever asks for more than it has.
    package var widgets = 100_000_000
    /// Memory that all stored devices and widgets may take, in bytes of `StoredCost`.
    ///
    /// Beyond: REJECT `quota-exceeded`, for whoever asks for more than it has. `serve` has another
    /// default, by the machine's memory.
    package var storedBytes = 8 << 30
    /// Memory that one of the tables' arenas may hold, in bytes: less than traps, since blocks that
    /// are free may be of other sizes than what comes.
    ///
    /// Beyond: the same as beyond `storedBytes`.
    package var arenaBytes = 12 << 30
    /// Most kinds that an app file may declare for one app.
    ///
    /// Beyond: the app file is refused.
    package var kindsPerApp = 65_000
    /// Numbers that apps may have, and kinds: those that were ever declared have one each, for what is
    /// stored names them by it.
    ///
    /// Beyond: kinds that are not declared and have no widgets give theirs up; if that is not enough,
    /// the app file is refused.
    package var appNumbers = 65_536
    package var kindNumbers = 65_536
    /// Most widgets of one device.
    ///
    /// Beyond: REJECT `too-many-widgets`.
    package var widgetsPerDevice = 256
    /// Most producers whose last sequence number is kept, of all apps.
    ///
    /// Beyond: those that have been idle for `producerIdle` are forgotten; if that is not enough, a new
    /// one gets ERROR `too-many-producers`.
    package var producers = 65_536
    /// Most producers of one app; nil for a quarter of `producers`, so that no app has all of them.
    ///
    /// Beyond: the same.
    package var producersPerApp: Int?
    /// How long a producer may be idle before it is forgotten, with its last sequence number; in ms of
    /// time that the router runs.
    ///
    /// Two weeks: what pushes once a week keeps its numbers.
    package var producerIdle: Int64 = 14 * 86_400_000
    /// Most entries of a TIMELINE.
    ///
    /// Beyond: REJECT `timeline-invalid`.
    package var timelineEntries = 400
    /// How long a connection may be silent before its HELLO is complete, in ms.
    package var helloTimeout: Int64 = 10_000
    /// How long a frame that has begun may take to be complete, in ms.
    package var frameTimeout: Int64 = 30_000
    /// Silence after which a PING is sent, in ms; two unanswered ones and as much silence again
    /// end the connection with ERROR `ping-timeout`.
    package var pingInterval: Int64 = 15_000
    /// Output of one connection, in bytes: what its peer has not taken yet, and answers that wait for
    /// the store.
    ///
    /// Beyond: its RELOADs wait (and coalesce per widget), and it is not read from until half of that
    /// is gone. While little of `totalOutput` is free, less: a sixteenth of that.
    package var connectionOutput = 1 << 20
    /// Output of all connections, in bytes.
    ///
    /// Beyond: nobody is read from and RELOADs wait, until a quarter of it is free. If that does not
    /// come about within 5 s, the connections that hold most of it are closed.
    package var totalOutput = 256 << 20
    /// Input of all connections that is kept, in bytes: frames that are not whole yet, and what came
    /// while the router took no frames.
    ///
    /// Beyond: those who have been sending one frame for longest get ERROR `frame-timeout`, until a
    /// quarter of it is free.
    package var totalInput = 256 << 20
    /// Decisions kept of each device; the oldest makes room.
    package var decisionsPerDevice = 8

    /// Widgets that pushes which came together are found to concern in one go, and that reload in one
    /// step.
    ///
    /// Beyond: what they concern is handed out in portions of as many, a step each, while frames of
    /// all but their publisher are taken; so nobody else waits for a push that concerns a million
    /// widgets.
    package var matchesPerStep = 8_192
    /// What finding widgets may cost in one go, in units of `WorkCost`, of which each is about a
    /// nanosecond.
    ///
    /// Beyond: the same as beyond `matchesPerStep`.
    package var workPerStep = 500_000
    /// Work of one tick on what came in, in units of `WorkCost`.
    ///
    /// Beyond: no further frame is taken in that tick, from anybody; the next one goes on.
    package var workPerTick = 3_000_000
    /// The share of that work which a connection may spend in a tick, unless it is the only one that
    /// sends anything: then it has all.
    ///
    /// Beyond: the connection's next frames wait until its share has grown by what it has overdrawn.
    package var workPerConnection = 250_000
    /// Widgets that wait to be handed out, of all pushes, 8 bytes each.
    ///
    /// Beyond: no frame is taken from anybody until they have been.
    package var fanOutMatches = 4_194_304
    /// Widgets that are replaced or removed while pushes are handed out, which may concern them.
    ///
    /// Beyond: no frame is taken from anybody until these have been.
    @inlinable package static var fanOutChanges: Int { 65_536 }

    /// Bytes of the journal after which no more of a push's matches are searched for in a step: 4 a
    /// widget that it concerns.
    ///
    /// Beyond: the rest follows in the next step, in a record of its own.
    package var journalRecord = 512 << 10

    /// The most that `devices` can be.
    @inlinable package static var devicesLimit: Int { 100_000_000 }
    /// The most that `widgets` can be.
    @inlinable package static var widgetsLimit: Int { 134_000_000 }
    /// The most that `storedBytes` can be: 1 TiB.
    @inlinable package static var storedBytesLimit: Int { 1 << 40 }
    /// The most that `arenaBytes` can be: 1 GiB less than traps.
    @inlinable package static var arenaBytesLimit: Int { 15 << 30 }
    /// The most that `connections` can be.
    @inlinable package static var connectionsLimit: Int { 4_194_304 }
    /// RELOADs decided in one step; the rest follow in the next, so that a push with a million
    /// matches does not keep the loop from everybody else.
    @inlinable package static var reloadsPerStep: Int { 4_096 }
    /// What finding widgets may cost in one step, while nobody's frames are taken because a push
    /// concerns very many; in units of `WorkCost`.
    @inlinable package static var searchWorkPerStep: Int { 2_000_000 }
    /// PINGs of one turn, and ERRORs for silence; those of other connections follow in the next.
    @inlinable package static var pingsPerTurn: Int { 64 }
    /// Connections whose silence is looked at in one turn; the others follow in the next.
    @inlinable package static var sweptPerTurn: UInt32 { 8_192 }
    /// Producers that are forgotten in one turn because they are idle; the others follow in later ones.
    @inlinable package static var producersPerTurn: Int { 1_024 }
    /// Producers that are forgotten to make room for a new one; if there still is none, it is refused.
    @inlinable package static var producersPerRefusal: Int { 64 }
    /// Widgets named in one RELOAD; a device with more gets several.
    @inlinable package static var widgetsPerReload: Int { 128 }
    /// Timers that are moved on in one step; the rest follow in the next.
    @inlinable package static var timersPerStep: Int { 16_384 }
    /// Bytes of carried values in one RELOAD; widgets whose values would exceed them come in a
    /// further one.
    @inlinable package static var carriedBytesPerReload: Int { 12_288 }
    /// Deepest nesting of JSON; the outermost object is depth 1.
    @inlinable package static var jsonDepth: Int { 32 }
    /// Combinations of values under which one push may look for widgets.
    ///
    /// Beyond: the push is refused. Making a key and looking it up costs `WorkCost.look` and
    /// `WorkCost.probe`, 150 ns together: no push takes more than 5 ms for it, however it is made. A
    /// list of objects takes one for each element and equality, so that what fits in the largest body
    /// hardly ever comes near.
    @inlinable package static var combinations: Int { 32_768 }
    /// Bytes of a push's texts, beyond the first few of each, that conditions may read which read a text
    /// as a whole; each byte as often as there are such conditions.
    ///
    /// Beyond: the push is refused. It could be matched in portions, but would take its connection's
    /// share of many ticks: this is 1 to 2 ms, a text of 60 KB for 8 different wildcards, or of 1 KB for
    /// 520. Short texts are free, because what a million widgets cost with them is a fan-out, and no
    /// fault of the text.
    @inlinable package static var patternBytes: Int { 500_000 }
    /// Longest identifier, in bytes of UTF-8.
    @inlinable package static var identifierBytes: Int { 128 }
    /// Longest push token, in bytes of UTF-8.
    @inlinable package static var pushTokenBytes: Int { 1_024 }

    package init() {}

    /// Removes the limits of work, for a driver whose time is simulated: there one frame after the
    /// other is taken, and nobody waits for another one's.
    package mutating func removeWorkLimits() {
        workPerTick = 1 << 48
        workPerConnection = 1 << 48
    }

    /// Connections of one address if nothing else is said.
    package var fairShare: Int { max(1, connections / 4) }
    /// Producers of one app if nothing else is said.
    package var fairProducers: Int { max(1, producers / 4) }
    /// Connections of one address that have not said HELLO.
    package var fairSilentShare: Int { max(1, connectionsAwaitingHello / 4) }

    /// What is wrong with these limits, as a sentence, or nil.
    package var problem: String? {
        if !(1_024...(1 << 19)).contains(maxBody) {
            return "max-body is \(maxBody) bytes; it must be from 1024 to 524288"
        }
        if !(1...1_048_576).contains(window) {
            return "window is \(window) pushes; it must be from 1 to 1048576"
        }
        if !(1...Self.connectionsLimit).contains(connections) {
            return "max-connections is \(connections); it must be from 1 to 4194304"
        }
        if let connectionsPerAddress, !(1...Self.connectionsLimit).contains(connectionsPerAddress) {
            return "max-connections-per-address is \(connectionsPerAddress); it must be from 1 to "
                + "4194304"
        }
        if !(1...Self.devicesLimit).contains(devices) {
            return "max-devices is \(devices); it must be from 1 to 100000000"
        }
        if let problem = storedProblem { return problem }
        if let problem = producerProblem { return problem }
        if !(1...4_096).contains(widgetsPerDevice) {
            return "max-widgets-per-device is \(widgetsPerDevice); it must be from 1 to 4096"
        }
        if !(0...32_767).contains(decisionsPerDevice) {
            return "decisions of a device to keep are \(decisionsPerDevice); "
                + "they must be from 0 to 32767"
        }
        if matchesPerStep < 1 || fanOutMatches < 1 {
            return "a step must match at least one widget"
        }
        if workPerStep < 1 || workPerTick < 1 || !(1...workPerTick).contains(workPerConnection) {
            return "a tick must have room for work, and a connection's share must be part of it"
        }
        if helloTimeout < 100 || frameTimeout < 100 || pingInterval < 100 {
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

    /// What is wrong with the limits of what is stored.
    private var storedProblem: String? {
        if !(1...Self.widgetsLimit).contains(widgets) {
            return "max-widgets is \(widgets); it must be from 1 to \(Self.widgetsLimit)"
        }
        if !(1_048_576...Self.storedBytesLimit).contains(storedBytes) {
            return "stored-total is \(storedBytes) bytes; it must be from 1048576 to "
                + "\(Self.storedBytesLimit)"
        }
        if !(1...65_536).contains(kindsPerApp) {
            return "max-kinds-per-app is \(kindsPerApp); it must be from 1 to 65536"
        }
        if !(1...Self.arenaBytesLimit).contains(arenaBytes) {
            return "an arena must hold less than 15 GiB"
        }
        if !(1...65_536).contains(appNumbers) || !(1...65_536).contains(kindNumbers) {
            return "apps and kinds have numbers of 16 bits"
        }
        return nil
    }

    /// The most that `producers` can be, unless nothing is to be refused.
    @inlinable package static var producersLimit: Int { 16_777_216 }
    /// The longest `producerIdle`: 10 years.
    @inlinable package static var producerIdleLimit: Int64 { 3_650 * 86_400_000 }

    private var producerProblem: String? {
        if producers != .max && !(1...Self.producersLimit).contains(producers) {
            return "max-producers is \(producers); it must be from 1 to 16777216"
        }
        if let producersPerApp, !(1...Self.producersLimit).contains(producersPerApp) {
            return "max-producers-per-app is \(producersPerApp); it must be from 1 to 16777216"
        }
        if !(1_000...Self.producerIdleLimit).contains(producerIdle) {
            return "producer-idle is \(producerIdle) ms; it must be from 1 second to 3650 days"
        }
        return nil
    }
}
