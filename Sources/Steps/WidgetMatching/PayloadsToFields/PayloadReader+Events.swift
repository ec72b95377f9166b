internal import Basics

/// Handles the scanner's events, which come in the order of the payload's text. `target` and
/// `level` always describe the position that the scan has reached.
extension PayloadReader: JSONVisitor {
    /// Begins a member: finds the attribute that its name leads to.
    @inline(__always)
    mutating func key(_ key: ByteView) {
        assert(levels.count > 0 && !level.isArray, "a member of no object")
        target = .none
        let name = MemberName(key)
        // Most member names of a push are unknown to all rules: the filter stops them here.
        if level.filter & name.filterBit != 0 { findTarget(name) }
    }

    /// Finds the attribute for a member name.
    @inline(never)
    private mutating func findTarget(_ name: MemberName) {
        target = vocabulary.attribute(below: level.attribute, named: name).orNone
        if target != .none { sightings.note(target) }
    }

    /// Collects a string.
    @inline(__always)
    mutating func string(_ value: ByteView) {
        if target != .none { addString(value) }
    }

    /// Collects a string of the target attribute.
    @inline(never)
    private mutating func addString(_ value: ByteView) {
        if !vocabulary.isUsed(target) { return }
        if value.count > Self.freeTextBytes { weigh(value.count - Self.freeTextBytes) }
        let offset = unsafe value.address - payload.address
        if offset >= 0 && offset < payload.count {
            add(.string, offset: offset, bytes: value)
        } else {
            // It was decoded into the scanner's memory, which is reused after the scan.
            let start = rewritten.count
            rewritten.append(value)
            add(.string, offset: payload.count + start, bytes: value)
        }
    }

    /// Adds the cost of a long text of the target attribute, of which `count` bytes are not free.
    @inline(never)
    private mutating func weigh(_ count: Int) {
        if vocabulary[target].textTests == 0 { return }
        traits.longTextByteCount += count
        traits.ruleTextByteCount += count * Int(vocabulary[target].ruleTests)
    }

    /// Collects a number in canonical form.
    @inline(__always)
    mutating func number(_ text: ByteView) {
        if target != .none { addNumber(text) }
    }

    /// Collects a number of the target attribute.
    @inline(never)
    private mutating func addNumber(_ text: ByteView) {
        if !vocabulary.isUsed(target) { return }
        let start = rewritten.count
        rewritten.reserve(start + text.count + 16)
        let memory = unsafe UnsafeMutableRawPointer(rewritten.elements + start)
        let count = unsafe CanonicalNumber.write(text, into: memory)
        unsafe rewritten.claim(count)
        let bytes = unsafe ByteView(base: memory, count: count)
        add(.number, offset: payload.count + start, bytes: bytes)
    }

    /// Collects true, false or null.
    mutating func literal(_ literal: JSONLiteral) {
        if target == .none || !vocabulary.isUsed(target) { return }
        switch literal {
        case .true: add(.true, offset: 0, bytes: .empty)
        case .false: add(.false, offset: 0, bytes: .empty)
        case .null: add(.null, offset: 0, bytes: .empty)
        }
    }

    /// Opens an object: the payload itself, a member's value or a list element.
    mutating func beginObject() {
        if levels.count == 0 { return enterRoot() }
        var inner = Level(attribute: .none, context: level.context, isArray: false)
        if target != .none { enter(&inner) }
        enter(inner)
        target = .none
    }

    /// Enters the payload itself.
    @inline(__always)
    private mutating func enterRoot() {
        let root = vocabulary.app(app)
        groups = root.spaces.first
        // Not `level`, which would be read right after parts of it were written in other sizes: the
        // processor waits for that.
        levels.append(.none)
        level = Level(
            attribute: .root(app),
            filter: root.filter,
            context: .none,
            isArray: false
        )
    }

    /// Enters the object at `target`, an attribute of rules: they test whether it is present, or
    /// test members of the object.
    private mutating func enter(_ inner: inout Level) {
        assert(!target.isRoot, "an object that no rule considers")
        if !level.isArray { addContainer() }
        inner.filter = vocabulary[target].filter
        if inner.filter == 0 { return }
        inner.attribute = target
        if !level.isArray { return }
        let number = ContextNumber(count: contexts.count + 1)
        contexts.append(ScannedContext(attribute: target, parent: level.context, last: number))
        inner.context = number
        inner.isElement = true
    }

    /// Closes an object; if it is a list element, records which elements of other lists were inside
    /// it.
    mutating func endObject() {
        assert(!level.isArray, "an array ends as an object")
        if level.isElement {
            contexts[level.context.index].last = ContextNumber(count: contexts.count)
        }
        leave()
    }

    /// Opens an array.
    mutating func beginArray() {
        precondition(levels.count > 0, "the payload is an array")
        if target != .none {
            traits.hasLists = true
            // The elements of an array within an array are elements of the outer one.
            if !level.isArray { addContainer() }
        }
        enter(Level(attribute: target, context: level.context, isArray: true))
    }

    /// Closes an array.
    mutating func endArray() {
        assert(level.isArray, "an object ends as an array")
        leave()
    }

    /// Makes a container the innermost one.
    @inline(__always)
    private mutating func enter(_ inner: Level) {
        levels.append(level)
        level = inner
    }

    /// Closes the innermost container and returns to the one around it.
    @inline(__always)
    private mutating func leave() {
        precondition(levels.count > 0, "a container ends that has not begun")
        level = levels[levels.count - 1]
        levels.truncate(to: levels.count - 1)
        target = level.isArray ? level.attribute : .none
    }
}
