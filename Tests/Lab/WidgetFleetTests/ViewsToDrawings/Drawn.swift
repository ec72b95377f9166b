import Foundation
import WidgetTimelines

@testable import WidgetFleet

/// What is drawn of a view, read from its JSON.
struct Drawn {
    let json: String
    private let object: [String: Any]

    /// A view as a widget of a family without margins, or in place of one.
    init(
        _ view: some View,
        _ family: WidgetFamily = .systemSmall,
        margins: Bool = false,
        isControl: Bool = false,
        isPlaceholder: Bool = false
    ) {
        let place = ViewDrawing.Place(
            family: family,
            isControl: isControl,
            hasMargins: margins,
            isPlaceholder: isPlaceholder
        )
        json = ViewDrawing.json(
            of: view.viewContent,
            in: place,
            at: Date(timeIntervalSince1970: 1_800_000_000),
            calendar: .current
        )
        object = try! JSONSerialization.jsonObject(with: Data(json.utf8)) as! [String: Any]
    }

    /// All items, also those of groups, in their order.
    var items: [[String: Any]] { flat(object["items"]) + flat(object["background"]) }
    var omissions: [String] { object["omissions"] as? [String] ?? [] }

    private func flat(_ items: Any?) -> [[String: Any]] {
        (items as? [[String: Any]] ?? []).flatMap { [$0] + flat($0["items"]) + flat($0["mask"]) }
    }

    var texts: [String] { items.compactMap { $0["text"] as? String } }
    var symbols: [String] { items.compactMap { $0["symbol"] as? String } }

    /// The paints and frames of areas that a widget says, as numbers without decimals.
    var areas: [String] {
        items.filter { $0["path"] != nil }.map { "\($0["paint"] as? String ?? "?") \(frame($0))" }
    }

    private func frame(_ item: [String: Any]) -> String {
        numbers(item["frame"]).map { "\(Int($0.rounded()))" }.joined(separator: " ")
    }

    func numbers(_ value: Any?) -> [Double] { (value as? [NSNumber] ?? []).map(\.doubleValue) }

    /// The item of a text.
    func text(_ text: String) -> [String: Any] {
        items.first { $0["text"] as? String == text } ?? [:]
    }

    /// Where a text begins, and where its letters stand.
    func place(_ text: String) -> CGPoint {
        let numbers = numbers(self.text(text)["at"])
        return numbers.count == 2 ? CGPoint(x: numbers[0], y: numbers[1]) : CGPoint(x: -1, y: -1)
    }

    /// The groups that have a member.
    func groups(_ name: String) -> [[String: Any]] {
        items.filter { $0["items"] != nil && $0[name] != nil }
    }
}
