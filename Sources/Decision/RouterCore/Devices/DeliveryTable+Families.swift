internal import Basics
internal import FrameCodec

/// The names and families of widgets.
extension DeliveryTable {
    /// The family of a widget, which is stored after its id.
    @inline(__always)
    func family(of widget: WidgetID) -> FamilyDigest {
        let record = widgets[widget]
        let bytes = unsafe names.view(record.name, count: Int(record.nameCount) + 1)
        return FamilyDigest(rawValue: bytes[Int(record.nameCount)])
    }

    /// Whether the family of one of a device's widgets is known.
    func hasFamily(_ device: DeviceID) -> Bool {
        var widget = devices[device].firstWidget
        while !widget.isNone {
            if family(of: widget) != .none { return true }
            widget = widgets[widget].nextOfDevice
        }
        return false
    }

    /// Gives a widget that has none an id, and no family.
    mutating func setName(of widget: WidgetID, to name: ByteView) {
        let block = names.allocate(name.count + 1)
        unsafe name.copy(to: names.pointer(block))
        unsafe names.pointer(block).storeBytes(
            of: FamilyDigest.none.rawValue,
            toByteOffset: name.count,
            as: UInt8.self
        )
        widgets[widget].name = block
        widgets[widget].nameCount = UInt8(name.count)
        countBytes(of: devices[widgets[widget].device].app, adding: StoredCost.text(name.count))
    }

    /// Takes id and family from a widget, which has none afterwards.
    mutating func removeName(of widget: WidgetID) {
        let record = widgets[widget]
        let count = Int(record.nameCount)
        unsafe names.free(record.name, byteCount: count + 1)
        widgets[widget].name = ByteArena.none
        countBytes(of: devices[record.device].app, adding: -StoredCost.text(count))
    }

    /// Gives a widget another id, and no family.
    mutating func rename(_ widget: WidgetID, to name: ByteView) {
        removeName(of: widget)
        setName(of: widget, to: name)
    }

    /// Gives a widget a family, and returns whether it had another one.
    @discardableResult
    mutating func setFamily(of widget: WidgetID, to family: FamilyDigest) -> Bool {
        if self.family(of: widget) == family { return false }
        let record = widgets[widget]
        unsafe names.pointer(record.name).storeBytes(
            of: family.rawValue,
            toByteOffset: Int(record.nameCount),
            as: UInt8.self
        )
        return true
    }

    /// The error for a widget that is not stored for a device.
    func unknownWidget(of device: DeviceID, named name: ByteView) -> ProtocolError {
        ProtocolError(
            .widgetUnknown,
            message: "\(quotation(deviceName(device).string)) has no widget "
                + quotation(name.string)
        )
    }
}
