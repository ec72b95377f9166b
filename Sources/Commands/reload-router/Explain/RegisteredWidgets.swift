import CommandSupport
import DataStructures
import FrameCodec
import ReloadModel
import StrictJSON
import WidgetMatching

/// The widgets of a file, as a router would have them after reading all lines, with a matcher for
/// pushes. `explain` works on them.
struct RegisteredWidgets: ~Copyable {
    /// A widget's names: its device, its id on that device, and its kind.
    struct Widget {
        var device: String
        var id: String
        var kind: String
    }

    /// A device of the file, and what is known of it.
    struct Device {
        var name: String
        /// Its last line in the file: the body of a WIDGETS frame.
        var body: [UInt8]
        /// Its widgets, in the order of the line.
        var widgets: [WidgetID]
        var known: KnownState
    }

    /// The number of the only app.
    static let app = AppID.first

    /// Matches pushes with the widgets.
    var matcher = WidgetMatcher(hashKey: .ofRuntime)
    private var named: [WidgetID: Widget] = [:]
    // Keys are bytes, as in a router: Swift compares strings by canonical equivalence.
    private let kindNumbers: [[UInt8]: KindID]
    private var devices: [[UInt8]: Device] = [:]

    /// Reads a file with one WIDGETS body on each line.
    ///
    /// - Throws: `SettingsProblem` with line and column if a router would refuse a line.
    init(kinds: [KindDeclaration], file: String) throws {
        let numbered = kinds.enumerated().map { (KindID(index: $0), $1) }
        kindNumbers = Dictionary(uniqueKeysWithValues: numbered.map { (Array($1.kind.utf8), $0) })
        matcher.install(apps: [
            WidgetMatcher.App(
                app: Self.app,
                kinds: numbered.map { WidgetMatcher.Kind(kind: $0, name: $1.kind, rule: $1.rule) }
            )
        ])
        var check = WidgetsCheck(kinds: Set(kinds.map(\.kind)))
        var lines = try LineReader(file)
        while let line = try lines.nextNonBlank() {
            try line.bytes.withByteView { body in
                let location = "\(file): line \(line.number)"
                if let problem = check.problem(in: body) {
                    let column = problem.column.map { ", column \($0)" } ?? ""
                    throw SettingsProblem("\(location)\(column): \(problem.message)")
                }
                do {
                    try register(body)
                } catch let error as ConfigurationError {
                    throw SettingsProblem("\(location): \(error.message)")
                }
            }
        }
    }

    // MARK: - What there is

    var count: Int { named.count }

    /// All widgets, ordered by number.
    var all: [WidgetID] { named.keys.sorted() }

    /// The widgets of a device, in the order of its line; nil if there is no such device.
    func widgets(of device: String) -> [WidgetID]? { devices[Array(device.utf8)]?.widgets }

    /// The device of a widget.
    func device(of widget: WidgetID) -> Device {
        guard let device = devices[Array(self.widget(widget).device.utf8)] else {
            preconditionFailure("the device of widget \(widget) is not there")
        }
        return device
    }

    /// The number of a device's widget; nil if there is no such widget.
    func number(of widget: String, on device: String) -> WidgetID? {
        widgets(of: device)?.first { self.widget($0).id.utf8.elementsEqual(widget.utf8) }
    }

    func widget(_ number: WidgetID) -> Widget {
        guard let widget = named[number] else { preconditionFailure("no widget \(number)") }
        return widget
    }

    /// A widget's name in messages: device, id and kind.
    func name(of number: WidgetID) -> String {
        let widget = widget(number)
        return "\(widget.device) \(widget.id) (\(widget.kind))"
    }

    // MARK: - Registering

    /// Registers the widgets of a body that has been checked, in place of those that the device
    /// had.
    private mutating func register(_ body: ByteView) throws {
        let message = try WidgetsMessage(body)
        let device = message.device.string
        for number in self.widgets(of: device) ?? [] {
            matcher.remove(number)
            named[number] = nil
        }
        var numbers: [WidgetID] = []
        var widgets = message.makeWidgets()
        while let entry = try widgets.next() {
            let kind = entry.kind.string
            guard let kindNumber = kindNumbers[Array(kind.utf8)] else { continue }
            let number = try insert(kindNumber, configuration: entry.configuration)
            named[number] = Widget(device: device, id: entry.id.string, kind: kind)
            numbers.append(number)
        }
        devices[Array(device.utf8)] = Device(
            name: device,
            body: body.array,
            widgets: numbers,
            known: try KnownState(body, message: message)
        )
    }

    private mutating func insert(
        _ kind: KindID,
        configuration: ByteView?
    ) throws(ConfigurationError) -> WidgetID {
        if let configuration {
            return try matcher.insert(kind: kind, configuration: configuration)
        }
        return try "{}".withByteView { empty throws(ConfigurationError) in
            try matcher.insert(kind: kind, configuration: empty)
        }
    }
}
