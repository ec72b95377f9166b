import Basics
import FrameCodec

/// What a line of a widgets file may say in addition to the WIDGETS body, for the dry run of
/// `explain`.
///
///     {"device":"d-1","state":{"foreground":true,"media":"audio","visible":["w1"]},
///      "widgets":[{"id":"w1","kind":"k","reloadsBefore":[90,7200]}]}
///
/// A router ignores both members.
struct KnownState {
    /// The most past reloads of a widget in a file.
    static let reloadLimit = BudgetPolicy.limit
    /// The age of the oldest past reload that may be given: budgets cover 24 hours.
    static let longestAge = Milliseconds.days(1)

    /// A reload in the past.
    struct Reload {
        var widget: String
        /// How long ago the widget was reloaded.
        var age: Milliseconds
    }

    /// The body of a STATE frame that puts the device into the given state; nil if the line has
    /// none.
    private(set) var stateBody: [UInt8]?
    /// The past reloads, in the order of the line.
    private(set) var reloads: [Reload] = []
    /// Why reloads of the device cost no budget in this state; nil if they do.
    private(set) var freeBecause: String?

    /// Reads a line, which is the valid body of a WIDGETS frame.
    init(_ line: ByteView, message: WidgetsMessage) throws(WidgetsCheck.Problem) {
        var widgets: Set<[UInt8]> = []
        var state: ByteView?
        var reader = JSONReader(line)
        reader.enterObject()
        while let name = reader.nextKey() {
            if name == "widgets" {
                reader.enterArray()
                while reader.nextElement() { widgets.insert(try readWidget(&reader, in: line)) }
            } else if name == "state" {
                guard reader.peek() == .object else {
                    throw WidgetsCheck.Problem(
                        name.raw,
                        in: line,
                        message: "state must be an object"
                    )
                }
                state = reader.rawValue()
            } else {
                reader.skipValue()
            }
        }
        if let state { try read(state, widgets: widgets, of: message.device.string, in: line) }
    }

    // MARK: - Widgets

    /// Reads one widget's past reloads, and returns its id.
    private mutating func readWidget(
        _ reader: inout JSONReader,
        in line: ByteView
    ) throws(WidgetsCheck.Problem) -> [UInt8] {
        var id = ""
        var times: [Milliseconds] = []
        reader.enterObject()
        while let name = reader.nextKey() {
            if name == "id" {
                id = reader.readString().string
            } else if name == "reloadsBefore" {
                times = try Self.readTimes(&reader, name: name, in: line)
            } else {
                reader.skipValue()
            }
        }
        reloads += times.map { Reload(widget: id, age: $0) }
        return Array(id.utf8)
    }

    private static func readTimes(
        _ reader: inout JSONReader,
        name: JSONText,
        in line: ByteView
    ) throws(WidgetsCheck.Problem) -> [Milliseconds] {
        let wanted =
            "reloadsBefore must be a list of at most \(reloadLimit) whole numbers of seconds from 0 "
            + "to \(longestAge.wholeSeconds)"
        guard reader.peek() == .array else {
            throw WidgetsCheck.Problem(name.raw, in: line, message: wanted)
        }
        var times: [Milliseconds] = []
        reader.enterArray()
        while reader.nextElement() {
            guard reader.peek() == .number, let time = reader.readInteger(),
                (0...longestAge.wholeSeconds).contains(time), times.count < reloadLimit
            else { throw WidgetsCheck.Problem(name.raw, in: line, message: wanted) }
            times.append(.seconds(time))
        }
        return times
    }

    // MARK: - The device's state

    /// Copies the state into the body of a STATE frame, and checks it as the router would.
    private mutating func read(
        _ state: ByteView,
        widgets: Set<[UInt8]>,
        of device: String,
        in line: ByteView
    ) throws(WidgetsCheck.Problem) {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("device", value: device)
        var reader = JSONReader(state)
        reader.enterObject()
        while let name = reader.nextKey() {
            guard name == "foreground" || name == "media" || name == "visible" else {
                let message =
                    "state has no member \(name.string); it has foreground, media and visible"
                throw WidgetsCheck.Problem(name.raw, in: line, message: message)
            }
            writer.key(name.string)
            writer.raw(reader.rawValue())
        }
        writer.endObject()
        stateBody = writer.bytes
        do throws(ProtocolError) {
            freeBecause = try writer.bytes.withByteView { (view) throws(ProtocolError) in
                let message = try StateMessage(view)
                if let visible = message.visible { try Self.check(visible, among: widgets) }
                return Self.freeBecause(message)
            }
        } catch {
            throw WidgetsCheck.Problem(state, in: line, message: "state: \(error.message)")
        }
    }

    private static func check(
        _ visible: ByteView,
        among widgets: Set<[UInt8]>
    ) throws(ProtocolError) {
        var reader = JSONReader(visible)
        reader.enterArray()
        while reader.nextElement() {
            if reader.peek() == .string, widgets.contains(Array(reader.readString().string.utf8)) {
                continue
            }
            throw ProtocolError(
                .bodyInvalid,
                message: "visible must be a list of ids of the device's widgets"
            )
        }
    }

    private static func freeBecause(_ state: StateMessage) -> String? {
        if state.foreground == true { return "the app is in the foreground" }
        return switch state.media {
        case .audio: "the app plays audio"
        case .navigation: "the app navigates"
        case .some(.none), nil: nil
        }
    }
}
