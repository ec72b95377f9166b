import Testing

@testable import Basics

/// The bytes of the view under test.
private let bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

@Suite("Misuse of ByteView")
struct ByteViewMisuse {
    @Test(
        "a byte outside of the view is not read",
        arguments: [10, -1, .max, .min]
    )
    func byte(offset: Int) async {
        await #expect(processExitsWith: .trap) { [offset] in
            bytes.withByteView { _ = $0[offset] }
        }
    }

    @Test(
        "a word that is not wholly in the view is not read",
        arguments: [3, -1, .max, .max - 7, .min]
    )
    func word(offset: Int) async {
        await #expect(processExitsWith: .trap) { [offset] in
            bytes.withByteView { _ = $0.word(at: offset) }
        }
    }

    @Test("a word is not read from a view that is shorter than a word")
    func shortView() async {
        await #expect(processExitsWith: .trap) {
            bytes.withByteView { _ = $0.slice(0, to: 7).word(at: 0) }
        }
    }

    @Test(
        "an integer that is not wholly in the view is not read",
        arguments: [7, -1, .max, .max - 3, .min]
    )
    func integer(offset: Int) async {
        await #expect(processExitsWith: .trap) { [offset] in
            bytes.withByteView { _ = $0.bigEndian(UInt32.self, at: offset) }
        }
    }

    @Test(
        "a slice that is not wholly in the view is not made",
        arguments: [[0, 11], [-1, 5], [6, 5], [11, 11], [.min, .max], [-2, -1]]
    )
    func slice(bounds: [Int]) async {
        await #expect(processExitsWith: .trap) { [bounds] in
            bytes.withByteView { _ = $0.slice(bounds[0], to: bounds[1]) }
        }
    }

    @Test("an empty view has no byte")
    func empty() async {
        await #expect(processExitsWith: .trap) { _ = ByteView.empty[0] }
    }

    @Test("the last of everything is in the view")
    func bounds() {
        bytes.withByteView { view in
            #expect(view[9] == 10)
            #expect(view.word(at: 2) == 0x0a09_0807_0605_0403)
            #expect(view.bigEndian(UInt32.self, at: 6) == 0x0708_090a)
            #expect(view.slice(10, to: 10).count == 0)
            #expect(view.slice(0, to: 10) == view)
        }
    }
}

@Suite("Misuse of Secret")
struct SecretMisuse {
    @Test("it has no more bytes than there is room for")
    func overflow() async {
        await #expect(processExitsWith: .trap) { _ = Secret(capacity: 4) { _ in 5 } }
        await #expect(processExitsWith: .trap) { _ = Secret(capacity: 4) { _ in -1 } }
        await #expect(processExitsWith: .trap) { _ = Secret(capacity: -1) { _ in 0 } }
    }
}
