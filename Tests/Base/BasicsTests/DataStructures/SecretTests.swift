import Basics
import Testing

@Suite("A secret")
struct SecretTests {
    @Test("has the bytes that it was made of")
    func bytes() {
        #expect(Secret("geheim ü").text == "geheim ü")
        #expect(Secret([1, 2, 3]).withByteView { $0.array } == [1, 2, 3])
        #expect(Secret([]).count == 0 && Secret("") == Secret([]))
    }

    @Test("equals another one with the same bytes")
    func equality() {
        #expect(Secret("abc") == Secret([0x61, 0x62, 0x63]))
        #expect(Secret("abc").hashValue == Secret("abc").hashValue)
        for other in ["abd", "bbc", "ab", "abcd", ""] { #expect(Secret("abc") != Secret(other)) }
    }

    @Test("leaves zeros in an array that is erased, and nothing in memory that is erased")
    func erasing() {
        var bytes: [UInt8] = [1, 2, 3]
        bytes.erase()
        #expect(bytes == [0, 0, 0])
        var none: [UInt8] = []
        none.erase()
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 16)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 7, count: 64)
        eraseMemory(memory + 1, byteCount: 62)
        let left = UnsafeRawBufferPointer(start: memory, count: 64).filter { $0 != 0 }
        #expect(left == [7, 7])
    }
}
