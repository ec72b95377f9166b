/// A queue: appended to at its end, taken from at its front.
///
///     ┌ taken ┬ waiting ──────────┐
///     0       head                elements.count
///
/// Taking moves `head`; the taken part is dropped once it is the larger one, so that both cost the
/// same on average however long the queue is. It has no limit of its own: its owner has.
struct FIFO<Element: Sendable>: Sendable {
    private var elements: [Element?] = []
    private var head = 0

    var count: Int { elements.count - head }
    var isEmpty: Bool { count == 0 }

    /// The element at a distance from the front.
    subscript(offset: Int) -> Element {
        get { elements[head + offset]! }
        _modify { yield &elements[head + offset]! }
    }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    /// Takes the front element, if there is one.
    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        let element = elements[head]
        elements[head] = nil
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

    /// Takes everything.
    mutating func removeAll() -> [Element] {
        defer { self = FIFO() }
        return elements[head...].compactMap { $0 }
    }

    /// Takes the first element for which `isWanted` holds, wherever it stands.
    mutating func remove(where isWanted: (Element) -> Bool) -> Element? {
        guard let index = elements[head...].firstIndex(where: { $0.map(isWanted) ?? false }) else {
            return nil
        }
        return elements.remove(at: index)
    }
}
