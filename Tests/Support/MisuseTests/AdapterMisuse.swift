import DataStructures
import StoreFormat
import Testing

@testable import CaptureFiles
@testable import LibuvLoop

@Suite("Misuse of Loop")
struct LoopMisuse {
    @Test("a closed loop is not run")
    func closed() async {
        await #expect(processExitsWith: .trap) {
            let loop = try Loop()
            try loop.close()
            try loop.run()
        }
        await #expect(processExitsWith: .trap) {
            let loop = try Loop()
            try loop.close()
            try loop.tick(waits: false)
        }
    }
}

@Suite("Misuse of Decompressor")
struct DecompressorMisuse {
    @Test("a negative length is not decompressed to")
    func length() async {
        await #expect(processExitsWith: .trap) {
            var output = StoreWriter()
            _ = Decompressor().decompress(.empty, to: -1, into: &output)
        }
    }
}
