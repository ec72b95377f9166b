internal import Basics
internal import FrameCodec
internal import ReloadScheduling
internal import StoreFormat

/// An element of a slab as bytes: its fields one after the other, little-endian. All elements
/// of a slab have the same size, so pages are written and read without knowing what they contain.
///
/// Names, kinds and the list of a device's widgets are left out, because the device's registration
/// contains them.
protocol StateElement: BitwiseCopyable {
    /// The size of an element in bytes.
    static var storedByteCount: Int { get }
    /// Writes the fields that are stored.
    func write(to writer: inout StoreWriter)
    /// Reads the fields that are stored; the others stay as they are.
    mutating func read(_ reader: inout StoreReader) throws(StoreError)
}

extension WidgetRecord: StateElement {
    static var storedByteCount: Int { 17 }

    func write(to writer: inout StoreWriter) {
        writer.put(nextPending.rawValue)
        writer.put(lastReload)
        writer.put(flags)
        writer.put(stage.rawValue)
        writer.put(cause.storedNumber)
        writer.put(rank.rawValue)
        writer.put(privileges.rawValue)
    }

    mutating func read(_ reader: inout StoreReader) throws(StoreError) {
        nextPending = WidgetID(rawValue: try reader.read(UInt32.self))
        lastReload = try reader.read(UInt64.self)
        flags = try reader.read(UInt8.self)
        guard let stage = ReloadStage(rawValue: try reader.read(UInt8.self)),
            let cause = ReloadCause(storedNumber: try reader.read(UInt8.self)),
            let rank = ReloadRank(rawValue: try reader.read(UInt8.self))
        else { throw reader.corrupt("a widget is in an unknown state") }
        self.stage = stage
        self.cause = cause
        self.rank = rank
        privileges = ReloadPrivileges(rawValue: try reader.read(UInt8.self))
    }
}

extension WidgetSchedule: StateElement {
    static var storedByteCount: Int { 64 }

    func write(to writer: inout StoreWriter) {
        budget.write(to: &writer)
        writer.put(timelineAt)
        writer.put(expiresAt)
        slot.write(to: &writer)
        writer.put(lastReloadAt)
        writer.put(debounceEnd.sixteenths)
    }

    mutating func read(_ reader: inout StoreReader) throws(StoreError) {
        budget = try ReloadBudget(reading: &reader)
        timelineAt = try reader.read(WallTime.self)
        expiresAt = try reader.read(WallTime.self)
        slot = try SlotPosition(reading: &reader)
        lastReloadAt = try reader.read(UInt32.self)
        debounceEnd = DebounceTime(sixteenths: try reader.read(UInt32.self))
    }
}

extension DeviceRecord: StateElement {
    static var storedByteCount: Int { 40 }

    func write(to writer: inout StoreWriter) {
        writer.put(firstPending.rawValue)
        writer.put(connection.rawValue)
        writer.put(session)
        writer.put(expiresAt)
        writer.put(lastReloadAt)
        writer.put(flags)
        writer.put(cause.storedNumber)
        writer.put(loopCount)
        writer.put(media.rawValue)
        writer.put(heardAt)
    }

    mutating func read(_ reader: inout StoreReader) throws(StoreError) {
        firstPending = WidgetID(rawValue: try reader.read(UInt32.self))
        connection = ConnectionSlot(rawValue: try reader.read(UInt32.self))
        session = try reader.read(UInt64.self)
        expiresAt = try reader.read(WallTime.self)
        lastReloadAt = try reader.read(MonotonicTime.self)
        flags = try reader.read(UInt8.self)
        guard let cause = ReloadCause(storedNumber: try reader.read(UInt8.self)) else {
            throw reader.corrupt("there is no such cause")
        }
        self.cause = cause
        loopCount = try reader.read(UInt8.self)
        guard let media = StateMessage.Media(rawValue: try reader.read(UInt8.self)) else {
            throw reader.corrupt("there is no such media session")
        }
        self.media = media
        heardAt = try reader.read(UInt32.self)
    }
}

extension Instant {
    /// Whether calculations with the two clocks cannot overflow: both are within 36 million years
    /// of 0, and the monotonic clock is not before 0.
    var isStorable: Bool {
        let range: ClosedRange<Int64> = -(1 << 60)...1 << 60
        return monotonic >= .zero && range.contains(monotonic.rawValue)
            && range.contains(wall.rawValue)
    }
}
