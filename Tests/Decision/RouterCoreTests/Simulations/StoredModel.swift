import Basics
import TestSupport

/// What devices have said, kept in the plainest way: its cost is what a router must count.
struct StoredModel {
    struct Widget {
        var id: String
        var kind: String
        /// Texts by parameter; several, or none, are a list.
        var parameters: [String: [String]]

        var test: TestWidget {
            let members = parameters.map { name, values in
                let texts = values.map { "\"\($0)\"" }.joined(separator: ",")
                return "\"\(name)\":" + (values.count == 1 ? texts : "[\(texts)]")
            }
            return TestWidget(id, kind, "{\(members.joined(separator: ","))}")
        }

        /// Without its layout.
        var cost: Int {
            var cost = StoredCost.widget + StoredCost.text(id.utf8.count)
            for values in parameters.values {
                if values.count != 1 { cost += StoredCost.value }
                for value in values {
                    cost += StoredCost.value + StoredCost.text(value.utf8.count)
                    if values.count != 1 { cost += StoredCost.element }
                }
            }
            return cost
        }
    }

    struct Device {
        var pushToken: String?
        var widgets: [Widget]
    }

    struct Layout: Hashable {
        var kind: String
        var names: Set<String>
    }

    /// By app and id.
    var devices: [String: [String: Device]] = [:]

    mutating func replace(_ app: String, _ id: String, _ device: Device) {
        devices[app, default: [:]][id] = device.widgets.isEmpty ? nil : device
    }

    /// Bytes that an app's devices take.
    func cost(of app: String) -> Int {
        var cost = 0
        var layouts: Set<Layout> = []
        for (id, device) in devices[app] ?? [:] {
            cost += StoredCost.device + StoredCost.text(id.utf8.count)
            if let token = device.pushToken {
                cost += StoredCost.pushToken + StoredCost.text(token.utf8.count)
            }
            for widget in device.widgets {
                cost += widget.cost
                layouts.insert(Layout(kind: widget.kind, names: Set(widget.parameters.keys)))
            }
        }
        for layout in layouts {
            cost += StoredCost.layout
            for name in layout.names {
                cost += StoredCost.layoutParameter + StoredCost.text(name.utf8.count)
            }
        }
        return cost
    }

    func widgetCount(of app: String) -> Int {
        (devices[app] ?? [:]).values.reduce(0) { $0 + $1.widgets.count }
    }

    // MARK: - Chance

    static func device(_ random: inout SeededGenerator, kinds: [String]) -> Device {
        // A token belongs to one device, so that no two are the same.
        let number = String(0x1000_0000 + random.below(0xe000_0000), radix: 16)
        let token =
            random.below(3) == 0
            ? number + String(repeating: "7f", count: random.below(20)) : nil
        let widgets = (0..<random.below(5)).map { number in
            Widget(
                id: "w\(number)" + String(repeating: "x", count: random.below(6)),
                kind: random.pick(kinds),
                parameters: parameters(&random)
            )
        }
        return Device(pushToken: token, widgets: widgets)
    }

    private static func parameters(_ random: inout SeededGenerator) -> [String: [String]] {
        var parameters: [String: [String]] = [:]
        for _ in 0..<random.below(5) {
            let name = random.pick(["a", "hero", "place", "a-longer-name", "z", "q"])
            parameters[name] = (0..<random.pick([0, 1, 1, 1, 2, 7])).map { _ in
                String(repeating: "v", count: random.below(30)) + "\(random.below(4))"
            }
        }
        return parameters
    }
}
