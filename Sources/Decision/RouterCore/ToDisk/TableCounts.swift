internal import Basics
internal import StoreFormat
internal import WidgetMatching

/// The sizes of a checkpoint's tables. A restore compares them with what it has read, so that
/// nothing can be missing, and reserves memory by them.
struct TableCounts: Equatable {
    /// One more than the highest number of a device.
    var deviceEnd: UInt32 = 0
    var devices: UInt32 = 0
    /// One more than the highest number of a widget.
    var widgetEnd: UInt32 = 0
    var widgets: UInt32 = 0
    var producers: UInt32 = 0
    /// How many values the matcher's index has. This and `keys` serve only to reserve memory, so a
    /// wrong number does no harm.
    var values: UInt64 = 0
    var keys: UInt64 = 0

    func write(to writer: inout StoreWriter) {
        writer.put(deviceEnd)
        writer.put(devices)
        writer.put(widgetEnd)
        writer.put(widgets)
        writer.put(producers)
        writer.put(values)
        writer.put(keys)
    }
}

extension TableCounts {
    init(reading reader: inout StoreReader) throws(StoreError) {
        deviceEnd = try reader.read(UInt32.self)
        devices = try reader.read(UInt32.self)
        widgetEnd = try reader.read(UInt32.self)
        widgets = try reader.read(UInt32.self)
        producers = try reader.read(UInt32.self)
        values = try reader.read(UInt64.self)
        keys = try reader.read(UInt64.self)
        if deviceEnd > RouterLimits.devicesLimit || devices > deviceEnd || widgets > widgetEnd
            || values > 1 << 32 || keys > 1 << 32
        {
            throw reader.corrupt("impossible numbers")
        }
    }
}

/// The state of reading a checkpoint.
struct RestoreState {
    /// The oldest version of the records' format that is read; tests make up an older one.
    var oldestVersion = StateRecord.oldestVersion
    var counts = TableCounts()
    /// Runs the matcher's part of the work, on another thread if the caller has one.
    var worker: any SerialWorker = ImmediateWorker()
    /// Restores the matcher's widgets, and owns the matcher from the first registration on; nil
    /// before that.
    var widgets: WidgetRestorer?
    /// Whether the list of revocations was among the records.
    var hasRevocations = false
    /// Whether what partitions know of each other was among the records.
    var hasHomes = false
}

extension ReloadState {
    /// The sizes of the tables now.
    var tableCounts: TableCounts {
        TableCounts(
            deviceEnd: reloads.delivery.devices.end,
            devices: UInt32(reloads.delivery.devices.count),
            widgetEnd: reloads.delivery.widgets.end,
            widgets: UInt32(matcher.index.widgetCount),
            producers: UInt32(publishers.producers.count),
            values: UInt64(matcher.index.valueCount),
            keys: UInt64(matcher.index.keyCount)
        )
    }
}
