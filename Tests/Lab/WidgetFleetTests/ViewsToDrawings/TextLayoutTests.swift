import Foundation
import Testing
import WidgetTimelines

@testable import WidgetFleet

@Suite struct TextLayoutTests {
    private let long = "Several words that need more than one line"

    @Test func `A text is broken at words, and aligned as it is said`() {
        for (alignment, share) in [(TextAlignment.leading, 0.0), (.center, 0.5), (.trailing, 1)] {
            let drawn = Drawn(Text(long).multilineTextAlignment(alignment))
            #expect(drawn.texts.joined(separator: " ") == long && drawn.texts.count > 1)
            let widths = drawn.texts.map { drawn.text($0)["width"] as! Double }
            let left = (158 - widths.max()!) / 2
            for (text, width) in zip(drawn.texts, widths) {
                let x = left + (widths.max()! - width) * share
                #expect(abs(Double(drawn.place(text).x) - x) < 0.5, "\(alignment) \(text)")
            }
        }
    }

    @Test func `Letters are as wide as on a telephone, in each weight and size`() {
        // Measured in points: Inter's own widths with Apple's room between letters.
        func width(_ view: some View) -> Double {
            Drawn(view.fixedSize()).items.first?["width"] as? Double ?? 0
        }
        #expect((86...96).contains(width(Text("Hello, world"))))
        #expect(width(Text("iii")) < width(Text("mmm")) / 2)
        #expect(width(Text("Hello").bold()) > width(Text("Hello")))
        #expect(width(Text("111").monospacedDigit()) == width(Text("888").monospacedDigit()))
        #expect(width(Text("é")) == width(Text("e")))
        #expect(width(Text("字")) == width(Text("界")))
        #expect(width(Text("ab").kerning(5)) > width(Text("ab")) + 9)
    }

    @Test func `A text has no more lines than it may, and dots where something is missing`() {
        func lines(_ view: some View) -> [String] { Drawn(view).texts }
        #expect(lines(Text(long).lineLimit(1)).count == 1)
        #expect(lines(Text(long).lineLimit(1))[0].hasSuffix("…"))
        #expect(lines(Text(long).lineLimit(1).truncationMode(.head))[0].hasPrefix("…"))
        #expect(lines(Text(long).frame(height: 25)).count == 1)
        #expect(lines(Text(long).lineLimit(2)).count == 2)
        #expect(lines(Text("Donaudampfschifffahrtsgesellschaft")).count == 2)
        #expect(lines(Text("one\ntwo")) == ["one", "two"])
    }

    @Test func `A text that may be smaller is, as far as it may and must`() {
        let drawn = Drawn(Text(long).lineLimit(1).minimumScaleFactor(0.3))
        #expect(drawn.texts == [long])
        let size = drawn.text(long)["size"] as? Double ?? 0
        #expect(size < 17 && size > 17 * 0.3)
        #expect((drawn.text(long)["width"] as? Double ?? 999) <= 158.1)
        let limited = Drawn(Text(long).lineLimit(1).minimumScaleFactor(0.9))
        #expect(limited.texts[0].hasSuffix("…"))
        #expect(Drawn(Text("short").minimumScaleFactor(0.3)).text("short")["size"] as? Double == 17)
    }

    @Test func `Pieces keep their styles, and the modifier nearest to a text counts`() {
        let drawn = Drawn(
            (Text("Hello ").bold() + Text("red").foregroundColor(.red)
                + Text(" \(Image(systemName: "star"))")).font(.caption).foregroundStyle(.green)
        )
        #expect(drawn.text("Hello ")["weight"] as? Int == 700)
        #expect(drawn.text("red")["paint"] as? String == "red")
        #expect(drawn.text("Hello ")["paint"] as? String == "green")
        #expect(drawn.text("red")["size"] as? Double == 12 && drawn.symbols == ["star"])
        let outer = Drawn(
            VStack {
                Text("a").font(.title)
                Text("b")
            }.font(.footnote).fontWeight(.heavy)
        )
        #expect(
            outer.text("a")["size"] as? Double == 28 && outer.text("b")["size"] as? Double == 13
        )
        #expect(outer.text("a")["weight"] as? Int == 800)
    }

    @Test func `A font has its size, weight and design; of one of the app only the size is known`()
    {
        func item(_ font: Font) -> [String: Any] { Drawn(Text("a").font(font)).text("a") }
        #expect(
            item(.headline)["weight"] as? Int == 600 && item(.headline)["size"] as? Double == 17
        )
        #expect(item(.headline.weight(.regular))["weight"] as? Int == 400)
        #expect(
            item(.system(size: 40, weight: .light, design: .rounded))["design"] as? String
                == "rounded"
        )
        #expect(item(.body.italic())["italic"] as? Bool == true)
        #expect(item(.custom("Avenir Next", size: 21))["size"] as? Double == 21)
        let own = Text("a").font(.custom("Avenir Next", size: 21))
        #expect(Drawn(own).omissions.contains("the font “Avenir Next”"))
    }

    @Test func `A text that is not there yet is a bar`() {
        for drawn in [
            Drawn(Text("secret").redacted(reason: .placeholder)),
            Drawn(Text("secret"), isPlaceholder: true),
        ] {
            #expect(drawn.texts.isEmpty && drawn.areas.count == 1 && !drawn.json.contains("secret"))
        }
        #expect(Drawn(Text("public").unredacted(), isPlaceholder: true).texts == ["public"])
    }
}
