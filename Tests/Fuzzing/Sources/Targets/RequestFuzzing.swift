import Basics

@testable import HTTPMessages

/// Requests to the listener for publishers are read alike in whatever two pieces they come, and
/// what is read of them is within the limits.
///
///     what is fuzzed: where they are cut, two bytes │ the requests
final class RequestFuzzing: FuzzTarget {
    private static var limits: RequestLimits {
        var limits = RequestLimits()
        limits.headBytes = 512
        limits.fields = 8
        return limits
    }

    func run(_ input: ByteView) {
        var input = FuzzInput(input)
        let cut = min(Int(input.number(2)), input.rest.count)
        let bytes = input.rest.array
        let whole = RequestTranscript([bytes], limits: Self.limits)
        let parts = RequestTranscript(
            [Array(bytes[..<cut]), Array(bytes[cut...])],
            limits: Self.limits
        )
        require(whole == parts, "\(whole) in one piece, \(parts) in two")
        let read = whole.requests.reduce(0) { $0 + $1.utf8.count }
        // A line says each byte once, an escape or a byte that is not UTF-8 as up to three, and a
        // few words.
        require(read <= 3 * bytes.count + 64 * whole.requests.count, "more than there was")
    }
}
