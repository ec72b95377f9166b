/// Asks the router at the end of a run what became of reloads that have not come.
struct RouterInquiry {
    /// The most devices that are asked about; the fates of the others are not known.
    static var deviceLimit: Int { 10_000 }

    /// Asks the admin server, one path after the other; an answer is nil if there is none in time.
    private let ask: ([String]) -> [[UInt8]?]
    private let app: String

    /// - Parameters:
    ///   - app: the app of all devices.
    ///   - ask: sends GET requests for paths to the admin server, and returns the bodies.
    init(app: String, ask: @escaping ([String]) -> [[UInt8]?]) {
        self.app = app
        self.ask = ask
    }

    /// Asks about devices.
    ///
    /// - Parameter devices: the numbers and names of the devices.
    /// - Returns: the fates of their widgets by the devices' numbers; a device is missing if the
    ///   router has not answered.
    func fates(of devices: [(number: Int, name: String)]) -> [Int: [String: WidgetFate]] {
        let asked = devices.prefix(Self.deviceLimit)
        let app = Self.escaped(app)
        let answers = ask(asked.map { "/v1/apps/\(app)/devices/\(Self.escaped($0.name))" })
        var fates: [Int: [String: WidgetFate]] = [:]
        for (device, answer) in zip(asked, answers) {
            fates[device.number] = answer.flatMap { WidgetFate.fates(in: $0) }
        }
        return fates
    }

    /// A name in a path: all bytes but letters, digits and `-._~` become percent escapes.
    static func escaped(_ name: String) -> String {
        var text = ""
        for byte in name.utf8 {
            let scalar = Unicode.Scalar(byte)
            if scalar.properties.isAlphabetic && byte < 0x80 || (0x30...0x39).contains(byte)
                || "-._~".unicodeScalars.contains(scalar)
            {
                text.unicodeScalars.append(scalar)
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                text += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return text
    }
}
