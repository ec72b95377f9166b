internal import Basics
internal import FrameCodec
internal import ReloadRouterClient
internal import StoreFormat
internal import WidgetMatching

/// Finds out which widgets each push matches, independently of the router under test, and so how
/// long each widget waits for its RELOAD.
///
///     WIDGETS ─┐
///     pushes ──┼─► queue, in order ─► matcher ─► the first push that a widget waits for
///     RELOADs ─┘                                 └─► how long ago that was intended
///
/// Events are queued with their times and processed while nothing is due: a push that matches a
/// million widgets must not delay the sending of others.
final class ReloadTracker {
    /// The most bytes in the queue. Beyond that, no record is played until all queued events are
    /// processed, which shows as lateness.
    private static var byteLimit: Int { 64 << 20 }
    /// The most matches of pushes that are found in one step.
    private static var stepLimit: Int { 2_048 }
    /// The work that one step may spend on finding matches, in units of `WorkCost`.
    private static var stepWork: Int { 200_000 }
    private static let hashKey = HashKey.ofRuntime

    private enum Event: UInt8 {
        case push, widgets, bind, reload
    }

    private struct Entry {
        var event: Event
        var app: AppID
        /// The connection of WIDGETS or of a RELOAD.
        var stream: UInt32
        var offset: Int
        var count: Int
        /// The number of bytes of the kinds to which a push is narrowed, after its payload; nil if
        /// it is not.
        var kindsCount: Int?
        /// When a push was intended, or when a RELOAD arrived; `none` for other events.
        var time: ExactTime
    }

    private struct Widget: BitwiseCopyable {
        /// The hash of its id.
        var hash: UInt64
        var number: WidgetID
    }

    private struct Device {
        /// The connection that speaks for it.
        var stream: UInt32
        /// Where its name is in `names`.
        var name: Range<Int>
        var widgets: ContiguousArray<Widget> = []
    }

    private var matcher = WidgetMatcher(hashKey: .ofRuntime)
    private var scanner = PayloadScanner(hashKey: .ofRuntime)
    /// The kinds of all apps, by the hashes of their names.
    private var kinds: [UInt64: KindID] = [:]
    /// Events that are not processed yet, from `head` on.
    private var queue: ContiguousArray<Entry> = []
    private var head = 0
    /// The bodies of queued events.
    private var bytes = StoreWriter(capacity: 1 << 20)
    /// When the pushes of the current batch were intended, by their tags.
    private var batch: ContiguousArray<ExactTime> = []
    private var devices: ContiguousArray<Device> = []
    /// The number of each device, by the hash of its name.
    private var numbers: [UInt64: UInt32] = [:]
    /// The names of all devices, one after the other.
    private var names = StoreWriter(capacity: 1 << 16)
    /// For each widget: when the first push that it waits for was intended; `none` if there is
    /// none.
    private var waiting = NumberedArray<WidgetID, ExactTime>()
    /// For each widget: its device.
    private var owners = NumberedArray<WidgetID, UInt32>()
    /// For each connection: since when its devices have been reachable; `away` if they are not.
    private var reachableSince: ContiguousArray<ExactTime>
    private static var away: ExactTime { .max }
    private var json = JSONScanner(depthLimit: RouterLimits.jsonDepth)
    private(set) var widgetCount = 0
    /// The number of matches whose device was not reachable.
    private(set) var unreachable = 0
    /// The number of matches of all pushes.
    private(set) var matchCount = 0

    var deviceCount: Int { devices.count }

    init(_ apps: [AppDeclaration], streams: Int) {
        reachableSince = ContiguousArray(repeating: Self.away, count: streams)
        var installed: [WidgetMatcher.App] = []
        for (app, declaration) in apps.enumerated() {
            var list: [WidgetMatcher.Kind] = []
            for kind in declaration.kinds {
                let number = KindID(index: kinds.count)
                kinds[Self.hash(kind.kind, app: app)] = number
                list.append(WidgetMatcher.Kind(kind: number, name: kind.kind, rule: kind.rule))
            }
            installed.append(WidgetMatcher.App(app: AppID(index: app), kinds: list))
        }
        matcher.install(apps: installed)
    }

    // MARK: - Events

    /// True if there are events that are not processed yet.
    var isBehind: Bool { head < queue.count || matcher.isMatching }

    /// Queues a push.
    func pushed(_ payload: ByteView, kinds: KindNames?, app: Int, intended time: ExactTime) {
        add(.push, body: payload, app: app, stream: 0, at: time)
        guard let kinds else { return }
        queue[queue.count - 1].kindsCount = kinds.bytes.count
        bytes.put(raw: kinds.bytes)
    }

    /// Queues a WIDGETS body.
    func registered(_ body: ByteView, app: Int, stream: Int) {
        add(.widgets, body: body, app: app, stream: stream, at: .none)
    }

    /// Queues that a device has begun a session of its own.
    func bound(_ name: ByteView, app: Int, stream: Int) {
        add(.bind, body: name, app: app, stream: stream, at: .none)
    }

    /// Queues a RELOAD.
    func reported(_ body: ByteView, app: Int, stream: Int, at time: ExactTime) {
        add(.reload, body: body, app: app, stream: stream, at: time)
    }

    private func add(_ event: Event, body: ByteView, app: Int, stream: Int, at time: ExactTime) {
        queue.append(
            Entry(
                event: event,
                app: AppID(index: app),
                stream: UInt32(stream),
                offset: bytes.count,
                count: body.count,
                time: time
            )
        )
        bytes.put(raw: body)
    }

    /// True if all queued events must be processed before more are added.
    var isFull: Bool { bytes.count > Self.byteLimit }

    /// Records that a connection's devices are reachable from now on.
    func reach(stream: Int, at time: ExactTime) { reachableSince[stream] = time }

    /// Records that a connection's devices are not reachable any more. The RELOADs that they still
    /// wait for are not timed.
    func lose(stream: Int) { reachableSince[stream] = Self.away }

    // MARK: - Processing

    /// Processes the next event, or the next few pushes; returns false if there are none.
    func step(_ recorder: inout ReplayRecorder) -> Bool {
        if matcher.isMatching {
            match()
            return true
        }
        guard head < queue.count else { return false }
        switch queue[head].event {
        case .push: matchPushes()
        case .widgets: store(queue[head])
        case .bind: bind(queue[head])
        case .reload: reloaded(queue[head], recorder: &recorder)
        }
        if head == queue.count {
            queue.removeAll(keepingCapacity: true)
            bytes.clear()
            head = 0
        }
        return true
    }

    /// Starts a batch with the pushes at the head of the queue.
    private func matchPushes() {
        assert(!matcher.isMatching, "the pushes of the batch before are still matched")
        batch.removeAll(keepingCapacity: true)
        while head < queue.count, queue[head].event == .push, !matcher.isBatchFull {
            let entry = queue[head]
            head += 1
            let end = entry.offset + entry.count
            let payload = bytes.bytes.slice(entry.offset, to: end)
            let kinds = entry.kindsCount.flatMap { KindNames(bytes.bytes.slice(end, to: end + $0)) }
            do throws(PayloadError) {
                try matcher.enqueue(
                    app: entry.app,
                    payload: payload,
                    kinds: kinds,
                    tag: UInt32(batch.count),
                    with: &scanner
                )
                batch.append(entry.time)
            } catch {
                // The router refuses the payload as well, and its REJECT is counted.
                continue
            }
        }
        if !batch.isEmpty { match() }
    }

    /// Finds further matches of the current batch, as far as one step may.
    private func match() {
        assert(!batch.isEmpty, "no push is matched")
        matcher.matchQueued(work: Self.stepWork, limit: Self.stepLimit)
        for position in 0..<matcher.matchCount {
            let match = matcher.match(at: position)
            recordMatch(of: match.widget, since: batch[Int(match.tag)])
        }
    }

    /// Records a match: the widget waits for its RELOAD since `time`, unless it waits already. A
    /// wait from before its device became reachable is replaced; a match of a device that is not
    /// reachable is only counted.
    private func recordMatch(of widget: WidgetID, since time: ExactTime) {
        matchCount += 1
        let since = since(widget)
        if since == Self.away {
            unreachable += 1
        } else if waiting[widget] == .none || waiting[widget] < since {
            waiting[widget] = time
        }
    }

    /// Since when a widget's device has been reachable; `away` if it is not.
    private func since(_ widget: WidgetID) -> ExactTime {
        reachableSince[Int(devices[Int(owners[widget])].stream)]
    }

    // MARK: - Devices

    /// Records which connection speaks for a device from now on.
    private func bind(_ entry: Entry) {
        head += 1
        let name = bytes.bytes.slice(entry.offset, to: entry.offset + entry.count)
        guard let number = numbers[Self.hash(name, app: entry.app.index)] else { return }
        devices[Int(number)].stream = entry.stream
    }

    /// Gives a device the widgets of a WIDGETS body.
    private func store(_ entry: Entry) {
        head += 1
        let body = bytes.bytes.slice(entry.offset, to: entry.offset + entry.count)
        defer { json.resetScratch() }
        do {
            try validateJSON(body, using: &json)
            let message = try WidgetsMessage(body)
            let widgets = try insertWidgets(of: message, app: entry.app.index)
            let device = device(message.device, app: entry.app.index, stream: entry.stream)
            replaceWidgets(of: device, with: widgets)
        } catch {
            // The router refuses the body as well.
            return
        }
    }

    /// The number of a device, which is assigned if the device is new.
    private func device(_ name: JSONText, app: Int, stream: UInt32) -> Int {
        let hash = Self.hash(name, app: app)
        if let number = numbers[hash] {
            devices[Int(number)].stream = stream
            return Int(number)
        }
        numbers[hash] = UInt32(devices.count)
        let start = names.count
        names.put(raw: name.raw)
        devices.append(Device(stream: stream, name: start..<names.count))
        return devices.count - 1
    }

    /// Inserts all widgets of a message into the matcher.
    ///
    /// - Throws: why one of them is refused; then none is inserted.
    private func insertWidgets(
        of message: WidgetsMessage,
        app: Int
    ) throws -> ContiguousArray<Widget> {
        var inserted: ContiguousArray<Widget> = []
        do {
            var widgets = message.makeWidgets()
            while let entry = try widgets.next() {
                guard let kind = kinds[Self.hash(entry.kind, app: app)] else {
                    throw ProtocolError(.kindUnknown, message: "the kind is not declared")
                }
                let number = try insert(kind, configuration: entry.configuration)
                inserted.append(Widget(hash: Self.hash(entry.id, app: 0), number: number))
            }
        } catch {
            for widget in inserted { matcher.remove(widget.number) }
            throw error
        }
        return inserted
    }

    /// Gives a device widgets that are in the matcher, in place of those before.
    private func replaceWidgets(of device: Int, with widgets: ContiguousArray<Widget>) {
        let former = devices[device].widgets
        for widget in widgets {
            while !waiting.has(widget.number) {
                waiting.append(.none)
                owners.append(0)
            }
            owners[widget.number] = UInt32(device)
            // A widget that is registered again keeps waiting.
            let known = former.first { $0.hash == widget.hash }
            waiting[widget.number] = known.map { waiting[$0.number] } ?? .none
        }
        for widget in former {
            waiting[widget.number] = .none
            matcher.remove(widget.number)
        }
        devices[device].widgets = widgets
        widgetCount += widgets.count - former.count
        assert(waiting.count == owners.count, "a widget has no device")
    }

    private func insert(_ kind: KindID, configuration: ByteView?) throws -> WidgetID {
        guard let configuration else {
            return try "{}".withByteView { try matcher.insert(kind: kind, configuration: $0) }
        }
        return try matcher.insert(kind: kind, configuration: configuration)
    }

    /// Finds the next device of a connection, from a number on; its name is a JSON string without
    /// quotation marks.
    func device(of stream: Int, from first: Int) -> (number: Int, name: ByteView)? {
        var number = first
        while number < devices.count, devices[number].stream != stream { number += 1 }
        if number >= devices.count { return nil }
        let name = devices[number].name
        return (number, names.bytes.slice(name.lowerBound, to: name.upperBound))
    }

    // MARK: - Reloads

    /// Ends the waiting of the widgets that a RELOAD names, and records how long it took.
    private func reloaded(_ entry: Entry, recorder: inout ReplayRecorder) {
        head += 1
        let body = bytes.bytes.slice(entry.offset, to: entry.offset + entry.count)
        guard let reload = self.reload(body) else { return recorder.unknownReload() }
        recorder.reload(reload.cause, widgets: reload.widgets.count)
        guard let number = numbers[Self.hash(reload.device, app: entry.app.index)] else {
            return recorder.unknownReload()
        }
        for id in reload.widgets {
            let hash = Self.hash(id, app: 0)
            let known = devices[Int(number)].widgets.first { $0.hash == hash }
            guard let widget = known else { continue }
            let since = waiting[widget.number]
            if since == .none { continue }
            waiting[widget.number] = .none
            // A RELOAD that was delayed because the device was away is not timed.
            let isPrompt = since >= self.since(widget.number)
            if reload.cause == ReloadCause.push.rawValue && isPrompt {
                recorder.reloaded(intended: since, at: entry.time)
            }
        }
    }

    /// Reads the body of a RELOAD; nil if it is none.
    private func reload(_ body: ByteView) -> ReloadEvent? {
        defer { json.resetScratch() }
        guard (try? validateJSON(body, using: &json)) != nil else { return nil }
        return try? ReloadEvent(seq: 0, reading: body)
    }

    /// The number of reachable widgets that a push matched and that have had no RELOAD since.
    var waitingCount: Int {
        var count = 0
        for widget in waiting.ids where waiting[widget] != .none {
            if waiting[widget] >= since(widget) { count += 1 }
        }
        return count
    }

    /// Names are known by their hashes, which are of the app, too.
    private static func hash(_ bytes: ByteView, app: Int) -> UInt64 {
        hashKey.hash(UInt64(app), followedBy: bytes)
    }

    private static func hash(_ text: String, app: Int) -> UInt64 {
        text.withByteView { hash($0, app: app) }
    }

    private static func hash(_ text: JSONText, app: Int) -> UInt64 {
        text.hasEscapes ? text.withDecoded { hash($0, app: app) } : hash(text.raw, app: app)
    }
}
