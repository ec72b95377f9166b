internal import Basics
internal import FrameCodec
internal import ReloadScheduling
internal import StoreFormat
internal import WidgetMatching

/// The state as records of the table; see `StateRecord`. Reading is in `ReloadState+Restore`.
extension ReloadState {
    /// Writes the clocks, the last numbers used, the running time, and the sizes of the tables.
    func writeShared(to writer: inout StoreWriter) {
        clock.write(to: &writer)
        writer.put(numbers.fanOut)
        writer.put(numbers.session)
        writer.put(numbers.reload)
        writer.put(numbers.tokenEnd)
        clock.running.write(to: &writer)
        tableCounts.write(to: &writer)
    }

    /// Writes the names of apps, kinds and origins, in the order of their numbers, and the app
    /// file.
    func writeCatalog(to writer: inout StoreWriter) {
        writer.put(varint: UInt64(catalog.apps.count))
        for app in catalog.apps.elements { writer.put(counted: app.declaration.app) }
        writer.put(varint: UInt64(catalog.kinds.count))
        for kind in catalog.kinds.elements {
            writer.put(number: kind.app)
            writer.put(counted: unsafe delivery.names.view(kind.name, count: kind.nameCount))
        }
        let keys = catalog.originsByName.sorted { $0.value < $1.value }
        writer.put(varint: UInt64(keys.count))
        for (key, _) in keys {
            writer.put(number: key.app)
            key.name.withByteView { writer.put(counted: $0) }
        }
        catalog.source.withByteView { writer.put(counted: $0) }
    }

    /// Writes the open sessions.
    func writeConnections(to writer: inout StoreWriter) {
        for connection in delivery.sessions.ids {
            let record = delivery.sessions[connection]
            guard let role = record.role else { continue }
            writer.put(connection.rawValue)
            writer.put(record.number)
            writer.put(number: record.app)
            writer.put(role.storedNumber)
            switch role {
            case .publisher: writer.put(number: record.producer)
            case .device:
                writer.put(
                    counted: unsafe delivery.names.view(record.name, count: Int(record.nameCount))
                )
            case .gateway, .server: break
            }
        }
    }

    /// Writes a device's name, push token and widgets; nothing if the device was removed.
    func writeRegistration(_ device: DeviceID, to writer: inout StoreWriter) {
        if !delivery.isStored(device) { return }
        let record = delivery.devices[device]
        writer.put(number: record.app)
        writer.put(counted: delivery.deviceName(device))
        let tokens = TokenParts(of: device, in: delivery)
        writer.put(tokens.rawValue)
        if tokens.contains(.widgets) { writer.put(counted: delivery.pushToken(device)) }
        if tokens.contains(.app) { write(delivery.appToken(device), to: &writer) }
        writer.put(varint: UInt64(record.widgetCount))
        var widget = record.firstWidget
        while !widget.isNone {
            writer.put(number: widget)
            writer.put(number: delivery.widgets[widget].kind)
            writer.put(counted: delivery.widgetName(widget))
            let start = writer.count
            writer.put(0 as UInt32)
            matcher.index.writeConfiguration(of: widget, to: &writer)
            writer.patch(UInt32(writer.count - start - 4), at: start)
            if tokens.contains(.families) { writer.put(delivery.family(of: widget).rawValue) }
            if tokens.contains(.controls) {
                let token = delivery.controlToken(widget)
                writer.put(token.isPresent)
                if token.isPresent { write(token, to: &writer) }
            }
            widget = delivery.widgets[widget].nextOfDevice
        }
    }

    private func write(_ token: StoredToken, to writer: inout StoreWriter) {
        writer.put(counted: delivery.text(of: token))
        writer.put(token.state.rawValue)
        if token.state != .good { delivery.end(of: token).write(to: &writer) }
    }
}
