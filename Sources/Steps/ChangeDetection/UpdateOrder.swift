internal import DataStructures
internal import EventPatterns
internal import StrictJSON
internal import Times

/// Where an update stands among those of its key: the value that it has at the field that its kind
/// names as `newest`.
///
/// Whole numbers of 64 bits are compared exactly, other numbers by their first 15 digits, and dates
/// by their nanoseconds. A number and a date cannot be compared: neither is older.
struct UpdateOrder: BitwiseCopyable {
    /// How `bits` are to be read; as stores have it.
    private enum Form: UInt8 {
        case none
        /// An `Int64`.
        case whole
        /// A key of `DecimalOrder`.
        case decimal
        /// Nanoseconds from 1970, an `Int64`.
        case date
    }

    /// The size of the stored form, in bytes.
    static var byteCount: Int { 9 }

    let form: UInt8
    let bits: UInt64

    /// The order of an update that does not say it.
    static var none: UpdateOrder { UpdateOrder(.none, bits: 0) }

    var isNone: Bool { form == Form.none.rawValue }

    private init(_ form: Form, bits: UInt64) {
        self.form = form.rawValue
        self.bits = bits
    }

    /// Takes the stored form; nil if nothing is stored so.
    init?(form: UInt8, bits: UInt64) {
        guard let known = Form(rawValue: form), known != .none || bits == 0 else { return nil }
        self.init(known, bits: bits)
    }

    /// The order of a value, given as JSON text that the scanner has accepted; `none` if it is
    /// neither a number nor a date with its time and zone.
    init(_ text: ByteView) {
        self = .none
        switch text[0] {
        case 0x22:
            if let date = Self.date(text.slice(1, to: text.count - 1)) {
                self.init(.date, bits: UInt64(bitPattern: date))
            }
        case 0x2d, 0x30...0x39: self = Self.number(text)
        default: break
        }
    }

    /// Whether an update of this order is older than one of another order.
    func isOlder(than other: UpdateOrder) -> Bool {
        switch (Form(rawValue: form), Form(rawValue: other.form)) {
        case (.whole, .whole), (.date, .date):
            Int64(bitPattern: bits) < Int64(bitPattern: other.bits)
        case (.decimal, .decimal), (.decimal, .whole), (.whole, .decimal):
            decimalKey < other.decimalKey
        default: false
        }
    }

    /// The key of a number among all numbers.
    private var decimalKey: UInt64 {
        if form == Form.decimal.rawValue { return bits }
        return unsafe withUnsafeTemporaryAllocation(byteCount: 32, alignment: 8) { buffer in
            let base = buffer.baseAddress!
            // The canonical form of a whole number is a letter and its 64 bits.
            unsafe base.storeBytes(of: 0x69, as: UInt8.self)
            unsafe base.storeBytes(of: bits.littleEndian, toByteOffset: 1, as: UInt64.self)
            return DecimalOrder.key(unsafe ByteView(base: base, count: 9))
        }
    }

    // MARK: - Reading

    private static func number(_ text: ByteView) -> UpdateOrder {
        unsafe withUnsafeTemporaryAllocation(byteCount: text.count + 16, alignment: 8) { buffer in
            let base = buffer.baseAddress!
            let count = unsafe CanonicalNumber.write(text, into: base)
            let canonical = unsafe ByteView(base: base, count: count)
            if DecimalOrder.isInteger(canonical) {
                let value = DecimalOrder.integer(canonical)
                return UpdateOrder(.whole, bits: UInt64(bitPattern: value))
            }
            return UpdateOrder(.decimal, bits: DecimalOrder.key(canonical))
        }
    }

    /// Nanoseconds from 1970 to a date of RFC 3339 between 1700 and 2200; nil for any other text.
    private static func date(_ text: ByteView) -> Int64? {
        var reader = DateReader(text: text)
        guard let year = reader.number(4), reader.skip(0x2d), let month = reader.number(2),
            reader.skip(0x2d), let day = reader.number(2),
            reader.skip(0x54) || reader.skip(0x74) || reader.skip(0x20),
            let hour = reader.number(2), reader.skip(0x3a), let minute = reader.number(2),
            (1_700...2_200).contains(year), (1...12).contains(month), (1...31).contains(day),
            hour < 24, minute < 60
        else { return nil }
        var seconds = WallTime.days(year, month: month, day: day) * 86_400
        seconds += hour * 3_600 + minute * 60
        var nanoseconds: Int64 = 0
        if reader.skip(0x3a) {
            // 60 is a leap second.
            guard let second = reader.number(2), second <= 60 else { return nil }
            seconds += second
            if reader.skip(0x2e) {
                guard let fraction = reader.fraction() else { return nil }
                nanoseconds = fraction
            }
        }
        guard let offset = reader.offset(), reader.position == text.count else { return nil }
        return (seconds - offset) * 1_000_000_000 + nanoseconds
    }
}

/// A position in a date, and steps that read a part and move past it.
private struct DateReader {
    let text: ByteView
    var position = 0

    /// Skips a byte; false, without moving, if another one is next.
    mutating func skip(_ byte: UInt8) -> Bool {
        guard position < text.count, text[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func digit() -> Int64? {
        guard position < text.count, (0x30...0x39).contains(text[position]) else { return nil }
        position += 1
        return Int64(text[position - 1] - 0x30)
    }

    /// Reads exactly `digits` digits; nil if there are fewer.
    mutating func number(_ digits: Int) -> Int64? {
        var value: Int64 = 0
        for _ in 0..<digits {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    /// Reads the decimal places of a second, as nanoseconds; further places are dropped.
    mutating func fraction() -> Int64? {
        guard var value = digit() else { return nil }
        for _ in 1..<9 { value = value * 10 + (digit() ?? 0) }
        while digit() != nil {}
        return value
    }

    /// Reads `Z`, `+HH:MM` or `-HH:MM`: how many seconds local time is ahead of UTC.
    mutating func offset() -> Int64? {
        if skip(0x5a) || skip(0x7a) { return 0 }
        let isEast = skip(0x2b)
        guard isEast || skip(0x2d), let hours = number(2), skip(0x3a), let minutes = number(2),
            hours < 24, minutes < 60
        else { return nil }
        let seconds = hours * 3_600 + minutes * 60
        return isEast ? seconds : -seconds
    }
}
