import Basics
import StoreFormat
import TestSupport
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
        #expect(try Self.read(bytes + [0, 1, 1, 2, 3]) == Self.manifest)
    }

    @Test("says whose it is where there are several partitions, and is refused by the others")
    func partitions() throws {
        var manifest = Self.manifest
        manifest.partition = Partition(1, of: 3)
        let bytes = Self.bytes(manifest)
        #expect(bytes == Self.bytes(Self.manifest) + [1, 3])
        let read = try Self.read(bytes)
        #expect(read == manifest)
        try read.require(Partition(1, of: 3))
        for other in [Partition(2, of: 3), Partition(1, of: 4), .only] {
            let error = #expect(throws: StoreError.self) { try read.require(other) }
            #expect(error?.code == .partitions)
            #expect(
                error?.message
                    == "checkpoint 7 is that of partition 1 of 3, and the router is \(other)"
            )
        }
        let error = #expect(throws: StoreError.self) {
            try Self.manifest.require(Partition(0, of: 2))
        }
        #expect(
            error?.message
                == "checkpoint 7 is that of the only partition, and the router is partition 0 of 2"
        )
        for impossible in [[1], [3, 3], [0, 0], [0, 65], [9, 3]] as [[UInt8]] {
            let bytes = Self.bytes(Self.manifest) + impossible
            let error = #expect(throws: StoreError.self) { try Self.read(bytes) }
            #expect(error?.code == .corrupt)
        }
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
