import Basics
import StoreFormat
import Testing

@Suite("A manifest")
struct StoreManifestTests {
    private static let manifest = StoreManifest(epoch: 7, position: 12, checksum: 0xab, version: 3)

    private static func read(_ bytes: [UInt8]) throws(StoreError) -> StoreManifest {
        try bytes.withByteView { view throws(StoreError) in
            var reader = StoreReader(view)
            return try StoreManifest(epoch: 7, reading: &reader)
        }
    }

    private static func bytes(_ manifest: StoreManifest) -> [UInt8] {
        var writer = StoreWriter()
        manifest.write(to: &writer)
        return writer.bytes.array
    }

    @Test("is read as it was written, also if a newer version has added to it")
    func roundTrip() throws {
        let bytes = Self.bytes(Self.manifest)
        #expect(bytes.count == 20)
        #expect(try Self.read(bytes) == Self.manifest)
        #expect(try Self.read(bytes + [1, 2, 3]) == Self.manifest)
    }

    @Test("is refused wherever it is cut off, and with a position that no journal has")
    func refusals() {
        let bytes = Self.bytes(Self.manifest)
        for count in 0..<bytes.count {
            #expect(throws: StoreError.self) { try Self.read(Array(bytes.prefix(count))) }
        }
        var beyond = Self.manifest
        beyond.position = .max
        // A reader goes on behind it.
        #expect(throws: StoreError.self) { try Self.read(Self.bytes(beyond)) }
    }

    @Test("is the first record of its checkpoint, and found by its key")
    func key() {
        let key = StoreManifest.key(epoch: 7)
        #expect(StoreManifest.isKey(key) && key.epoch == 7)
        #expect(key < TableKey(type: StoreManifest.type + 1, number: 0, epoch: 7))
        #expect(!StoreManifest.isKey(TableKey(type: 1, number: 0, epoch: 7)))
        #expect(!StoreManifest.isKey(TableKey(type: 0, number: 1, epoch: 7)))
        #expect(!StoreManifest.isKey(TableKey(type: 0, number: 0, part: 1, epoch: 7)))
    }
}
