/// An array of plain values whose copies share memory until one of them changes.
///
///     pages ─► [ 64 elements ] [ 64 elements ] …      a copy has the same pages
///
/// A change copies the page that it is in, unless no other copy has it. So a copy is made in no
/// time, whatever the size, stays as it is, and costs what changes after it: the page, and once an
/// address for each page. Pages are freed with the last copy that has them, on whatever thread.
@safe
struct PagedArray<Element: BitwiseCopyable> {
    /// The binary logarithm of the number of elements of a page.
    private static var pageShift: Int { 6 }
    /// The bits of an index that give the position in its page.
    private static var pageMask: Int { 1 << pageShift - 1 }

    /// The memory of 64 elements.
    @safe private final class Page {
        let elements: UnsafeMutablePointer<Element>

        init(repeating element: Element) {
            unsafe elements = .allocate(capacity: 1 << PagedArray.pageShift)
            unsafe elements.initialize(repeating: element, count: 1 << PagedArray.pageShift)
        }

        init(copying other: Page) {
            unsafe elements = .allocate(capacity: 1 << PagedArray.pageShift)
            unsafe elements.initialize(from: other.elements, count: 1 << PagedArray.pageShift)
        }

        deinit { unsafe elements.deallocate() }
    }

    /// The pages, with the memory of each, by which elements are read without counting references.
    @safe private final class Directory {
        var pages: ContiguousArray<Page>
        let addresses: UnsafeMutablePointer<UnsafeMutablePointer<Element>>
        let capacity: Int

        init(_ pages: ContiguousArray<Page>, capacity: Int) {
            self.pages = pages
            self.capacity = capacity
            unsafe addresses = .allocate(capacity: capacity)
            for number in pages.indices {
                unsafe (addresses + number).initialize(to: pages[number].elements)
            }
        }

        deinit { unsafe addresses.deallocate() }

        func set(_ number: Int, to page: Page) {
            if number == pages.count { pages.append(page) } else { pages[number] = page }
            unsafe (addresses + number).initialize(to: page.elements)
        }
    }

    private var directory = Directory([], capacity: 4)
    /// Those of the directory.
    private var addresses: UnsafeMutablePointer<UnsafeMutablePointer<Element>>
    private(set) var count = 0

    /// Bytes of the pages, whether other copies have them too or not.
    var byteCount: Int {
        directory.pages.count << Self.pageShift * MemoryLayout<Element>.stride
    }

    /// An array without elements.
    init() { unsafe addresses = directory.addresses }

    /// An array of equal elements.
    init(repeating element: Element, count: Int) {
        self.init()
        extend(to: count, filling: element)
    }

    subscript(index: Int) -> Element {
        @inline(__always) unsafeAddress { unsafe address(index) }
        @inline(__always) unsafeMutableAddress {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "no element \(index)")
            ownPage(index >> Self.pageShift)
            return unsafe addresses[index >> Self.pageShift] + index & Self.pageMask
        }
    }

    /// The address of an element, valid until the array changes.
    @unsafe @inline(__always)
    func address(_ index: Int) -> UnsafePointer<Element> {
        precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "no element \(index)")
        return unsafe UnsafePointer(addresses[index >> Self.pageShift] + index & Self.pageMask)
    }

    /// Appends copies of an element until there are `newCount`; does nothing if there are as many
    /// already.
    mutating func extend(to newCount: Int, filling element: Element) {
        while count < newCount {
            if count & Self.pageMask == 0 {
                let number = count >> Self.pageShift
                ownDirectory(capacity: number + 1)
                directory.set(number, to: Page(repeating: element))
                count = min(newCount, count + 1 << Self.pageShift)
            } else {
                count += 1
                self[count - 1] = element
            }
        }
    }

    /// Replaces a page by a copy of its own, if another copy of the array has it.
    private mutating func ownPage(_ number: Int) {
        ownDirectory(capacity: 0)
        if !isKnownUniquelyReferenced(&directory.pages[number]) {
            directory.set(number, to: Page(copying: directory.pages[number]))
        }
    }

    /// Replaces the directory by a copy, if another copy of the array has it or it is too small.
    private mutating func ownDirectory(capacity: Int) {
        if isKnownUniquelyReferenced(&directory) && capacity <= directory.capacity { return }
        let least = capacity <= directory.capacity ? directory.capacity : capacity * 2
        directory = Directory(directory.pages, capacity: least)
        unsafe addresses = directory.addresses
    }
}

/// A page does not change once a second copy of the array has it, nor does a directory.
extension PagedArray: @unchecked Sendable {}
