internal import Basics
internal import EventPatterns

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

    deinit { unsafe elements.deallocate() }

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

    /// Removes all elements; their memory is kept.
    @inline(__always)
    mutating func removeAll() { count = 0 }

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

    /// Keeps the first of equal neighbours among the elements from `first` on.
    @inline(__always)
    mutating func dropRepeats(from first: Int, where isEqual: (Element, Element) -> Bool) {
        if count - first < 2 { return }
        var kept = first + 1
        for index in first + 1..<count where !isEqual(self[index], self[kept - 1]) {
            self[kept] = self[index]
            kept += 1
        }
        truncate(to: kept)
    }

    /// The first index of a range for which `isBefore` is false; it must be true before that, and
    /// false after it.
    @inline(__always)
    func firstIndex(in range: Range<Int>, where isBefore: (Element) -> Bool) -> Int {
        var low = range.lowerBound
        var high = range.upperBound
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Sorts the elements in place; not stable.
    ///
    /// It may allocate memory, if there are 64 elements or more: what pushes bring is sorted with
    /// a workspace instead.
    mutating func sort(by isBefore: (Element, Element) -> Bool) {
        var all = unsafe UnsafeMutableBufferPointer(start: elements, count: count)
        unsafe all.sort(by: isBefore)
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
    private mutating func insertInRuns(from first: Int, by isBefore: (Element, Element) -> Bool) {
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

extension GrowingBuffer where Element == UInt8 {
    /// A text with its case folded, which replaces what the buffer has; valid until it changes.
    mutating func fold(_ text: ByteView) -> ByteView {
        reserve(CaseFolding.capacity(text.count))
        let count = unsafe CaseFolding.fold(text, into: elements)
        return unsafe ByteView(base: elements, count: count)
    }

    mutating func append(_ view: ByteView) {
        reserve(count + view.count)
        unsafe view.copy(to: elements + count)
        unsafe claim(view.count)
    }
}

extension GrowingBuffer {
    /// Grows the memory to at least `newCount` elements.
    @inline(__always)
    mutating func reserve(_ newCount: Int) {
        if newCount > capacity { grow(to: max(newCount, capacity * 2)) }
    }
}
