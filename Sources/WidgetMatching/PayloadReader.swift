internal import ByteStorage
internal import ReloadModel
internal import StrictJSON

/// Picks the values that some rule looks at out of the payloads of a batch, as they are scanned.
///
/// It follows the vocabulary's tree of attributes down into the payload, one member name at a time;
/// what no rule names is passed over. Values stay where they are; only numbers are rewritten in
/// canonical form, into scratch.
@safe
struct PayloadReader: ~Copyable, JSONVisitor {
    /// A container that is open.
    struct Level: BitwiseCopyable {
        /// Of an object: what its members lie below.
        ///
        /// Of an array: what its elements are values of.
        var attribute: AttributeID
        var isArray: Bool
    }

    /// A payload in the batch.
    struct Push: BitwiseCopyable {
        /// From 1, and never given twice.
        var number: UInt64
        /// The fields, in order if there are many, and behind them one for each kind that is named.
        var firstField: Int
        var endOfValues: Int
        var endField: Int
        var firstKind: Int
        var endKind: Int
        /// Whether the payload's `kinds` narrows the push.
        var isNarrowed: Bool
        var tag: UInt32
    }

    var vocabulary: Vocabulary
    let hash: ValueHash
    var fields = GrowingBuffer<FieldValue>(capacity: 256)
    var kinds = GrowingBuffer<KindID>(capacity: 64)
    var pushes = GrowingBuffer<Push>(capacity: 64)
    /// Canonical numbers and decoded texts.
    private var scratch = ScratchBytes()
    private var levels = GrowingBuffer<Level>(capacity: 64)
    /// What the member whose value comes next is a value of.
    private var current = Vocabulary.none
    private var payload = ByteView.empty
    private var mark = ScratchMark()
    private var pushNumber: UInt64 = 0
    private var app: AppID = 0
    private var firstField = 0
    private var firstKind = 0
    private var isNarrowed = false
    /// Whether the value that comes next, or the elements of the array that is open, are kinds.
    private var expectsKinds = false
    private var hasBadKinds = false
    private var hasLists = false

    init(seed: UInt64) {
        vocabulary = Vocabulary(seed: seed)
        hash = ValueHash(seed: seed)
    }

    // MARK: - Payloads

    mutating func begin(_ app: AppID, _ payload: ByteView) {
        self.app = app
        self.payload = payload
        mark = scratch.mark
        firstField = fields.count
        firstKind = kinds.count
        isNarrowed = false
        expectsKinds = false
        hasBadKinds = false
        hasLists = false
        levels.truncate(to: 0)
        current = Vocabulary.none
    }

    /// Forgets what has been read of a payload that is refused.
    mutating func abandon() {
        fields.truncate(to: firstField)
        kinds.truncate(to: firstKind)
        scratch.reset(to: mark)
    }

    /// Adds the payload that was read to the batch.
    ///
    /// - Returns: false, with nothing added, if its `kinds` is not a list of strings.
    mutating func finish(_ tag: UInt32) -> Bool {
        if hasBadKinds {
            abandon()
            return false
        }
        if hasLists || fields.count - firstField > Self.linearLimit { orderFields() }
        let endOfValues = fields.count
        let push = UInt8(pushes.count)
        for index in firstKind..<kinds.count {
            fields.append(
                FieldValue(
                    Vocabulary.byName(kinds[index]),
                    .name,
                    .empty,
                    push: push,
                    hash: hash
                )
            )
        }
        pushNumber += 1
        pushes.append(
            Push(
                number: pushNumber,
                firstField: firstField,
                endOfValues: endOfValues,
                endField: fields.count,
                firstKind: firstKind,
                endKind: kinds.count,
                isNarrowed: isNarrowed,
                tag: tag
            )
        )
        return true
    }

    /// Empties the batch.
    mutating func reset() {
        fields.truncate(to: 0)
        kinds.truncate(to: 0)
        pushes.truncate(to: 0)
        scratch.reset(to: ScratchMark())
    }

    /// Bytes held from the system, used or not.
    var byteCount: Int {
        vocabulary.byteCount + fields.byteCount + kinds.byteCount + pushes.byteCount
            + scratch.byteCount + levels.byteCount
    }

    // MARK: - What a push has

    /// Up to so many fields are compared one by one; more are in order and searched.
    private static var linearLimit: Int { 8 }

    /// Whether the push has the value at the attribute.
    @inline(__always)
    func has(_ attribute: AttributeID, _ value: TypedValue, _ push: Push) -> Bool {
        if push.endOfValues - push.firstField > Self.linearLimit {
            return hasAmongMany(FieldValue(attribute, value.tag, value.bytes, hash: hash), push)
        }
        for index in push.firstField..<push.endOfValues
        where fields[index].attribute == attribute && fields[index].tag == value.tag {
            if fields[index].bytes == value.bytes { return true }
        }
        return false
    }

    private func hasAmongMany(_ wanted: FieldValue, _ push: Push) -> Bool {
        var low = push.firstField
        var high = push.endOfValues
        while low < high {
            let middle = (low + high) / 2
            if fields[middle].isOrdered(before: wanted) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        while low < push.endOfValues && fields[low].hash == wanted.hash {
            if fields[low].isEqual(to: wanted) { return true }
            low += 1
        }
        return false
    }

    /// Orders the fields, and keeps one of values that stand several times in a list.
    ///
    /// So a widget that waits for one is found once. A list may have thousands.
    private mutating func orderFields() {
        let count = fields.count - firstField
        if count < 2 { return }
        var all = unsafe UnsafeMutableBufferPointer(
            start: fields.elements + firstField,
            count: count
        )
        unsafe all.sort { $0.isOrdered(before: $1) }
        var kept = firstField + 1
        for index in firstField + 1..<fields.count {
            // Among equal hashes all are looked at, in case different values share one.
            var earlier = kept - 1
            var isRepeat = false
            while earlier >= firstField && fields[earlier].hash == fields[index].hash {
                if fields[earlier].isEqual(to: fields[index]) { isRepeat = true }
                earlier -= 1
            }
            if !isRepeat {
                fields[kept] = fields[index]
                kept += 1
            }
        }
        fields.truncate(to: kept)
    }

    // MARK: - The scanner's events

    mutating func key(_ key: ByteView) {
        if expectsKinds { hasBadKinds = true }
        let level = levels[levels.count - 1]
        current = Vocabulary.none
        if level.attribute == Vocabulary.none { return }
        let name = vocabulary.names.find(key)
        if name == NameTable.none { return }
        if levels.count == 1 && name == vocabulary.kindsName {
            expectsKinds = true
            isNarrowed = true
        }
        current = vocabulary.attribute(below: level.attribute, name)
    }

    mutating func string(_ value: ByteView) {
        if expectsKinds { addKind(value) }
        let attribute = valueAttribute
        if attribute == Vocabulary.none || !vocabulary.isUsed(attribute) { return }
        add(attribute, .string, kept(value))
    }

    mutating func number(_ text: ByteView) {
        if expectsKinds { return refuseKinds() }
        let attribute = valueAttribute
        if attribute == Vocabulary.none || !vocabulary.isUsed(attribute) { return }
        let room = unsafe scratch.room(text.count + 16)
        let count = unsafe CanonicalNumber.write(text, into: room)
        scratch.keep(count)
        add(attribute, .number, unsafe ByteView(base: room, count: count))
    }

    mutating func literal(_ literal: JSONLiteral) {
        if expectsKinds { return refuseKinds() }
        let attribute = valueAttribute
        if attribute == Vocabulary.none || !vocabulary.isUsed(attribute) { return }
        switch literal {
        case .true: add(attribute, .true, .empty)
        case .false: add(attribute, .false, .empty)
        case .null: add(attribute, .null, .empty)
        }
    }

    mutating func beginObject() {
        if levels.count == 0 {
            levels.append(Level(attribute: Vocabulary.root(app), isArray: false))
            return
        }
        if expectsKinds { hasBadKinds = true }
        var attribute = valueAttribute
        if attribute != Vocabulary.none && !vocabulary.hasChildren(attribute) {
            attribute = Vocabulary.none
        }
        levels.append(Level(attribute: attribute, isArray: false))
    }

    mutating func endObject() {
        levels.truncate(to: levels.count - 1)
        if levels.count == 1 && hasBadKinds { expectsKinds = false }
    }

    mutating func beginArray() {
        if expectsKinds && levels.count > 1 { hasBadKinds = true }
        // Elements of an array within an array are nobody's values.
        let isNested = levels[levels.count - 1].isArray
        let attribute = isNested ? Vocabulary.none : current
        if attribute != Vocabulary.none { hasLists = true }
        levels.append(Level(attribute: attribute, isArray: true))
    }

    mutating func endArray() {
        levels.truncate(to: levels.count - 1)
        if levels.count == 1 { expectsKinds = false }
    }

    // MARK: - Values

    /// What the value that comes now is a value of.
    private var valueAttribute: AttributeID {
        let level = levels[levels.count - 1]
        return level.isArray ? level.attribute : current
    }

    private mutating func add(_ attribute: AttributeID, _ tag: ValueTag, _ bytes: ByteView) {
        fields.append(
            FieldValue(attribute, tag, bytes, push: UInt8(pushes.count), hash: hash)
        )
    }

    private mutating func addKind(_ value: ByteView) {
        // A string is a kind only within the list.
        guard levels.count == 2 && levels[1].isArray else { return refuseKinds() }
        let name = vocabulary.names.find(value)
        if name == NameTable.none { return }
        guard let kind = vocabulary.kind(app, name) else { return }
        // Once each, however often the list repeats it: candidates are compared with all of them.
        for index in firstKind..<kinds.count where kinds[index] == kind { return }
        kinds.append(kind)
    }

    /// The text itself, or a copy if it was decoded: the scanner's scratch ends with the scan.
    private mutating func kept(_ text: ByteView) -> ByteView {
        let offset = unsafe text.address - payload.address
        if offset >= 0 && offset < payload.count { return text }
        let room = unsafe scratch.room(text.count)
        unsafe text.copy(to: room)
        scratch.keep(text.count)
        return unsafe ByteView(base: room, count: text.count)
    }

    private mutating func refuseKinds() {
        hasBadKinds = true
        if levels.count == 1 { expectsKinds = false }
    }
}
