/// Every limit of the router, by name, and what happens when it is hit.
///
/// The values here are the defaults; `serve` lets an operator change them. `problem` checks them
/// against each other at start.
package struct RouterLimits: Equatable, Sendable {
    /// Longest frame body, in bytes, announced in WELCOME.
    ///
    /// Beyond: ERROR `frame-length`.
    package var maxBody = 65_536
    /// Most pushes a publisher may have unacknowledged.
    ///
    /// Beyond: ERROR `window-exceeded`.
    package var window = 8_192
    /// Most connections.
    ///
    /// Beyond: the oldest one that has not said HELLO makes room; if there is none, the new one
    /// gets ERROR `too-many-connections`.
    package var connections = 65_536
    /// Most connections that have not said HELLO.
    ///
    /// Beyond: the oldest gets ERROR `hello-timeout`.
    package var connectionsAwaitingHello = 4_096
    /// Most stored devices.
    ///
    /// Beyond: REJECT `too-many-devices`.
    package var devices = 16_777_216
    /// Most widgets of one device.
    ///
    /// Beyond: REJECT `too-many-widgets`.
    package var widgetsPerDevice = 256
    /// Most producers whose last sequence number is kept.
    ///
    /// Beyond: ERROR `too-many-producers`.
    package var producers = 65_536
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
    /// Output of one connection, in bytes, beyond which its RELOADs wait (and coalesce per widget)
    /// and it is not read from.
    package var connectionOutput = 1 << 20
    /// Output of all connections, in bytes, beyond which publishers are not read from.
    package var totalOutput = 256 << 20
    /// Decisions kept of each device; the oldest makes room.
    package var decisionsPerDevice = 8

    /// Widgets that pushes which came together are compared with in one go, and reload in one step.
    ///
    /// Beyond: what they concern is handed out in portions of as many, a step each, while frames of
    /// all but their publisher are taken; so nobody else waits for a push that concerns a million
    /// widgets.
    package var matchesPerStep = 8_192
    /// Widgets that the pushes of one turn may be compared with.
    ///
    /// Beyond: no further frame is taken in that turn. More than `matchesPerStep`, because the
    /// RELOADs of pushes that are matched in the same turn coalesce.
    package var matchesPerTurn = 262_144
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
    package static var devicesLimit: Int { 100_000_000 }
    /// The most that `connections` can be.
    package static var connectionsLimit: Int { 4_194_304 }
    /// RELOADs decided in one step; the rest follow in the next, so that a push with a million
    /// matches does not keep the loop from everybody else.
    package static var reloadsPerStep: Int { 4_096 }
    /// PINGs of one turn, and ERRORs for silence; those of other connections follow in the next.
    package static var pingsPerTurn: Int { 64 }
    /// Connections whose silence is looked at in one turn; the others follow in the next.
    package static var sweptPerTurn: UInt32 { 8_192 }
    /// Widgets named in one RELOAD; a device with more gets several.
    package static var widgetsPerReload: Int { 128 }
    /// Timers that are moved on in one step; the rest follow in the next.
    package static var timersPerStep: Int { 16_384 }
    /// Bytes of carried values in one RELOAD; widgets whose values would exceed them come in a
    /// further one.
    package static var carriedBytesPerReload: Int { 12_288 }
    /// Deepest nesting of JSON; the outermost object is depth 1.
    package static var jsonDepth: Int { 32 }
    /// Longest identifier, in bytes of UTF-8.
    package static var identifierBytes: Int { 128 }
    /// Longest push token, in bytes of UTF-8.
    package static var pushTokenBytes: Int { 1_024 }

    package init() {}

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
        if !(1...Self.devicesLimit).contains(devices) {
            return "max-devices is \(devices); it must be from 1 to 100000000"
        }
        if !(1...4_096).contains(widgetsPerDevice) {
            return "max-widgets-per-device is \(widgetsPerDevice); it must be from 1 to 4096"
        }
        if !(0...32_767).contains(decisionsPerDevice) {
            return "decisions of a device to keep are \(decisionsPerDevice); "
                + "they must be from 0 to 32767"
        }
        if matchesPerStep < 1 || matchesPerTurn < 1 || fanOutMatches < 1 {
            return "a step and a turn must match at least one widget"
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
        return nil
    }
}
