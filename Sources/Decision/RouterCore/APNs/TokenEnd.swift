internal import Basics
internal import StoreFormat

/// That no push goes to a token until its device registers again.
struct TokenEnd: BitwiseCopyable {
    /// The token has not ended.
    static var none: TokenEnd { TokenEnd() }
    /// The length of its record.
    static var storedByteCount: Int { 17 }

    /// Orders the ends of all tokens: a later one has a higher number, over restarts too; see
    /// `LastNumbers.tokenEnd`. 0 for a token that has not ended.
    var number: UInt64 = 0
    /// Since when the token is dead, by Apple's clock if Apple says so, else by the router's.
    var since = WallTime.zero
    /// What APNs has said.
    var fault = TokenFault.unknown

    /// Whether the token has ended.
    var hasEnded: Bool { number != 0 }

    func write(to writer: inout StoreWriter) {
        writer.put(number)
        writer.put(since)
        writer.put(fault.rawValue)
    }

    mutating func read(_ reader: inout StoreReader) throws(StoreError) {
        number = try reader.read(UInt64.self)
        since = try reader.read(WallTime.self)
        fault = try TokenFault(reading: &reader)
    }
}

extension TokenFault {
    /// Reads the byte that stands for a reason in records and in the log.
    init(reading reader: inout StoreReader) throws(StoreError) {
        guard let fault = TokenFault(rawValue: try reader.read(UInt8.self)) else {
            throw reader.corrupt("there is no such reason against a push token")
        }
        self = fault
    }
}
