import Basics
import FrameCodec

/// Checks WIDGETS bodies by the rules of the router, without one. `check` and `explain` use it.
struct WidgetsCheck: ~Copyable {
    /// The first error in a body.
    struct Problem: Equatable, Error {
        /// The column of the error in the line, from 1; nil if the message names the place.
        var column: Int?
        var message: String

        /// An error whose column is where a part begins in the body.
        init(_ part: ByteView, in body: ByteView, message: String) {
            let offset = unsafe part.address - body.address
            column = sourcePosition(of: offset, in: body).column
            self.message = message
        }

        init(column: Int? = nil, message: String) {
            self.column = column
            self.message = message
        }
    }

    /// The kinds that may be registered; nil allows any.
    private let kinds: Set<String>?
    private var scanner = JSONScanner(depthLimit: RouterLimits.jsonDepth)
    private let limits = RouterLimits()
    /// The number of widgets of each device; a later valid body of a device replaces an earlier
    /// one.
    private(set) var devices: [String: Int] = [:]

    init(kinds: Set<String>?) { self.kinds = kinds }

    var widgetCount: Int { devices.values.reduce(0, +) }

    /// Checks a body, and counts its widgets if it is valid; returns the first error if it is not.
    mutating func problem(in body: ByteView) -> Problem? {
        defer { scanner.resetScratch() }
        do throws(JSONError) {
            try validateJSON(body, using: &scanner)
        } catch {
            let position = sourcePosition(of: error.offset, in: body)
            return Problem(column: position.column, message: error.sentence)
        }
        do throws(Problem) {
            try check(body)
            return nil
        } catch {
            return error
        }
    }

    private mutating func check(_ body: ByteView) throws(Problem) {
        if body.count > limits.maxBody {
            throw Problem(message: "the body has \(body.count) bytes, more than \(limits.maxBody)")
        }
        let message: WidgetsMessage
        var count = 0
        do throws(ProtocolError) {
            message = try WidgetsMessage(body)
        } catch {
            throw Problem(message: error.message)
        }
        try identifier(message.device, path: "device", in: body)
        var widgets = message.makeWidgets()
        var ids: Set<String> = []
        while let widget = try next(&widgets) {
            try identifier(widget.id, path: "widgets[\(count)].id", in: body)
            try identifier(widget.kind, path: "widgets[\(count)].kind", in: body)
            if let family = widget.family {
                try identifier(family, path: "widgets[\(count)].family", in: body)
            }
            if let kinds, !kinds.contains(widget.kind.string) {
                throw Problem(
                    widget.kind.raw,
                    in: body,
                    message: "the kind \(widget.kind.string) is not declared"
                        + Spelling.hint(for: widget.kind.string, among: kinds.sorted())
                )
            }
            if !ids.insert(widget.id.string).inserted {
                throw Problem(
                    widget.id.raw,
                    in: body,
                    message: "the widget \(widget.id.string) is listed twice"
                )
            }
            if let configuration = widget.configuration { try check(configuration, in: body) }
            count += 1
        }
        if count > limits.widgetsPerDevice {
            throw Problem(
                message: "the device has \(count) widgets, more than \(limits.widgetsPerDevice)"
            )
        }
        _ = try KnownState(body, message: message)
        devices[message.device.string] = count
    }

    private func next(_ widgets: inout WidgetList) throws(Problem) -> WidgetEntry? {
        do throws(ProtocolError) {
            return try widgets.next()
        } catch {
            throw Problem(message: error.message)
        }
    }

    private func identifier(_ text: JSONText, path: String, in body: ByteView) throws(Problem) {
        do throws(ProtocolError) {
            try checkIdentifier(text.string, of: path)
        } catch {
            throw Problem(text.raw, in: body, message: error.message)
        }
    }

    /// Checks that all parameters are strings, numbers, booleans, or lists of these.
    private func check(_ configuration: ByteView, in body: ByteView) throws(Problem) {
        var reader = JSONReader(configuration)
        reader.enterObject()
        while let name = reader.nextKey() {
            if reader.peek() == .array {
                reader.enterArray()
                while reader.nextElement() { try scalar(&reader, name: name, in: body) }
            } else {
                try scalar(&reader, name: name, in: body)
            }
        }
    }

    private func scalar(
        _ reader: inout JSONReader,
        name: JSONText,
        in body: ByteView
    ) throws(Problem) {
        switch reader.peek() {
        case .string, .number, .true, .false: reader.skipValue()
        case .object, .array, .null:
            throw Problem(
                name.raw,
                in: body,
                message:
                    "the parameter \(name.string) must be a string, a number, true, false, or a list "
                    + "of these"
            )
        }
    }
}
