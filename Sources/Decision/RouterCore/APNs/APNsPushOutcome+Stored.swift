internal import Basics
internal import StoreFormat

/// A push's outcome in the log.
extension APNsPushOutcome {
    /// The longest pause before a push is repeated.
    private static var pauseLimit: Milliseconds { .days(30) }

    /// The outcome with a pause that is not too long, and not negative.
    var clamped: Self {
        guard case .postponed(let pause) = self else { return self }
        return .postponed(max(.zero, min(pause, Self.pauseLimit)))
    }

    func write(to writer: inout StoreWriter) {
        switch self {
        case .accepted: writer.put(0 as UInt8)
        case .refused: writer.put(1 as UInt8)
        case .tokenDead(nil, let fault):
            writer.put(2 as UInt8)
            writer.put(fault.rawValue)
        case .tokenDead(let since?, let fault):
            writer.put(3 as UInt8)
            writer.put(fault.rawValue)
            writer.put(signed: since)
        case .tokenRefused(let fault):
            writer.put(4 as UInt8)
            writer.put(fault.rawValue)
        case .postponed(let pause):
            writer.put(5 as UInt8)
            writer.put(varint: UInt64(pause.rawValue))
        case .unknown: writer.put(6 as UInt8)
        case .acceptedOnTrial: writer.put(7 as UInt8)
        }
    }

    init(reading reader: inout StoreReader) throws(StoreError) {
        switch try reader.read(UInt8.self) {
        case 0: self = .accepted
        case 1: self = .refused
        case 2: self = .tokenDead(since: nil, because: try TokenFault(reading: &reader))
        case 3:
            let fault = try TokenFault(reading: &reader)
            self = .tokenDead(since: try reader.readSigned(WallTime.self), because: fault)
        case 4: self = .tokenRefused(try TokenFault(reading: &reader))
        case 5:
            let pause = try reader.readCount(atMost: Int(Self.pauseLimit.rawValue))
            self = .postponed(Milliseconds(rawValue: Int64(pause)))
        case 6: self = .unknown
        case 7: self = .acceptedOnTrial
        default: throw reader.corrupt("there is no such outcome of a push")
        }
    }
}
