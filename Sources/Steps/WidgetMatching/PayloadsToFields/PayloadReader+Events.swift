internal import Basics

/// Handles the scanner's events, which come in the order of the payload's text. `target` and
/// `filter` always describe the position that the scan has reached.
extension PayloadReader: JSONVisitor {
    /// Begins a member: finds the attribute that its name leads to.
    mutating func key(_ key: ByteView) {
        assert(levels.count > 0 && !levels[levels.count - 1].isArray, "a member of no object")
        target = .none
        let name = MemberName(key)
        // Most member names of a push are unknown to all rules: the filter stops them here.
        if filter & name.filterBit != 0 { findTarget(name) }
    }

    /// Finds the attribute for a member name.
    private mutating func findTarget(_ name: MemberName) {
        target = vocabulary.attribute(below: levels[levels.count - 1].attribute, named: name).orNone
        if target != .none { sightings.note(target) }
    }

    /// Collects a string.
    mutating func string(_ value: ByteView) {
        if target == .none || !vocabulary.isUsed(target) { return }
        if value.count > Self.freeTextBytes && vocabulary.hasTextTests(target) {
            traits.longTextByteCount += value.count - Self.freeTextBytes
        }
        add(.string, bytes: kept(value))
    }

    /// Collects a number in canonical form.
    mutating func number(_ text: ByteView) {
        if target == .none || !vocabulary.isUsed(target) { return }
        let memory = unsafe batch.scratch.reserve(text.count + 16)
        let count = unsafe CanonicalNumber.write(text, into: memory)
        batch.scratch.keep(count)
        add(.number, bytes: unsafe ByteView(base: memory, count: count))
    }

    /// Collects true, false or null.
    mutating func literal(_ literal: JSONLiteral) {
        if target == .none || !vocabulary.isUsed(target) { return }
        switch literal {
        case .true: add(.true, bytes: .empty)
        case .false: add(.false, bytes: .empty)
        case .null: add(.null, bytes: .empty)
        }
    }

    /// Opens an object: the payload itself, a member's value or a list element.
    mutating func beginObject() {
        if levels.count == 0 {
            filter = vocabulary.filter(below: .root(app))
            levels.append(
                Level(attribute: .root(app), filter: filter, context: .none, isArray: false)
            )
            return
        }
        let outer = levels[levels.count - 1]
        var level = Level(attribute: .none, context: outer.context, isArray: false)
        if target != .none { enter(&level, from: outer) }
        levels.append(level)
        filter = level.filter
        target = .none
    }

    /// Enters the object at `target`, an attribute of rules: they test whether it is present, or
    /// test members of the object.
    private mutating func enter(_ level: inout Level, from outer: Level) {
        assert(!target.isRoot, "an object that no rule considers")
        if !outer.isArray { addContainer() }
        level.filter = vocabulary.filter(below: target)
        if level.filter == 0 { return }
        level.attribute = target
        if !outer.isArray { return }
        let number = ContextNumber(count: batch.contexts.count - start.context + 1)
        batch.contexts.append(
            PushBatch.Context(attribute: target, parent: outer.context, last: number)
        )
        level.context = number
        level.isElement = true
    }

    /// Closes an object; if it is a list element, records which elements of other lists were inside
    /// it.
    mutating func endObject() {
        let level = levels[levels.count - 1]
        assert(!level.isArray, "an array ends as an object")
        if level.isElement {
            batch.contexts[start.context + level.context.index].last = ContextNumber(
                count: batch.contexts.count - start.context
            )
        }
        leave()
    }

    /// Opens an array.
    mutating func beginArray() {
        assert(levels.count > 0, "the payload is an array")
        let outer = levels[levels.count - 1]
        if target != .none {
            traits.hasLists = true
            // The elements of an array within an array are elements of the outer one.
            if !outer.isArray { addContainer() }
        }
        filter = 0
        levels.append(Level(attribute: target, context: outer.context, isArray: true))
    }

    /// Closes an array.
    mutating func endArray() {
        assert(levels[levels.count - 1].isArray, "an object ends as an array")
        leave()
    }

    /// Closes the innermost container and returns to the one around it.
    private mutating func leave() {
        assert(levels.count > 0, "a container ends that has not begun")
        levels.truncate(to: levels.count - 1)
        if levels.count == 0 { return }
        let outer = levels[levels.count - 1]
        filter = outer.filter
        target = outer.isArray ? outer.attribute : .none
    }

    // MARK: - Values

    /// Collects a value of the target attribute.
    private mutating func add(_ tag: ValueTag, bytes: ByteView) {
        assert(!target.isRoot, "a value of no attribute")
        assert(tag != .list && tag != .layout, "a value that a payload cannot have")
        batch.fields.append(
            FieldValue(
                attribute: target,
                context: levels[levels.count - 1].context,
                value: TypedValue(tag: tag, bytes: bytes),
                hash: hash(tag, bytes: bytes)
            )
        )
    }

    /// Records that the target attribute is present, with an object or a list instead of a value.
    private mutating func addContainer() {
        if vocabulary.isUsed(target) { add(.container, bytes: .empty) }
    }

    /// The text itself, if it lies in the payload; otherwise a copy, because it was decoded into
    /// the scanner's memory, which is reused after the scan.
    @inline(__always)
    private mutating func kept(_ text: ByteView) -> ByteView {
        let offset = unsafe text.address - payload.address
        if offset >= 0 && offset < payload.count { return text }
        let memory = unsafe batch.scratch.reserve(text.count)
        unsafe text.copy(to: memory)
        batch.scratch.keep(text.count)
        return unsafe ByteView(base: memory, count: text.count)
    }
}
