import Basics
import StoreFormat
import Testing

@Suite("A reader of stored bytes")
struct StoreReaderTests {
    @Test("refuses every index into a list that is empty", arguments: [0, 1, 127] as [UInt8])
    func noIndex(value: UInt8) {
        [value].withByteView { view in
            var reader = StoreReader(view)
            #expect(throws: StoreError.self) { try reader.readCount(atMost: -1) }
        }
    }
}
