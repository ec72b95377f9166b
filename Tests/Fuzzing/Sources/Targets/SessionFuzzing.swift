import Basics
import FrameCodec
import RouterCore

/// Frames of publishers, devices and gateways in any order, and what happens to their connections:
/// the router never stops, answers in its protocol, comes to rest, and its journal tells the same.
///
/// A line is a step: a letter, the digit of a connection, and what belongs to it.
///
///     o0  c0   opens it, closes it            f1  d1   its output is full, is drained
///     h0{…}    says HELLO                     p0{…}    pushes; P urgent, e expiring
///     w1{…}    WIDGETS; t TIMELINE, s STATE, r REQUEST with the next seq
///     W1{…}    the same without a session, of device d or e, by itself or a gateway; T, S, R
///     a1#      ACK of the last RELOADs but # i0   PING         q0#  the next seq is #
///     x0…      bytes as they are              +0#  so much time passes   =0  a sweep
///     A0{…}    an app file                    z0name   pauses an app; y resumes it
final class SessionFuzzing: FuzzTarget {
    private static let stepLimit = 40

    func run(_ input: ByteView) {
        var fuzzed = FuzzedRouter()
        Self.play(input, &fuzzed)
        fuzzed.checkReplay()
    }

    /// Does what the lines say.
    ///
    /// - Parameters:
    ///   - input: the lines.
    ///   - fuzzed: a new router.
    ///   - halfway: called once in the middle of the lines.
    static func play(
        _ input: ByteView,
        _ fuzzed: inout FuzzedRouter,
        halfway: (inout FuzzedRouter) -> Void = { _ in }
    ) {
        for slot in 0..<3 { fuzzed.open(slot) }
        fuzzed.send(0, .hello, seq: 0, hello("publisher", #","producer":"p""#))
        fuzzed.send(1, .hello, seq: 0, hello("device", #","device":"d""#))
        fuzzed.send(2, .hello, seq: 0, hello("gateway", ""))
        let half = input.array.count { $0 == 0x0a } / 2
        var input = FuzzInput(input)
        for step in 0..<stepLimit where !input.isAtEnd {
            var line = FuzzInput(input.line())
            perform(&line, &fuzzed)
            if line.rest.count & 1 == 0 { fuzzed.settle() }
            if step == half {
                halfway(&fuzzed)
                fuzzed.checkInvariants()
            }
        }
        fuzzed.settle()
        fuzzed.checkInvariants()
    }

    private static func hello(_ role: String, _ members: String) -> [UInt8] {
        Array(#"{"v":1,"role":"\#(role)","app":"g"\#(members)}"#.utf8)
    }

    private static func perform(_ line: inout FuzzInput, _ fuzzed: inout FuzzedRouter) {
        let letter = line.byte()
        let slot = Int(line.byte() & 3)
        let rest = line.rest
        switch letter {
        case UInt8(ascii: "o"): fuzzed.open(slot)
        case UInt8(ascii: "c"): fuzzed.close(slot)
        case UInt8(ascii: "f"): fuzzed.setWritable(slot, false)
        case UInt8(ascii: "d"): fuzzed.setWritable(slot, true)
        case UInt8(ascii: "h"): fuzzed.send(slot, .hello, seq: 0, rest.array)
        case UInt8(ascii: "w"): fuzzed.send(slot, .widgets, rest.array)
        case UInt8(ascii: "t"): fuzzed.send(slot, .timeline, rest.array)
        case UInt8(ascii: "s"): fuzzed.send(slot, .state, rest.array)
        case UInt8(ascii: "r"): fuzzed.send(slot, .request, rest.array)
        case UInt8(ascii: "W"): fuzzed.report(slot, .widgets, rest)
        case UInt8(ascii: "T"): fuzzed.report(slot, .timeline, rest)
        case UInt8(ascii: "S"): fuzzed.report(slot, .state, rest)
        case UInt8(ascii: "R"): fuzzed.report(slot, .request, rest)
        case UInt8(ascii: "p"): fuzzed.send(slot, .push, rest.array)
        case UInt8(ascii: "P"): fuzzed.send(slot, .push, flags: PushFlags.urgent, rest.array)
        case UInt8(ascii: "e"): push(rest, until: fuzzed.now.wall.rawValue + 1_500, slot, &fuzzed)
        case UInt8(ascii: "i"): fuzzed.send(slot, .ping, seq: 0, [])
        case UInt8(ascii: "x"): fuzzed.send(slot, bytes: rest.array)
        case UInt8(ascii: "+"): fuzzed.advance(number(rest))
        case UInt8(ascii: "-"): fuzzed.advance(10, wall: -number(rest))
        case UInt8(ascii: "="): fuzzed.sweep()
        case UInt8(ascii: "A"): fuzzed.install(rest.array)
        case UInt8(ascii: "z"): try? fuzzed.router.setPaused(true, app: rest.string)
        case UInt8(ascii: "y"): try? fuzzed.router.setPaused(false, app: rest.string)
        default: break
        }
    }

    private static func push(
        _ payload: ByteView,
        until date: Int64,
        _ slot: Int,
        _ fuzzed: inout FuzzedRouter
    ) {
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: date >> Int64(56 - 8 * $0)) }
        fuzzed.send(slot, .push, flags: PushFlags.expires, bytes + payload.array)
    }

    /// The number that digits are, up to some days in milliseconds.
    private static func number(_ text: ByteView) -> Int64 {
        var value: Int64 = 0
        for index in 0..<min(text.count, 9) where text[index] &- 0x30 <= 9 {
            value = value * 10 + Int64(text[index] - 0x30)
        }
        return value
    }
}
