/// An array whose elements are found by a `TableNumber`, such as `AppID`, instead of an index.
///
/// It has one element for each number from 0 on, and gives the next number to an element that is
/// appended.
@frozen @usableFromInline
package struct NumberedArray<ID: TableNumber, Element> {
    /// The elements, in the order of their numbers.
    @usableFromInline package var elements: ContiguousArray<Element>

    /// An array without elements.
    @inlinable
    package init() { elements = [] }

    /// An array in which the first `count` numbers have the same element.
    @inlinable
    package init(repeating element: Element, count: Int) {
        elements = ContiguousArray(repeating: element, count: count)
    }

    /// How many numbers have an element; the number of the element that is appended next.
    @inlinable @inline(__always)
    package var count: Int { elements.count }

    /// Whether there are no elements.
    @inlinable package var isEmpty: Bool { elements.isEmpty }

    /// The numbers that have an element.
    @inlinable package var ids: NumberRange<ID> { NumberRange(count: count) }

    /// Whether a number has an element.
    @inlinable @inline(__always)
    package func has(_ id: ID) -> Bool { id.index < elements.count }

    /// The element of a number; traps if it has none.
    @inlinable
    package subscript(id: ID) -> Element {
        @inline(__always) _read { yield elements[id.index] }
        @inline(__always) _modify { yield &elements[id.index] }
    }

    /// The element of a number, or the default if it has none. A change appends defaults up to the
    /// number first.
    @inlinable
    package subscript(id: ID, default element: @autoclosure () -> Element) -> Element {
        @inline(__always) get { has(id) ? elements[id.index] : element() }
        @inline(__always) _modify {
            while !has(id) { elements.append(element()) }
            yield &elements[id.index]
        }
    }

    /// Appends an element, and returns its number.
    @inlinable @discardableResult
    package mutating func append(_ element: Element) -> ID {
        let id = ID(index: count)
        elements.append(element)
        return id
    }

    /// Appends the same element until `count` numbers have one.
    @inlinable
    package mutating func grow(to count: Int, repeating element: Element) {
        while elements.count < count { elements.append(element) }
    }
}

extension NumberedArray: Sendable where Element: Sendable {}

/// Numbers of a table that follow each other.
@frozen @usableFromInline
package struct NumberRange<ID: TableNumber>: RandomAccessCollection, Sendable {
    /// The first number, bare.
    @usableFromInline package let startIndex: Int
    /// One above the last number.
    @usableFromInline package let endIndex: Int

    /// The numbers from 0 to `count - 1`.
    @inlinable @inline(__always)
    package init(count: Int) {
        startIndex = 0
        endIndex = count
    }

    /// The numbers from `start` to `end - 1`.
    @inlinable
    package init(from start: Int, to end: Int) {
        precondition(0 <= start && start <= end, "the range ends before it starts")
        startIndex = start
        endIndex = end
    }

    /// The part of this range that is below `end`.
    @inlinable
    package func clamped(to end: UInt32) -> NumberRange {
        let end = Swift.min(endIndex, Int(end))
        return NumberRange(from: Swift.min(startIndex, end), to: end)
    }

    /// The number at a position, which is its index.
    @inlinable @inline(__always)
    package subscript(position: Int) -> ID { ID(index: position) }
}
