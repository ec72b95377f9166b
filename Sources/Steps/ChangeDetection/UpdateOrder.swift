internal import Basics
internal import EventPatterns

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
        withCanonicalNumber(text) { number in
            DecimalOrder.isInteger(number)
                ? UpdateOrder(.whole, bits: UInt64(bitPattern: DecimalOrder.integer(number)))
                : UpdateOrder(.decimal, bits: DecimalOrder.key(number))
        }
    }

    /// Nanoseconds from 1970 to a date of RFC 3339 between 1700 and 2200; nil for any other text.
    private static func date(_ text: ByteView) -> Int64? {
        var reader = DateReader(Bytes(view: text))
        guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2),
            reader.skip("-"), let day = reader.number(2),
            reader.skip("T") || reader.skip("t") || reader.skip(" "),
            let hour = reader.number(2), reader.skip(":"), let minute = reader.number(2),
            (1_700...2_200).contains(year), (1...12).contains(month), (1...31).contains(day),
            hour < 24, minute < 60
        else { return nil }
        let days = WallTime.days(year, month: month, day: day)
        // Day 31 of a month with 30 days would be the next month's first.
        guard WallTime.date(ofDay: days) == (year, month, day) else { return nil }
        var seconds = days * 86_400 + hour * 3_600 + minute * 60
        var nanoseconds: Int64 = 0
        if reader.skip(":") {
            // 60 is a leap second.
            guard let second = reader.number(2), second <= 60 else { return nil }
            seconds += second
            if reader.skip(".") {
                guard let fraction = reader.fraction(places: 9) else { return nil }
                reader.skipDigits()
                nanoseconds = fraction
            }
        }
        guard let offset = reader.skip("z") ? 0 : reader.offset(), reader.isAtEnd else {
            return nil
        }
        return (seconds - offset) * 1_000_000_000 + nanoseconds
    }
}

/// A view of bytes as a collection.
private struct Bytes: RandomAccessCollection {
    let view: ByteView

    var startIndex: Int { 0 }
    var endIndex: Int { view.count }
    subscript(position: Int) -> UInt8 { view[position] }
}
