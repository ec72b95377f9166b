import Basics
import Foundation
import StoreFormat

/// Makes inputs for `recovery` of those for `sessions`: the store that each of their routers has in
/// the middle of its life, with the journal of the rest, and the journal of all of it.
///
/// - Parameter folder: has the folder `sessions`, and gets the folder `recovery`.
func writeStores(in folder: String) {
    let root = URL(filePath: folder)
    let target = root.appending(path: "recovery")
    do {
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
        let lives = try FileManager.default.contentsOfDirectory(
            at: root.appending(path: "sessions"),
            includingPropertiesForKeys: nil
        )
        for life in lives {
            let bytes = [UInt8](try Data(contentsOf: life))
            for (kind, store) in [("whole", store(of: bytes)), ("journal", journal(of: bytes))] {
                let name = "\(life.lastPathComponent)-\(kind)"
                try Data(store).write(to: target.appending(path: name))
            }
        }
    } catch {
        fail("\(error)")
    }
}

private func store(of life: [UInt8]) -> [UInt8] {
    var fuzzed = FuzzedRouter()
    var store = StoreWriter()
    life.withByteView { life in
        SessionFuzzing.play(life, &fuzzed) { fuzzed in
            for (key, body) in fuzzed.takeImage().sorted(by: { $0.key < $1.key }) {
                store.put(UInt8(ascii: "T"))
                store.put(key.type)
                store.put(UInt16(truncatingIfNeeded: key.number))
                store.put(UInt8(truncatingIfNeeded: key.part))
                put(body, to: &store)
            }
        }
    }
    put(fuzzed.journal, to: &store)
    return store.bytes.array
}

private func journal(of life: [UInt8]) -> [UInt8] {
    var fuzzed = FuzzedRouter()
    var store = StoreWriter()
    life.withByteView { SessionFuzzing.play($0, &fuzzed) }
    put(fuzzed.journal, to: &store)
    return store.bytes.array
}

private func put(_ journal: [[UInt8]], to store: inout StoreWriter) {
    for record in journal {
        store.put(UInt8(ascii: "J"))
        put(record, to: &store)
    }
}

private func put(_ bytes: [UInt8], to store: inout StoreWriter) {
    let kept = bytes.prefix(Int(UInt16.max))
    store.put(UInt16(kept.count))
    Array(kept).withByteView { store.put(raw: $0) }
}
