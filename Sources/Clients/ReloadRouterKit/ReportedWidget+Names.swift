// How widgets are named that WidgetKit gives no name. The names are the same in each process and
// each version, because budgets are kept by them.

extension ReportedWidget {
    /// The name of a widget by what it looks like: its family, for people to read, and a digest of
    /// everything. Kinds may be long, and stand beside the name wherever it is shown.
    static func name(
        ofKind kind: String,
        family: String?,
        configuration: [String: ConfigurationValue]
    ) -> String {
        var digest = NameDigest()
        digest.add(kind)
        digest.add(family ?? "")
        let names = configuration.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        for name in names {
            digest.add(name)
            digest.add(configuration[name]!)
        }
        return "\(family ?? "widget")-\(digest.text)"
    }

    /// Numbers the widgets that have the same name: from the second on, in the order of the list.
    /// Which of them is which does not matter, because they look the same.
    static func numbered(_ widgets: [ReportedWidget]) -> [ReportedWidget] {
        var names = Set(widgets.map(\.id))
        var seen: Set<String> = []
        return widgets.map { widget in
            if seen.insert(widget.id).inserted { return widget }
            var number = 2
            while !names.insert("\(widget.id)-\(number)").inserted { number += 1 }
            var other = widget
            other.id = "\(widget.id)-\(number)"
            return other
        }
    }
}

/// The digest FNV-1a of 64 bits. It names things, and protects nothing.
struct NameDigest {
    private var state: UInt64 = 0xcbf2_9ce4_8422_2325

    /// The digest as sixteen hexadecimal digits.
    var text: String {
        let digits = String(state, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Adds a text with its length, so that no two lists of texts are the same bytes.
    mutating func add(_ text: String) {
        add(UInt64(text.utf8.count))
        for byte in text.utf8 { add(byte) }
    }

    /// Adds a value with its type.
    mutating func add(_ value: ConfigurationValue) {
        switch value {
        case .string(let string):
            add(1 as UInt8)
            add(string)
        case .number(let number):
            add(2 as UInt8)
            // -0 equals 0.
            add((number == 0 ? 0 : number).bitPattern)
        case .boolean(let boolean): add(boolean ? 3 : 4 as UInt8)
        case .list(let values):
            add(5 as UInt8)
            add(UInt64(values.count))
            for value in values { add(value) }
        }
    }

    private mutating func add(_ number: UInt64) {
        for shift in stride(from: 0, to: 64, by: 8) {
            add(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    private mutating func add(_ byte: UInt8) {
        state = (state ^ UInt64(byte)) &* 0x100_0000_01b3
    }
}
