import Foundation
import WidgetTimelines

@testable import WidgetFleet

/// How far a date is away, and what is written then: the table that the page's script is tested
/// with, too (`Tests/IntegrationTests/test_device_page.py`).
struct DateCase: Codable, Equatable {
    /// From the moment of looking until the date.
    let milliseconds: Int64
    let style: TextLine.Style
    let text: String

    static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "date-texts.json")

    static func all() throws -> [DateCase] {
        try JSONDecoder().decode([DateCase].self, from: Data(contentsOf: file))
    }

    /// What Swift writes.
    static func written(_ milliseconds: Int64, _ style: TextLine.Style) -> String {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let date = now + Double(milliseconds) / 1_000
        let style: Text.DateStyle =
            switch style {
            case .relative: .relative
            case .offset: .offset
            case .timer: .timer
            }
        return Text(date, style: style).viewContent.lines(at: now)[0]
    }
}
