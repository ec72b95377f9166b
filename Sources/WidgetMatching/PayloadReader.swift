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
        var firstField: Int
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
    private var numbers = ScratchBytes()
    private var levels = GrowingBuffer<Level>(capacity: 64)
    /// What the member whose value comes next is a value of.
    private var current = Vocabulary.none
    private var app: AppID = 0
    private var firstField = 0
    private var firstKind = 0
    private var firstNumber = ScratchMark()
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

    mutating func begin(_ app: AppID) {
        self.app = app
        firstField = fields.count
        firstKind = kinds.count
        firstNumber = numbers.mark
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
        numbers.reset(to: firstNumber)
    }

    /// Adds the payload that was read to the batch.
    ///
    /// - Returns: false, with nothing added, if its `kinds` is not a list of strings.
    mutating func finish(_ tag: UInt32) -> Bool {
        if hasBadKinds {
            abandon()
            return false
        }
        if hasLists { removeRepeats() }
        let push = UInt8(pushes.count)
        for index in firstKind..<kinds.count where isFirst(kinds[index], before: index) {
            let nothing = unsafe ByteView(base: UnsafeRawPointer(bitPattern: 8)!, count: 0)
            fields.append(
                FieldValue(
                    Vocabulary.byName(kinds[index]),
                    .name,
                    nothing,
                    push: push,
                    hash: hash
                )
            )
        }
        pushes.append(
            Push(
                firstField: firstField,
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
        numbers.reset(to: ScratchMark())
    }

    private func isFirst(_ kind: KindID, before index: Int) -> Bool {
        for earlier in firstKind..<index where kinds[earlier] == kind { return false }
        return true
    }

    /// Keeps one of values that stand several times in a list, so that a widget that waits for one
    /// is found once.
    ///
    /// Sorted first, because a list may have thousands.
    private mutating func removeRepeats() {
        let count = fields.count - firstField
        if count < 2 { return }
        var all = unsafe UnsafeMutableBufferPointer(
            start: fields.elements + firstField,
            count: count
        )
        unsafe all.sort { left, right in
            left.attribute != right.attribute
                ? left.attribute < right.attribute : left.hash < right.hash
        }
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
        // A rule may look at the list of kinds like at any other field.
        if expectsKinds { addKind(value) }
        let attribute = valueAttribute
        if attribute != Vocabulary.none { add(attribute, .string, value) }
    }

    mutating func number(_ text: ByteView) {
        if expectsKinds { return refuseKinds() }
        let attribute = valueAttribute
        if attribute == Vocabulary.none || !vocabulary.isUsed(attribute) { return }
        let room = unsafe numbers.room(text.count + 16)
        let count = unsafe CanonicalNumber.write(text, into: room)
        numbers.keep(count)
        add(attribute, .number, unsafe ByteView(base: room, count: count))
    }

    mutating func literal(_ literal: JSONLiteral) {
        if expectsKinds { return refuseKinds() }
        let attribute = valueAttribute
        if attribute == Vocabulary.none { return }
        let nothing = unsafe ByteView(base: UnsafeRawPointer(bitPattern: 8)!, count: 0)
        switch literal {
        case .true: add(attribute, .true, nothing)
        case .false: add(attribute, .false, nothing)
        case .null: add(attribute, .null, nothing)
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
        if !vocabulary.isUsed(attribute) { return }
        fields.append(
            FieldValue(attribute, tag, bytes, push: UInt8(pushes.count), hash: hash)
        )
    }

    private mutating func addKind(_ value: ByteView) {
        // A string is a kind only within the list.
        guard levels.count == 2 && levels[1].isArray else { return refuseKinds() }
        let name = vocabulary.names.find(value)
        if name == NameTable.none { return }
        if let kind = vocabulary.kind(app, name) { kinds.append(kind) }
    }

    private mutating func refuseKinds() {
        hasBadKinds = true
        if levels.count == 1 { expectsKinds = false }
    }
}
