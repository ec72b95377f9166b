import Basics
import Glibc

/// A part of the router that takes bytes of others, with the properties that must hold for any
/// bytes.
///
/// One input is run after the other in one process; what a target keeps between two of them is what
/// the router keeps as well, such as a scanner.
protocol FuzzTarget: AnyObject, SendableMetatype {
    init()
    /// Stops the process, by `fail` or by a trap, if a property does not hold.
    func run(_ input: ByteView)
}

/// All targets by the names that `deploy/fuzz` takes.
let fuzzTargets: [(name: String, type: any FuzzTarget.Type)] = [
    ("frames", FrameFuzzing.self),
    ("sessions", SessionFuzzing.self),
    ("json", JSONFuzzing.self),
    ("patterns", PatternFuzzing.self),
    ("matching", MatchingFuzzing.self),
    ("texts", TextFuzzing.self),
    ("appfile", AppFileFuzzing.self),
    ("tokens", TokenFuzzing.self),
    ("bodies", BodyFuzzing.self),
    ("captures", CaptureFuzzing.self),
    ("capture-lines", CaptureLineFuzzing.self),
    ("records", RecordFuzzing.self),
    ("recovery", RecoveryFuzzing.self),
    ("http", HTTPFuzzing.self),
    ("answers", AnswerFuzzing.self),
    ("requests", RequestFuzzing.self),
    ("events", EventFuzzing.self),
    ("http2", HTTP2Fuzzing.self),
]

/// Stops the process unless a property holds; libFuzzer then saves the input.
@inline(__always)
func require(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { fail(message()) }
}

/// Stops the process: a property does not hold.
@inline(never)
func fail(_ message: String) -> Never {
    fatalError(message)
}

// MARK: - What libFuzzer calls

nonisolated(unsafe) private var target: (any FuzzTarget)?

/// Chooses the target that the arguments name, before the first input.
@c(LLVMFuzzerInitialize)
func initializeFuzzing(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
) -> CInt {
    // libFuzzer passes over what begins with two hyphens.
    let option = "--target="
    for index in 0..<Int(count.pointee) {
        guard let argument = arguments.pointee[index] else { continue }
        let text = String(cString: argument)
        if text == "--list" {
            for target in fuzzTargets { print(target.name) }
            exit(0)
        }
        if text.hasPrefix("--stores=") {
            writeStores(in: String(text.dropFirst("--stores=".count)))
            exit(0)
        }
        guard text.hasPrefix(option) else { continue }
        let name = text.dropFirst(option.count)
        target = fuzzTargets.first { $0.name == name }?.type.init()
    }
    if target == nil { fail("--target= names none of \(fuzzTargets.map(\.name))") }
    return 0
}

/// Runs one input.
@c(LLVMFuzzerTestOneInput)
func runFuzzed(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let base = UnsafeRawPointer(bytes) ?? UnsafeRawPointer(bitPattern: 8)!
    target!.run(ByteView(base: base, count: count))
    return 0
}
