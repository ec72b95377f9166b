/// A first-in-first-out queue.
///
///     ┌ taken ┬ waiting ──────────┐
///     0       head                elements.count
///
/// Removing the first element only advances `head`. The removed part is dropped once it is the
/// larger one, so that adding and removing take constant time on average, however long the queue
/// is. The queue has no limit of its own; its owner must enforce one.
@usableFromInline
package struct FIFO<Element> {
    @usableFromInline var elements: ContiguousArray<Element?> = []
    @usableFromInline var head = 0

    /// An empty queue.
    @inlinable
    package init() {}

    /// Elements that have not been removed.
    @inlinable package var count: Int { elements.count - head }
    /// Whether all elements have been removed.
    @inlinable package var isEmpty: Bool { count == 0 }

    /// The element at a distance from the front; the distance must be below `count`.
    @inlinable
    package subscript(offset: Int) -> Element {
        get { elements[head + offset]! }
        _modify { yield &elements[head + offset]! }
    }

    /// Adds an element at the end.
    @inlinable
    package mutating func append(_ element: Element) { elements.append(element) }

    /// Removes and returns the front element; nil if the queue is empty.
    @inlinable
    package mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        assert(elements[head] != nil, "a waiting element is missing")
        let element = elements[head].take()
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: true)
            head = 0
        } else if head > 256 && head * 2 > elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }

    /// Removes and returns all elements.
    package mutating func removeAll() -> [Element] {
        defer { self = FIFO() }
        return elements[head...].compactMap { $0 }
    }

    /// Removes and returns the first element for which `isWanted` holds, wherever it is; nil if
    /// there is none. O(n).
    package mutating func remove(where isWanted: (Element) -> Bool) -> Element? {
        guard let index = elements[head...].firstIndex(where: { $0.map(isWanted) ?? false }) else {
            return nil
        }
        return elements.remove(at: index)
    }

    /// Checks that the elements before `head` have been removed, and those from there on have not.
    package func checkInvariants() throws(InvariantViolation) {
        try checkInvariant(
            head <= elements.count,
            otherwise: "\(head) of \(elements.count) elements are removed"
        )
        for (index, element) in elements.enumerated() {
            try checkInvariant(
                (element == nil) == (index < head),
                otherwise: "element \(index) is \(element == nil ? "missing" : "still there"), "
                    + "and the first \(head) are removed"
            )
        }
    }
}

extension FIFO: Sendable where Element: Sendable {}
