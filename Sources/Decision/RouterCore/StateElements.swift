internal import FrameCodec
internal import ReloadModel
internal import ReloadScheduling
internal import StoreFormat

/// What lies in a slab, as bytes: fields one after the other, little-endian, each element as long as
/// the next, so that a page is written and read without a look at what is in it.
///
/// What a device's own record has is left out: names, kinds, and which widget belongs to which device.
protocol StateElement: BitwiseCopyable {
    static var storedByteCount: Int { get }
    func write(to writer: inout StoreWriter)
    /// Takes over what is stored; what is not stays as it is.
    mutating func read(_ reader: inout StoreReader) throws(StoreError)
}

extension WidgetRecord: StateElement {
    static var storedByteCount: Int { 17 }

    func write(to writer: inout StoreWriter) {
        writer.put(nextPending)
        writer.put(lastReload)
        writer.put(flags)
        writer.put(stage.rawValue)
        writer.put(cause.storedNumber)
        writer.put(rank.rawValue)
        writer.put(rights.rawValue)
    }

    mutating func read(_ reader: inout StoreReader) throws(StoreError) {
        nextPending = try reader.read(UInt32.self)
        lastReload = try reader.read(UInt64.self)
        flags = try reader.read(UInt8.self)
        guard let stage = ReloadStage(rawValue: try reader.read(UInt8.self)),
            let cause = ReloadCause(storedNumber: try reader.read(UInt8.self)),
            let rank = ReloadRank(rawValue: try reader.read(UInt8.self))
        else { throw reader.corrupt("a widget is in no state that there is") }
        self.stage = stage
        self.cause = cause
        self.rank = rank
        rights = ReloadRights(rawValue: try reader.read(UInt8.self))
    }
}

extension WidgetSchedule: StateElement {
    static var storedByteCount: Int { 64 }

    func write(to writer: inout StoreWriter) {
        budget.write(to: &writer)
        writer.put(timelineAt)
        writer.put(voidAt)
        slot.write(to: &writer)
        writer.put(lastReloadAt)
        writer.put(stormEnd.sixteenths)
    }

    mutating func read(_ reader: inout StoreReader) throws(StoreError) {
        budget = try ReloadBudget(reading: &reader)
        timelineAt = try reader.read(Int64.self)
        voidAt = try reader.read(Int64.self)
        slot = try SlotPosition(reading: &reader)
        lastReloadAt = try reader.read(UInt32.self)
        stormEnd = StormTime(sixteenths: try reader.read(UInt32.self))
    }
}

extension DeviceRecord: StateElement {
    static var storedByteCount: Int { 36 }

    func write(to writer: inout StoreWriter) {
        writer.put(firstPending)
        writer.put(connection)
        writer.put(session)
        writer.put(voidAt)
        writer.put(lastReloadAt)
        writer.put(flags)
        writer.put(cause.storedNumber)
        writer.put(loopCount)
        writer.put(media.storedNumber)
    }

    mutating func read(_ reader: inout StoreReader) throws(StoreError) {
        firstPending = try reader.read(UInt32.self)
        connection = try reader.read(UInt32.self)
        session = try reader.read(UInt64.self)
        voidAt = try reader.read(Int64.self)
        lastReloadAt = try reader.read(Int64.self)
        flags = try reader.read(UInt8.self)
        guard let cause = ReloadCause(storedNumber: try reader.read(UInt8.self)) else {
            throw reader.corrupt("there is no such cause")
        }
        self.cause = cause
        loopCount = try reader.read(UInt8.self)
        guard let media = StateMessage.Media(storedNumber: try reader.read(UInt8.self)) else {
            throw reader.corrupt("there is no such media session")
        }
        self.media = media
    }
}

extension ReloadCause {
    var storedNumber: UInt8 {
        switch self {
        case .push: 0
        case .after: 1
        case .atEnd: 2
        case .request: 3
        case .visible: 4
        case .location: 5
        case .budget: 6
        case .download: 7
        }
    }

    init?(storedNumber: UInt8) {
        guard let cause = Self.allCases.first(where: { $0.storedNumber == storedNumber }) else {
            return nil
        }
        self = cause
    }
}

extension StateMessage.Media {
    var storedNumber: UInt8 {
        switch self {
        case .none: 0
        case .audio: 1
        case .navigation: 2
        }
    }

    init?(storedNumber: UInt8) {
        switch storedNumber {
        case 0: self = .none
        case 1: self = .audio
        case 2: self = .navigation
        default: return nil
        }
    }
}

extension Instant {
    /// Whether both clocks are so far from the ends of their range that what is reckoned from them
    /// does not leave it: 36 million years.
    var isStorable: Bool {
        let range: ClosedRange<Int64> = -(1 << 60)...1 << 60
        return monotonic >= 0 && range.contains(monotonic) && range.contains(wall)
    }
}
