import ByteStorage
import Testing

@testable import CaptureFormat

@Suite("SipHash-2-4")
struct SipHashTests {
    @Test func `gives the values of its authors' test vectors`() {
        let hash = SipHash(0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908)
        let expected: [(count: Int, hash: UInt64)] = [
            (0, 0x726f_db47_dd0e_0e31), (1, 0x74f8_39c5_93dc_67fd), (7, 0xab02_00f5_8b01_d137),
            (8, 0x93f5_f579_9a93_2462), (15, 0xa129_ca61_49be_45e5),
        ]
        for (count, value) in expected {
            let found = (0..<count).map { UInt8($0) }.withByteView { hash.hash($0) }
            #expect(found == value, "\(count) bytes")
        }
    }
}
