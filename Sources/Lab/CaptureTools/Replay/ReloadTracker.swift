internal import DataStructures
internal import FrameCodec
internal import ReloadModel
internal import StoreFormat
internal import StrictJSON
internal import WidgetMatching

/// Finds out which widgets each push concerns, independently of the router under test, and so how
/// long each widget waits for its RELOAD.
///
///     WIDGETS ─┐
///     pushes ──┼─► queue, in order ─► matcher ─► the first push that a widget waits for
///     RELOADs ─┘                                 └─► how long ago that was intended
///
/// Events are queued with their times and processed while nothing is due: a push that concerns a
/// million widgets must not delay the sending of others.
final class ReloadTracker {
    /// Most bytes in the queue. Beyond that, no record is played until some are processed, which
    /// shows as lateness.
    private static var byteLimit: Int { 64 << 20 }
    /// Most matches of pushes that are found in one step.
    private static var stepLimit: Int { 2_048 }
    /// What finding them may cost in one step, in units of `WorkCost`.
    private static var stepWork: Int { 200_000 }
    private static let hashKey = HashKey.ofRuntime

    private enum Event: UInt8 {
        case push, widgets, bind, reload
    }

    private struct Entry {
        var event: Event
        var app: UInt16
        /// The connection of WIDGETS or of a RELOAD.
        var stream: UInt32
        var offset: Int
        var count: Int
        /// When a push was intended, or when a RELOAD arrived, in ns.
        var time: Int64
    }

    private struct Widget: BitwiseCopyable {
        /// The hash of its id.
        var hash: UInt64
        var number: WidgetID
    }

    private struct Device {
        /// The connection that speaks for it.
        var stream: UInt32
        /// The offset of its name in `names`.
        var name: Int
        var nameCount: Int32
        var widgets: ContiguousArray<Widget> = []
    }

    private var matcher = WidgetMatcher(hashKey: .ofRuntime)
    private var kinds: [UInt64: KindID] = [:]
    /// Events that are not processed yet, from `head` on.
    private var queue: ContiguousArray<Entry> = []
    private var head = 0
    /// The bodies of queued events.
    private var bytes = StoreWriter(capacity: 1 << 20)
    /// When the pushes of the current batch were intended, by their tags.
    private var batch: ContiguousArray<Int64> = []
    private var devices: ContiguousArray<Device> = []
    /// The number of each device, by the hash of its name.
    private var numbers: [UInt64: UInt32] = [:]
    private var names = StoreWriter(capacity: 1 << 16)
    /// For each widget: when the first push that it waits for was intended, in ns; 0 if there is
    /// none.
    private var waiting: ContiguousArray<Int64> = []
    /// For each widget: its device.
    private var owners: ContiguousArray<UInt32> = []
    /// For each connection: since when its devices can be reached, in ns; `away` if they cannot.
    private var reachableSince: ContiguousArray<Int64>
    private static var away: Int64 { .max }
    private var scanner = JSONScanner(depthLimit: RouterLimits.jsonDepth)
    private(set) var widgetCount = 0
    /// Matches whose device could not be reached.
    private(set) var unreachable = 0
    /// Matches in all.
    private(set) var concerned = 0

    var deviceCount: Int { devices.count }

    init(_ apps: [AppDeclaration], streams: Int) {
        reachableSince = ContiguousArray(repeating: Self.away, count: streams)
        var installed: [WidgetMatcher.App] = []
        for (app, declaration) in apps.enumerated() {
            var list: [WidgetMatcher.Kind] = []
            for kind in declaration.kinds {
                let number = KindID(kinds.count)
                kinds[Self.hash(kind.kind, app)] = number
                list.append(WidgetMatcher.Kind(kind: number, name: kind.kind, rule: kind.rule))
            }
            installed.append(WidgetMatcher.App(app: AppID(app), kinds: list))
        }
        matcher.install(apps: installed)
    }

    private static func hash(_ bytes: ByteView, _ app: Int) -> UInt64 {
        hashKey.hash(UInt64(app), bytes)
    }

    private static func hash(_ text: String, _ app: Int) -> UInt64 {
        text.withByteView { hash($0, app) }
    }

    private static func hash(_ text: JSONText, _ app: Int) -> UInt64 {
        text.hasEscapes ? text.withDecoded { hash($0, app) } : hash(text.raw, app)
    }

    // MARK: - Events

    /// True if any event is not processed yet.
    var isBehind: Bool { head < queue.count || matcher.isMatching }

    /// Queues a push.
    func pushed(_ payload: ByteView, app: Int, intended time: Int64) {
        add(.push, payload, app: app, stream: 0, time)
    }

    /// Queues a WIDGETS body.
    func registered(_ body: ByteView, app: Int, stream: Int) {
        add(.widgets, body, app: app, stream: stream, 0)
    }

    /// Queues that a device has begun a session of its own.
    func bound(_ name: ByteView, app: Int, stream: Int) {
        add(.bind, name, app: app, stream: stream, 0)
    }

    /// Queues a RELOAD.
    func told(_ body: ByteView, app: Int, stream: Int, at time: Int64) {
        add(.reload, body, app: app, stream: stream, time)
    }

    private func add(_ event: Event, _ body: ByteView, app: Int, stream: Int, _ time: Int64) {
        queue.append(
            Entry(
                event: event,
                app: UInt16(app),
                stream: UInt32(stream),
                offset: bytes.count,
                count: body.count,
                time: time
            )
        )
        bytes.put(raw: body)
    }

    /// True if events must be processed before more are added.
    var isFull: Bool { bytes.count > Self.byteLimit }

    /// Records that a connection's devices can be reached from now on.
    func reach(stream: Int, at time: Int64) { reachableSince[stream] = time }

    /// Records that they cannot any more. What they are waiting for is not timed.
    func lose(stream: Int) { reachableSince[stream] = Self.away }

    // MARK: - Processing

    /// Processes the next few events.
    ///
    /// - Returns: false if there are none.
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
        case .reload: reloaded(queue[head], &recorder)
        }
        forgetIfDone()
        return true
    }

    private func forgetIfDone() {
        guard head == queue.count else { return }
        queue.removeAll(keepingCapacity: true)
        bytes.clear()
        head = 0
    }

    private func matchPushes() {
        batch.removeAll(keepingCapacity: true)
        while head < queue.count, queue[head].event == .push, !matcher.isBatchFull {
            let entry = queue[head]
            head += 1
            let payload = bytes.bytes.slice(entry.offset, entry.offset + entry.count)
            do throws(PayloadError) {
                try matcher.enqueue(app: entry.app, payload: payload, tag: UInt32(batch.count))
                batch.append(entry.time)
            } catch {
                // The router refuses it as well, and reports that.
                continue
            }
        }
        if !batch.isEmpty { match() }
    }

    private func match() {
        matcher.matchQueued(work: Self.stepWork, limit: Self.stepLimit)
        for position in 0..<matcher.matchCount {
            let match = matcher.match(at: position)
            concern(match.widget, batch[Int(match.tag)])
        }
    }

    /// Lets a widget wait for its RELOAD since `time`, unless it waits already.
    private func concern(_ widget: WidgetID, _ time: Int64) {
        concerned += 1
        let since = since(widget)
        if since == Self.away {
            unreachable += 1
        } else if waiting[Int(widget)] == 0 || waiting[Int(widget)] < since {
            waiting[Int(widget)] = time
        }
    }

    /// Since when a widget's device can be reached, in ns.
    private func since(_ widget: WidgetID) -> Int64 {
        reachableSince[Int(devices[Int(owners[Int(widget)])].stream)]
    }

    // MARK: - Devices

    private func bind(_ entry: Entry) {
        head += 1
        let name = bytes.bytes.slice(entry.offset, entry.offset + entry.count)
        guard let number = numbers[Self.hash(name, Int(entry.app))] else { return }
        devices[Int(number)].stream = entry.stream
    }

    private func store(_ entry: Entry) {
        head += 1
        let body = bytes.bytes.slice(entry.offset, entry.offset + entry.count)
        defer { scanner.resetScratch() }
        do {
            try validateJSON(body, using: &scanner)
            let message = try WidgetsMessage(body)
            let device = device(message.device, Int(entry.app), stream: entry.stream)
            try replaceWidgets(of: device, message, Int(entry.app))
        } catch {
            // The router refuses the body as well.
            return
        }
    }

    private func device(_ name: JSONText, _ app: Int, stream: UInt32) -> Int {
        let hash = Self.hash(name, app)
        if let number = numbers[hash] {
            devices[Int(number)].stream = stream
            return Int(number)
        }
        let device = Device(
            stream: stream,
            name: names.count,
            nameCount: Int32(name.raw.count)
        )
        names.put(raw: name.raw)
        numbers[hash] = UInt32(devices.count)
        devices.append(device)
        return devices.count - 1
    }

    private func replaceWidgets(of device: Int, _ message: WidgetsMessage, _ app: Int) throws {
        let former = devices[device].widgets
        devices[device].widgets.removeAll(keepingCapacity: true)
        var widgets = message.makeWidgets()
        while let entry = try widgets.next() {
            guard let kind = kinds[Self.hash(entry.kind, app)] else { continue }
            let id = Self.hash(entry.id, 0)
            let known = former.first { $0.hash == id }
            let number = try insert(kind, entry.configuration)
            while waiting.count <= Int(number) {
                waiting.append(0)
                owners.append(0)
            }
            owners[Int(number)] = UInt32(device)
            // A widget that is registered again keeps waiting.
            waiting[Int(number)] = known.map { waiting[Int($0.number)] } ?? 0
            devices[device].widgets.append(Widget(hash: id, number: number))
        }
        for widget in former {
            waiting[Int(widget.number)] = 0
            matcher.remove(widget.number)
        }
        widgetCount += devices[device].widgets.count - former.count
    }

    private func insert(_ kind: KindID, _ configuration: ByteView?) throws -> WidgetID {
        guard let configuration else {
            return try "{}".withByteView { try matcher.insert(kind: kind, configuration: $0) }
        }
        return try matcher.insert(kind: kind, configuration: configuration)
    }

    /// Finds the next device of a connection.
    ///
    /// - Parameters:
    ///   - stream: the connection.
    ///   - first: the number of the device to begin with.
    /// - Returns: the device's number, and its name as a JSON string without quotation marks; nil
    ///   if there are no more.
    func device(of stream: Int, from first: Int) -> (number: Int, name: ByteView)? {
        var number = first
        while number < devices.count, devices[number].stream != stream { number += 1 }
        if number >= devices.count { return nil }
        let device = devices[number]
        return (number, names.bytes.slice(device.name, device.name + Int(device.nameCount)))
    }

    // MARK: - Reloads

    private func reloaded(_ entry: Entry, _ recorder: inout ReplayRecorder) {
        head += 1
        let body = bytes.bytes.slice(entry.offset, entry.offset + entry.count)
        guard let reload = ReloadBody(body, &scanner) else { return recorder.unknownReload() }
        let number = numbers[Self.hash(reload.device, Int(entry.app))]
        var reader = JSONReader(reload.widgets)
        var count = 0
        reader.enterArray()
        while reader.nextElement() {
            guard reader.peek() == .string else { break }
            let id = Self.hash(reader.readString(), 0)
            count += 1
            guard let number,
                let widget = devices[Int(number)].widgets.first(where: { $0.hash == id })
            else { continue }
            let since = waiting[Int(widget.number)]
            if since <= 0 { continue }
            waiting[Int(widget.number)] = 0
            // A RELOAD that was delayed because the device was away is not timed.
            let isPrompt = since >= self.since(widget.number)
            if reload.cause == 0 && isPrompt { recorder.reloaded(intended: since, at: entry.time) }
        }
        if number == nil { recorder.unknownReload() }
        recorder.reload(reload.cause, widgets: count)
    }

    /// Widgets that a push concerned and that are still without a RELOAD.
    var waitingCount: Int {
        var count = 0
        for (widget, time) in waiting.enumerated()
        where time > 0 && time >= since(WidgetID(widget)) { count += 1 }
        return count
    }
}

/// The parts of a RELOAD's body that a replay needs.
private struct ReloadBody {
    private(set) var device: JSONText
    private(set) var widgets: ByteView
    /// The cause, as an index in `ReloadCause.allCases`.
    private(set) var cause: Int

    /// Nil if the body is not that of a RELOAD.
    init?(_ body: ByteView, _ scanner: inout JSONScanner) {
        defer { scanner.resetScratch() }
        do throws(JSONError) {
            try validateJSON(body, using: &scanner)
        } catch {
            return nil
        }
        var device: JSONText?
        var widgets: ByteView?
        var cause: Int?
        var reader = JSONReader(body)
        reader.enterObject()
        while let key = reader.nextKey() {
            if key == "device", reader.peek() == .string {
                device = reader.readString()
            } else if key == "widgets", reader.peek() == .array {
                widgets = reader.rawValue()
            } else if key == "cause", reader.peek() == .string {
                cause = Self.number(reader.readString())
            } else {
                reader.skipValue()
            }
        }
        guard let device, let widgets, let cause else { return nil }
        self.device = device
        self.widgets = widgets
        self.cause = cause
    }

    private static func number(_ name: JSONText) -> Int? {
        // Nearly all causes are pushes.
        if name == "push" { return 0 }
        let text = name.string
        return ReloadCause.allCases.firstIndex { $0.rawValue == text }
    }
}
