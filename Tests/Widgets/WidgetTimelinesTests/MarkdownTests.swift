import Foundation
import Testing
import WidgetTimelines

@Suite struct MarkdownTests {
    private func text(_ text: Text) -> String { text.viewContent.lines(at: .now)[0] }
    private func names(_ text: Text) -> [String] { text.viewContent.notes.map(\.name) }

    @Test(
        arguments: [
            ("**bold** and *italic*", "bold and italic", ["bold", "italic"]),
            (
                "__a__ _b_ ~~c~~ `d*e*`", "a b c d*e*",
                ["bold", "italic", "strikethrough", "monospaced"]
            ),
            ("[site](https://a.example) now", "site now", ["foregroundStyle"]),
            ("**a *b* c**", "a b c", ["bold", "italic"]),
            ("2 * 3 * 4 and snake_case_name", "2 * 3 * 4 and snake_case_name", []),
            ("**open and `open and [open]", "**open and `open and [open]", []),
            ("\\*no\\* \\", "*no* \\", []),
            ("", "", []),
        ]
    )
    func `A literal has the styles that its marks say`(
        source: String,
        plain: String,
        styles: [String]
    ) {
        let made = Text(LocalizedStringKey(source))
        #expect(text(made) == plain && names(made) == styles)
    }

    @Test func `What is inserted keeps its marks, and may stand between others`() {
        let name = "*elf*"
        #expect(text(Text("**\(name)** wins")) == "*elf* wins")
        #expect(names(Text("**\(name)** wins")) == ["bold"])
        #expect(text(Text(verbatim: "**a**")) == "**a**")
        let variable = "**a**"
        #expect(text(Text(variable)) == "**a**")
    }
}
