internal import Basics
internal import FrameCodec

/// What devices have declared and not replaced yet: their widgets, timelines and states.
///
/// A capture that is cut out of a longer one begins with these declarations, because the records
/// after the cut depend on them.
package struct CaptureDevices: ~Copyable {
    /// A frame that repeats a declaration which is still in force.
    package struct Frame {
        /// The kind of frame: WIDGETS, TIMELINE, STATE or ATTACH.
        package let kind: CaptureKind
        /// The session that made the declaration, as the number given to `take`.
        package let session: Int
        /// The sequence number of the frame that made the declaration.
        package let seq: UInt64
        /// How many frames of all sessions came before the one that made the declaration.
        package let position: Int
        /// The frame's body, a JSON object.
        package fileprivate(set) var body: [UInt8]
    }

    /// A name's bytes: names that are one for `String` may be two for the router.
    private typealias Name = [UInt8]

    /// An app and the id of one of its devices.
    private struct Key: Hashable {
        let app: Name
        let device: Name

        init(app: String, device: String) {
            self.app = Name(app.utf8)
            self.device = Name(device.utf8)
        }
    }

    /// What one device has declared and not replaced yet.
    private struct Device {
        var widgets: Frame
        var widgetNames: Set<Name>
        var timelines: [Name: Frame] = [:]
        /// The values of STATE's members, as JSON, each in force until a later STATE replaces it.
        var state: [String: [UInt8]] = [:]
        /// The last STATE, whose body `state` replaces.
        var stateFrame: Frame?
        /// The ATTACH by which a gateway attached the device last.
        var attached: Frame?
    }

    private var devices: [Key: Device] = [:]
    /// The order in which the devices declared widgets for the first time.
    private var order: [Key: Int] = [:]
    private var bodies = CaptureBody()
    /// The number of frames that were applied.
    private var frameCount = 0

    /// Makes a collection without devices.
    package init() {}

    /// The number of devices that have widgets.
    package var count: Int { devices.count }

    /// Applies the next record: a WIDGETS, TIMELINE, STATE or ATTACH; others are ignored. The
    /// number of its session is not reused later.
    package mutating func take(_ record: CaptureRecord, app: String, session: Int) {
        switch record.kind {
        case .widgets: takeWidgets(record, app: app, session: session)
        case .timeline: takeTimeline(record, app: app, session: session)
        case .state: takeState(record, app: app, session: session)
        case .attach: takeAttach(record, app: app, session: session)
        case .ended, .hello, .push, .request, .apps, .lost: return
        }
        frameCount += 1
    }

    /// The frames that repeat all that is in force, for each device, with its app.
    ///
    /// WIDGETS comes first, then timelines, STATE and ATTACH in the order in which they were sent,
    /// whatever sessions they were sent in.
    package var all: [(app: String, device: String, frames: [Frame])] {
        let keys = devices.keys.sorted { (order[$0] ?? 0) < (order[$1] ?? 0) }
        return keys.map { key in
            let device = String(decoding: key.device, as: UTF8.self)
            let app = String(decoding: key.app, as: UTF8.self)
            return (app, device, frames(device, device: devices[key]!))
        }
    }

    // MARK: - Frames

    /// Replaces a device's widgets, and drops the timelines of those that are gone; without
    /// widgets, forgets the device.
    private mutating func takeWidgets(_ record: CaptureRecord, app: String, session: Int) {
        guard var reader = bodies.open(record.body) else { return }
        var device = ""
        var names: Set<Name> = []
        while let name = reader.nextKey() {
            if name == "device" {
                device = reader.readText()
            } else if name == "widgets", reader.peek() == .array {
                reader.enterArray()
                while reader.nextElement() {
                    names.insert(Name(reader.readText(ofMember: "id").utf8))
                }
            } else {
                reader.skipValue()
            }
        }
        let key = Key(app: app, device: device)
        if names.isEmpty {
            devices[key] = nil
            return
        }
        let frame = frame(record, session: session, body: record.body.array)
        if order[key] == nil { order[key] = order.count }
        var known = devices[key] ?? Device(widgets: frame, widgetNames: names)
        known.widgets = frame
        known.widgetNames = names
        known.timelines = known.timelines.filter { names.contains($0.key) }
        devices[key] = known
    }

    /// Keeps a timeline without the members that say what it answered and why it was made: they
    /// have had their effect and must not have it again.
    private mutating func takeTimeline(_ record: CaptureRecord, app: String, session: Int) {
        guard var reader = bodies.open(record.body) else { return }
        var device = ""
        var widget = ""
        let body = JSONWriter.object { json in
            while let name = reader.nextKey() {
                if name == "reload" || name == "because" {
                    reader.skipValue()
                    continue
                }
                var ahead = reader
                if name == "device" { device = ahead.readText() }
                if name == "widget" { widget = ahead.readText() }
                json.member(name.string, json: reader.rawValue())
            }
        }
        let frame = frame(record, session: session, body: body)
        devices[Key(app: app, device: device)]?.timelines[Name(widget.utf8)] = frame
    }

    /// Merges the members of a STATE into those in force for the device.
    private mutating func takeState(_ record: CaptureRecord, app: String, session: Int) {
        guard var reader = bodies.open(record.body) else { return }
        var device = ""
        var state: [String: [UInt8]] = [:]
        while let name = reader.nextKey() {
            switch name {
            case "device": device = reader.readText()
            case "foreground", "media", "visible": state[name.string] = reader.rawValue().array
            default: reader.skipValue()
            }
        }
        let key = Key(app: app, device: device)
        if state.isEmpty || devices[key] == nil { return }
        devices[key]!.state.merge(state) { _, new in new }
        let frame = frame(record, session: session, body: [])
        devices[key]!.stateFrame = frame
    }

    /// Records which devices a gateway attaches.
    private mutating func takeAttach(_ record: CaptureRecord, app: String, session: Int) {
        guard var reader = bodies.open(record.body) else { return }
        while let name = reader.nextKey() {
            guard name == "devices", reader.peek() == .array else {
                reader.skipValue()
                continue
            }
            reader.enterArray()
            while reader.nextElement() {
                let device = reader.readText()
                let body = AttachMessage.encode([device])
                let frame = frame(record, session: session, body: body)
                devices[Key(app: app, device: device)]?.attached = frame
            }
        }
    }

    /// The frame of the record that is being applied, with a body of its own.
    private func frame(_ record: CaptureRecord, session: Int, body: [UInt8]) -> Frame {
        Frame(
            kind: record.kind,
            session: session,
            seq: record.seq,
            position: frameCount,
            body: body
        )
    }

    /// The frames that repeat all that is in force for a device.
    private func frames(_ name: String, device: Device) -> [Frame] {
        var later = Array(device.timelines.values)
        if var frame = device.stateFrame {
            frame.body = JSONWriter.object { json in
                json.member("device", value: name)
                for (name, value) in device.state.sorted(by: { $0.key < $1.key }) {
                    value.withByteView { json.member(name, json: $0) }
                }
            }
            later.append(frame)
        }
        if let frame = device.attached { later.append(frame) }
        later.sort { $0.position < $1.position }
        return [device.widgets] + later
    }
}
