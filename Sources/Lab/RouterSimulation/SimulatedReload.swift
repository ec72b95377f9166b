internal import DataStructures
internal import FrameCodec
internal import ReloadModel
internal import StrictJSON

/// A RELOAD as a device reads it from the wire.
struct SimulatedReload {
    var device: UInt32 = 0
    var seq: UInt64 = 0
    var cause = ReloadCause.push
    /// A bit for each `World.Kind` that the RELOAD names.
    var kinds: UInt8 = 0
    /// The widgets that the RELOAD names, by their numbers on the device.
    var named: ContiguousArray<UInt32> = []
    /// A bit for each widget that has inlined values, by its number on the device.
    var values: UInt8 = 0

    func has(_ kind: World.Kind) -> Bool { kinds & 1 << kind.rawValue != 0 }

    /// Replaces the values by those of a whole frame.
    ///
    /// - Returns: the problem with it; nil if it is valid.
    mutating func read(_ frame: ByteView) -> String? {
        kinds = 0
        values = 0
        named.removeAll(keepingCapacity: true)
        let isReload = frame[4] == FrameType.reload.rawValue
        let isWhole = Int(frame.bigEndian(UInt32.self, at: 0)) == frame.count - 4
        guard isReload && isWhole else { return "the header of a RELOAD is wrong" }
        seq = frame.bigEndian(UInt64.self, at: 8)
        var reader = JSONReader(frame.slice(FrameHeader.byteCount, to: frame.count))
        reader.enterObject()
        while let name = reader.nextKey() {
            if name == "device" {
                guard let number = trailingNumber(reader.readString().raw) else {
                    return "the device of a RELOAD is not one"
                }
                device = number
            } else if name == "kinds" {
                readKinds(&reader)
            } else if name == "widgets" {
                reader.enterArray()
                while reader.nextElement() {
                    guard let number = trailingNumber(reader.readString().raw) else {
                        return "a widget of a RELOAD is not one"
                    }
                    named.append(number)
                }
            } else if name == "values" {
                readValues(&reader)
            } else if name == "cause" {
                guard let cause = ReloadCause(rawValue: reader.readString().string) else {
                    return "the cause of a RELOAD is not one"
                }
                self.cause = cause
            } else {
                reader.skipValue()
            }
        }
        return named.isEmpty || kinds == 0 ? "a RELOAD names nothing" : nil
    }

    private mutating func readKinds(_ reader: inout JSONReader) {
        reader.enterArray()
        while reader.nextElement() {
            let name = reader.readString()
            for kind in World.Kind.allCases where name == kind.name {
                kinds |= 1 << kind.rawValue
            }
        }
    }

    private mutating func readValues(_ reader: inout JSONReader) {
        reader.enterObject()
        while let name = reader.nextKey() {
            if let number = trailingNumber(name.raw), number < 8 { values |= 1 << UInt8(number) }
            reader.skipValue()
        }
    }
}
