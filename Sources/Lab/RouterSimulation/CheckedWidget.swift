internal import Basics
internal import ReloadRouterClient

/// What the rules need to know of a widget: the causes for which it may be reloaded, and its
/// charges.
///
/// All of it follows from what devices and publishers *sent*, and from the router's RELOADs; the
/// checker shares no state with the router.
struct CheckedWidget: BitwiseCopyable {
    var device: UInt32
    /// The topic in its configuration.
    var topic: UInt32
    /// The push clock when a RELOAD last named the widget, or when it got its topic. Only later
    /// pushes are causes.
    var cleared: UInt32
    /// When its timeline asks for a reload, from the start of the run; nil for never.
    var dueTime: Milliseconds?
    /// When it was last charged, from the start of the run; nil for never.
    var chargeTime: Milliseconds?
    /// The sequence number of the last RELOAD that named it.
    var reload: UInt32 = 0
    /// The number of charges in the half hours that are kept.
    var used: UInt16 = 0
    /// The maximum of `used` so far, including that of an earlier widget with the same number.
    var most: UInt16 = 0
    /// The half hour of the last charge.
    var half: UInt16 = 0
    var kind: UInt8
    var flags: UInt8 = 0

    /// Flag: the router has the widget.
    static var exists: UInt8 { 1 }
    /// Flag: `due` is the end of the timeline.
    static var ends: UInt8 { 2 }
    /// Flag: its app has requested a reload.
    static var requested: UInt8 { 4 }
    /// Flag: the owner has looked at it while a cause was open.
    static var viewed: UInt8 { 8 }
    /// Flag: the device has moved, and the kind uses the location.
    static var moved: UInt8 { 16 }
    /// Flag: no timeline has answered its last RELOAD.
    static var unanswered: UInt8 { 32 }
    /// Flag: the session is new, and the unanswered RELOAD is to be repeated.
    static var repeats: UInt8 { 64 }
    /// Flag: a cause was open when the widget was configured anew.
    static var inherited: UInt8 { 128 }

    func has(_ flag: UInt8) -> Bool { flags & flag != 0 }

    init(device: UInt32, topic: UInt32, cleared: UInt32, kind: UInt8) {
        self.device = device
        self.topic = topic
        self.cleared = cleared
        self.kind = kind
    }
}

/// A RELOAD as the checker judges it: with numbers for names.
struct SimulatedReload {
    var device: UInt32 = 0
    var seq: UInt64 = 0
    var cause = ReloadCause.push
    /// A bit for each `World.Kind` that the RELOAD names.
    var kinds: UInt8 = 0
    /// The widgets that the RELOAD names, by their numbers on the device.
    var named: ContiguousArray<UInt32> = []

    init() {}

    /// Finds the numbers of what a RELOAD names; nil if it names nothing, or what the device does
    /// not have.
    init?(_ event: ReloadEvent, of device: UInt32, model: SimulatedDevice) {
        guard event.device == model.name, let cause = ReloadCause(rawValue: event.cause) else {
            return nil
        }
        self.device = device
        seq = event.seq
        self.cause = cause
        for kind in World.Kind.allCases where event.kinds.contains("\(kind.name)") {
            kinds |= 1 << kind.rawValue
        }
        for id in event.widgets {
            guard let position = model.index(ofWidget: id) else { return nil }
            named.append(UInt32(position))
        }
        if named.isEmpty || kinds == 0 { return nil }
    }

    func has(_ kind: World.Kind) -> Bool { kinds & 1 << kind.rawValue != 0 }
}
