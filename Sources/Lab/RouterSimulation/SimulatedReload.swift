internal import Basics
internal import DeviceSimulation
internal import ReloadRouterClient

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
