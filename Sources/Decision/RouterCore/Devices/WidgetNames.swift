internal import Basics

/// The widgets of one device by their names, for a frame that names many of them.
///
///     hash of a name ─► slot ─► widget │ its position in the device's list
///
/// To find one widget, the device's chain of widgets has to be walked. For a frame that names n of
/// m widgets that is n × m records; with this table, made once for the frame, m + n. It is filled
/// again for each frame that needs it, in memory that is reused.
struct WidgetNames {
    /// A widget that the table holds.
    struct Entry: BitwiseCopyable {
        var widget: WidgetID
        /// Where it stands in the device's list, from 0.
        var position: UInt32
        fileprivate var hash: UInt32
        /// A mark for the caller's use; false at first.
        var isMarked: Bool
    }

    /// The number of slots that are kept between frames: those of 4,096 widgets.
    private static var keptSlots: Int { 8_192 }

    /// A slot without an entry.
    private static var emptySlot: UInt32 { .max }

    private var slots: ContiguousArray<UInt32> = []
    private(set) var entries: ContiguousArray<Entry> = []
    private var mask = 0
    /// How many records were examined to add or find widgets, for all frames.
    private(set) var walkedCount: UInt64 = 0

    /// Removes all widgets and makes room for `count`.
    mutating func reset(count: Int) {
        entries.removeAll(keepingCapacity: entries.capacity <= Self.keptSlots)
        var size = 16
        while size < 2 * count { size *= 2 }
        if slots.count > Self.keptSlots && size <= Self.keptSlots { slots = [] }
        for index in 0..<min(size, slots.count) { slots[index] = Self.emptySlot }
        while slots.count < size { slots.append(Self.emptySlot) }
        mask = size - 1
    }

    /// Adds a widget, for which `reset` has made room.
    mutating func insert(_ widget: WidgetID, position: Int, in delivery: borrowing DeliveryTable) {
        walkedCount &+= 1
        let hash = delivery.nameHash(delivery.widgetName(widget))
        assert(entries.count < mask, "the table has no empty slot left")
        var slot = Int(hash) & mask
        while slots[slot] != Self.emptySlot { slot = (slot + 1) & mask }
        slots[slot] = UInt32(entries.count)
        entries.append(
            Entry(widget: widget, position: UInt32(position), hash: hash, isMarked: false)
        )
    }

    /// Adds all widgets of a device.
    @inline(__always)
    mutating func insertAll(of device: DeviceID, in delivery: borrowing DeliveryTable) {
        reset(count: Int(delivery.devices[device].widgetCount))
        var widget = delivery.devices[device].firstWidget
        var position = 0
        while !widget.isNone {
            insert(widget, position: position, in: delivery)
            position += 1
            widget = delivery.widgets[widget].nextOfDevice
        }
    }

    /// The index in `entries` of the widget with this name; nil if there is none.
    mutating func find(_ name: ByteView, in delivery: borrowing DeliveryTable) -> Int? {
        let hash = delivery.nameHash(name)
        var slot = Int(hash) & mask
        while slots[slot] != Self.emptySlot {
            let index = Int(slots[slot])
            walkedCount &+= 1
            if entries[index].hash == hash && delivery.widgetName(entries[index].widget) == name {
                return index
            }
            slot = (slot + 1) & mask
        }
        return nil
    }

    /// Sets the mark of an entry.
    mutating func mark(_ index: Int) {
        entries[index].isMarked = true
    }
}
