/// A contiguous buffer of plain values that grows and never shrinks.
///
/// It is an array without reference counting and uniqueness checks, for data that is filled and
/// emptied with every batch of pushes.
@safe
struct GrowingBuffer<Element: BitwiseCopyable>: ~Copyable {
    /// The address of the first element.
    private(set) var elements: UnsafeMutablePointer<Element>
    /// The number of elements for which there is memory.
    private(set) var capacity: Int
    private(set) var count = 0

    /// Bytes allocated, used or not.
    var byteCount: Int { capacity * MemoryLayout<Element>.stride }

    init(capacity: Int = 16) {
        precondition(capacity > 0, "a buffer grows to twice its capacity")
        self.capacity = capacity
        unsafe elements = .allocate(capacity: capacity)
    }

    deinit {
        unsafe elements.deallocate()
    }

    subscript(index: Int) -> Element {
        @inline(__always) unsafeAddress {
            precondition(
                UInt(bitPattern: index) < UInt(bitPattern: count),
                "element \(index) of \(count)"
            )
            return unsafe UnsafePointer(elements + index)
        }
        @inline(__always) unsafeMutableAddress {
            precondition(
                UInt(bitPattern: index) < UInt(bitPattern: count),
                "element \(index) of \(count)"
            )
            return unsafe elements + index
        }
    }

    /// Adds an element at the end; grows the memory if it is full.
    @inline(__always)
    mutating func append(_ element: Element) {
        if count == capacity { grow(to: capacity * 2) }
        unsafe (elements + count).initialize(to: element)
        count += 1
    }

    /// Counts `newElements` elements that were written to the memory after the last one.
    @unsafe @inline(__always)
    mutating func claim(_ newElements: Int) {
        precondition(newElements >= 0 && newElements <= capacity - count, "there is no memory")
        count += newElements
    }

    /// Removes the elements from `newCount` on; their memory is kept.
    @inline(__always)
    mutating func truncate(to newCount: Int) {
        precondition(newCount >= 0 && newCount <= count, "\(newCount) of \(count) elements")
        count = newCount
    }

    /// Appends copies of an element until there are `newCount` elements; does nothing if there are
    /// as many already.
    mutating func extend(to newCount: Int, filling element: Element) {
        while count < newCount { append(element) }
    }

    /// Moves the elements to larger memory.
    @inline(never)
    mutating func grow(to newCapacity: Int) {
        precondition(newCapacity >= count, "\(count) elements do not fit")
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: newCapacity)
        unsafe larger.moveInitialize(from: elements, count: count)
        unsafe elements.deallocate()
        unsafe elements = unsafe larger
        capacity = newCapacity
    }

    /// Sorts the elements from `first` on in place; not stable.
    ///
    /// A heap sort, because the standard library's sort may allocate. For many elements the other
    /// `sort` is faster.
    @inline(__always)
    mutating func sort(from first: Int, by isBefore: (Element, Element) -> Bool) {
        assert(first >= 0 && first <= count, "sorts from \(first) of \(count)")
        let length = count - first
        if length < 2 { return }
        var root = length / 2
        while root > 0 {
            root -= 1
            siftDown(root, end: length, offset: first, by: isBefore)
        }
        var end = length - 1
        while end > 0 {
            swapAt(first, with: first + end)
            siftDown(0, end: end, offset: first, by: isBefore)
            end -= 1
        }
    }

    /// Restores the heap below the element at `start`. The heap begins at index `first` and has
    /// `end` elements; `start` counts from `first`, too.
    @inline(__always)
    private mutating func siftDown(
        _ start: Int,
        end: Int,
        offset first: Int,
        by isBefore: (Element, Element) -> Bool
    ) {
        assert(first + end <= count, "the heap is within the buffer")
        var root = start
        while root * 2 + 1 < end {
            var child = root * 2 + 1
            if child + 1 < end && isBefore(self[first + child], self[first + child + 1]) {
                child += 1
            }
            if !isBefore(self[first + root], self[first + child]) { return }
            swapAt(first + root, with: first + child)
            root = child
        }
    }

    /// Exchanges two elements.
    @inline(__always)
    private mutating func swapAt(_ left: Int, with right: Int) {
        let element = self[left]
        self[left] = self[right]
        self[right] = element
    }
}

extension GrowingBuffer {
    /// Sorts the elements from `first` on; stable.
    ///
    /// Merges sorted runs bottom up: elements that are sorted already cost one pass.
    ///
    /// - Parameters:
    ///   - first: index of the first element to sort.
    ///   - workspace: working memory, which the caller keeps; it grows to the number of elements
    ///     that are sorted.
    ///   - isBefore: the order.
    @inline(__always)
    mutating func sort(
        from first: Int,
        workspace: inout GrowingBuffer,
        by isBefore: (Element, Element) -> Bool
    ) {
        assert(first >= 0 && first <= count, "sorts from \(first) of \(count)")
        if count - first < 2 { return }
        insertInRuns(from: first, by: isBefore)
        if count - first <= Self.runLength { return }
        if workspace.capacity < count - first {
            workspace.grow(to: max(count - first, workspace.capacity * 2))
        }
        var length = Self.runLength
        while length < count - first {
            var start = first
            while start + length < count {
                merge(
                    from: start,
                    middle: start + length,
                    to: min(start + 2 * length, count),
                    workspace: &workspace,
                    by: isBefore
                )
                start += 2 * length
            }
            length *= 2
        }
    }

    /// Length of the runs that are sorted by insertion before they are merged.
    private static var runLength: Int { 8 }

    /// Sorts each run of `runLength` elements by insertion.
    @inline(__always)
    private mutating func insertInRuns(
        from first: Int,
        by isBefore: (Element, Element) -> Bool
    ) {
        for index in first + 1..<count {
            let start = index - (index - first) % Self.runLength
            if index == start || !isBefore(self[index], self[index - 1]) { continue }
            let element = self[index]
            var position = index
            repeat {
                self[position] = self[position - 1]
                position -= 1
            } while position > start && isBefore(element, self[position - 1])
            self[position] = element
        }
    }

    /// Merges the sorted runs `start..<middle` and `middle..<end`; `workspace` holds the first run
    /// meanwhile.
    @inline(__always)
    private mutating func merge(
        from start: Int,
        middle: Int,
        to end: Int,
        workspace: inout GrowingBuffer,
        by isBefore: (Element, Element) -> Bool
    ) {
        assert(start < middle && middle < end && end <= count, "merges two runs")
        assert(workspace.capacity >= middle - start, "the first run fits into the working memory")
        if !isBefore(self[middle], self[middle - 1]) { return }
        let length = middle - start
        precondition(length <= workspace.capacity, "there is no memory for a run")
        unsafe workspace.elements.update(from: elements + start, count: length)
        workspace.count = length
        var left = 0
        var right = middle
        var position = start
        while left < length {
            if right < end && isBefore(self[right], workspace[left]) {
                self[position] = self[right]
                right += 1
            } else {
                self[position] = workspace[left]
                left += 1
            }
            position += 1
        }
    }
}
