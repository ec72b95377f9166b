internal import Basics
internal import FrameCodec
internal import ReloadScheduling
internal import StoreFormat
internal import WidgetMatching

/// The state as records of the table; see `StateRecord`. Reading is in `ReloadState+Restore`.
extension ReloadState {
    /// Writes the clocks, the last numbers used, the running time, and the sizes of the tables.
    func writeShared(to writer: inout StoreWriter) {
        reloads.clock.write(to: &writer)
        reloads.numbers.write(to: &writer)
        reloads.clock.running.write(to: &writer)
        tableCounts.write(to: &writer)
    }

    /// Writes the names of apps, kinds and origins, in the order of their numbers, and the app
    /// file.
    func writeCatalog(to writer: inout StoreWriter) {
        writer.put(varint: UInt64(reloads.catalog.apps.count))
        for app in reloads.catalog.apps.elements { writer.put(counted: app.declaration.app) }
        writer.put(varint: UInt64(reloads.catalog.kinds.count))
        for kind in reloads.catalog.kinds.elements {
            writer.put(number: kind.app)
            writer.put(
                counted: unsafe reloads.delivery.names.view(kind.name, count: kind.nameCount)
            )
        }
        let keys = reloads.catalog.originsByName.sorted { $0.value < $1.value }
        writer.put(varint: UInt64(keys.count))
        for (key, _) in keys {
            writer.put(number: key.app)
            key.name.withByteView { writer.put(counted: $0) }
        }
        reloads.catalog.source.withByteView { writer.put(counted: $0) }
    }

    /// Writes a device's name, push token and widgets; nothing if the device was removed.
    func writeRegistration(_ device: DeviceID, to writer: inout StoreWriter) {
        if !reloads.delivery.isStored(device) { return }
        let record = reloads.delivery.devices[device]
        writer.put(number: record.app)
        writer.put(counted: reloads.delivery.deviceName(device))
        let tokens = TokenParts(of: device, in: reloads.delivery, apns: reloads.apns)
        writer.put(tokens.rawValue)
        if tokens.contains(.widgets) {
            writer.put(counted: reloads.apns.text(of: record.widgetsToken))
        }
        if tokens.contains(.app) {
            reloads.apns.write(reloads.apns.appToken(device), to: &writer)
        }
        writer.put(varint: UInt64(record.widgetCount))
        var widget = record.firstWidget
        while !widget.isNone {
            writer.put(number: widget)
            writer.put(number: reloads.delivery.widgets[widget].kind)
            writer.put(counted: reloads.delivery.widgetName(widget))
            let start = writer.count
            writer.put(0 as UInt32)
            matcher.index.writeConfiguration(of: widget, to: &writer)
            writer.patch(UInt32(writer.count - start - 4), at: start)
            if tokens.contains(.families) {
                writer.put(reloads.delivery.family(of: widget).rawValue)
            }
            if tokens.contains(.controls) {
                let token = reloads.apns.controlToken(widget)
                writer.put(token.isPresent)
                if token.isPresent { reloads.apns.write(token, to: &writer) }
            }
            widget = reloads.delivery.widgets[widget].nextOfDevice
        }
    }
}
