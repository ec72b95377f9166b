import Basics
import Testing

@Suite("A value with one owner on the heap")
struct BoxedTests {
    /// Counts, in the list that it was made with, that it is gone.
    private struct Guest: ~Copyable {
        var number: Int
        let gone: UnsafeMutablePointer<Int>

        deinit { unsafe gone.pointee += 1 }
    }

    @Test("is changed in place, keeps its address, and goes with its owner")
    func lifetime() {
        let gone = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        unsafe gone.initialize(to: 0)
        defer { unsafe gone.deallocate() }
        do {
            var box = unsafe Boxed(Guest(number: 1, gone: gone))
            let address = unsafe box.address
            box.value.number += 1
            #expect(box.value.number == 2)
            let moved = box
            #expect(unsafe moved.address == address)
            #expect(moved.value.number == 2)
            #expect(unsafe gone.pointee == 0)
        }
        #expect(unsafe gone.pointee == 1)
    }

    @Test("A large one is lent as a pointer is")
    func size() {
        #expect(MemoryLayout<Boxed<InlineArray<1_000, Int>>>.size == MemoryLayout<Int>.size)
    }
}
