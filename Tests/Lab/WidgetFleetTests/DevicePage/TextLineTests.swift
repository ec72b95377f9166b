import Foundation
import Testing
import WidgetTimelines

@testable import WidgetFleet

@Suite struct TextLineTests {
    private func lines(_ view: some View) -> [TextLine] {
        view.viewContent.textLines(at: .now, calendar: .current)
    }

    @Test func `A line has the colour of its view, and a row that of its cells if it is one`() {
        let view = VStack {
            Text("a").foregroundStyle(.red)
            HStack {
                Image(systemName: "star")
                ProgressView(value: 0.4)
            }
            .foregroundColor(.blue)
            HStack {
                Text("b").foregroundStyle(.red)
                Text("c").foregroundStyle(Color(red: 1, green: 0, blue: 0, opacity: 0.5))
            }
        }
        .containerBackground(.mint, for: .widget)
        #expect(
            lines(view) == [
                TextLine("a", color: "red"), TextLine("[star] 40 %", color: "blue"),
                TextLine("b c"),
            ]
        )
        #expect(view.viewContent.background == "mint")
        let half = Text("c").foregroundStyle(Color(red: 1, green: 0, blue: 0, opacity: 0.5))
        #expect(lines(half)[0].color == "#FF0000/50")
    }
}
