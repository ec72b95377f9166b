internal import Basics
internal import FrameCodec

/// Reused memory for the frame that is being applied.
struct FrameScratch: ~Copyable {
    var scanner: JSONScanner
    var identifiers = IdentifierScratch()
    /// The widgets of the frame's device by their ids, if the frame names many of them.
    var widgetNames = WidgetNames()
    /// The widgets that a STATE lists as visible, each once.
    var listedWidgets: ContiguousArray<WidgetID> = []
    /// The frame's sequence number, which answers repeat. It is in no log: the state may not depend
    /// on it.
    var frameSeq: UInt64 = 0

    init(hashKey: HashKey) {
        scanner = JSONScanner(depthLimit: RouterLimits.jsonDepth, hashKey: hashKey)
    }

    /// Checks with the strict scanner that bytes are a legal JSON object, and charges the work.
    mutating func validate(_ body: ByteView, charging out: inout Outbox) throws(ProtocolError) {
        out.work.charge(body.count &* WorkCost.scannedByte)
        do throws(JSONError) {
            try validateJSON(body, using: &scanner)
            scanner.resetScratch()
        } catch {
            scanner.resetScratch()
            throw ProtocolError(error)
        }
    }

    /// The family of an entry of a list.
    mutating func family(of entry: WidgetEntry) throws(ProtocolError) -> FamilyDigest {
        guard let family = entry.family else { return .none }
        return FamilyDigest(try identifiers.identifier(family, of: "family"))
    }

    /// Checks that a push token is not too long, and that APNs could know it; returns its length in
    /// bytes. What was stored before that was checked stays, and is never used
    /// (`StoredToken.isUsable`).
    mutating func checkToken(_ token: JSONText, at path: String) throws(ProtocolError) -> Int {
        let bytes = identifiers.decode(token)
        guard bytes.count < RouterLimits.pushTokenBytes else {
            throw ProtocolError(
                .identifierInvalid,
                message: "\(path) must be shorter than \(RouterLimits.pushTokenBytes) bytes"
            )
        }
        if !identifiers.isStored, let flaw = PushTokenFlaw.sentence(bytes) {
            throw ProtocolError(.identifierInvalid, message: "\(path) \(flaw)")
        }
        return bytes.count
    }

    /// The widget of a device that a frame names.
    ///
    /// - Throws: `widget-unknown`, or why the id is invalid.
    mutating func widget(
        _ text: JSONText,
        of device: DeviceID,
        in delivery: borrowing DeliveryTable
    ) throws(ProtocolError) -> WidgetID {
        let name = try identifiers.identifier(text, of: "widget")
        guard let widget = delivery.findWidget(of: device, named: name) else {
            throw delivery.unknownWidget(of: device, named: name)
        }
        return widget
    }

    /// Sets `listedWidgets` to the widgets that a STATE lists, each once, in the order of
    /// the list.
    ///
    /// Visits about as many records as the device has widgets and the list has ids, together.
    mutating func list(
        _ ids: ByteView,
        of device: DeviceID,
        in delivery: borrowing DeliveryTable
    ) throws(ProtocolError) {
        listedWidgets.removeAll(keepingCapacity: true)
        widgetNames.insertAll(of: device, in: delivery)
        var list = BodyReader(list: ids, named: "visible", of: .state)
        while list.nextElement() {
            let name = try identifiers.identifier(list.string(), of: "widget")
            guard let entry = widgetNames.find(name, in: delivery) else {
                throw delivery.unknownWidget(of: device, named: name)
            }
            if widgetNames.entries[entry].isMarked { continue }
            widgetNames.mark(entry)
            listedWidgets.append(widgetNames.entries[entry].widget)
        }
    }
}
