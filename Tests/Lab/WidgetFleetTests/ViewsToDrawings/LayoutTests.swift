import Foundation
import Testing
import WidgetTimelines

@testable import WidgetFleet

/// Where views are in a small widget of 158 × 158 points, as SwiftUI's documentation says it.
@Suite struct LayoutTests {
    private func areas(_ view: some View) -> [String] { Drawn(view).areas }

    @Test func `A stack divides its room among those who take any, after those who do not`() {
        let row = HStack(spacing: 4) {
            Color.red.frame(width: 50)
            Color.green
            Color.blue
        }
        #expect(areas(row) == ["red 0 0 50 158", "green 54 0 50 158", "blue 108 0 50 158"])
        let column = VStack(spacing: 8) {
            Color.red.frame(height: 30)
            Color.green
        }
        #expect(areas(column) == ["red 0 0 158 30", "green 0 38 158 120"])
    }

    @Test func `A spacer takes what others leave, and has no room beside it that nothing says`() {
        let row = HStack {
            Color.red.frame(width: 20, height: 10)
            Spacer()
            Color.blue.frame(width: 30, height: 20)
        }
        #expect(areas(row) == ["red 0 74 20 10", "blue 128 69 30 20"])
        #expect(
            areas(
                HStack {
                    Color.red
                    Spacer()
                }
            ) == ["red 0 0 150 158"]
        )
    }

    @Test func `A view with a higher priority gets its room first`() {
        let drawn = Drawn(
            HStack(spacing: 0) {
                Text("This is rather long for a line").lineLimit(1)
                Text("whole and nothing").lineLimit(1).layoutPriority(1)
            }
        )
        #expect(drawn.texts.last == "whole and nothing")
        #expect(drawn.texts.first?.hasSuffix("…") == true)
    }

    @Test func `Frames have their own size, and align what is in them`() {
        let box = Color.red.frame(width: 20, height: 20)
        #expect(
            areas(box.frame(width: 100, height: 50, alignment: .topLeading)) == ["red 29 54 20 20"]
        )
        #expect(areas(box.frame(maxWidth: .infinity, alignment: .trailing)) == ["red 138 69 20 20"])
        #expect(areas(Color.red.frame(maxWidth: 60, maxHeight: 40)) == ["red 49 59 60 40"])
        #expect(
            areas(box.frame(minWidth: 80).background(.blue)) == [
                "blue 39 69 80 20", "red 69 69 20 20",
            ]
        )
        #expect(areas(Color.red.frame(width: .nan, height: .infinity)) == ["red 0 0 158 158"])
    }

    @Test func `Padding is around, an offset only moves, and a position is that of the middle`() {
        let box = Color.red.frame(width: 20, height: 20)
        #expect(areas(Color.red.padding(.horizontal, 10)) == ["red 10 0 138 158"])
        #expect(areas(Color.red.padding()) == ["red 16 16 126 126"])
        #expect(
            areas(
                VStack(spacing: 0) {
                    box.offset(x: 5, y: -3)
                    box
                }
            ) == ["red 74 56 20 20", "red 69 79 20 20"]
        )
        #expect(areas(box.position(x: 30, y: 40)) == ["red 20 30 20 20"])
    }

    @Test func `What is in the back or in front is as large as the view, and aligned to it`() {
        let badge = Color.blue.frame(width: 30, height: 20)
        let view = Color.red.frame(width: 100, height: 100)
        #expect(
            areas(view.overlay(alignment: .topTrailing) { badge })
                == ["red 29 29 100 100", "blue 99 29 30 20"]
        )
        #expect(
            areas(view.background { Color.green }) == ["green 29 29 100 100", "red 29 29 100 100"]
        )
    }

    @Test func `Layers are as large as the largest of them, and the higher level is in front`() {
        let view = ZStack(alignment: .bottomLeading) {
            Color.red.frame(width: 10, height: 10).zIndex(1)
            Color.blue.frame(width: 60, height: 60)
        }
        #expect(areas(view) == ["blue 49 49 60 60", "red 49 99 10 10"])
    }

    @Test func `A view with a ratio of sides fits into its room, or fills it`() {
        #expect(areas(Color.red.aspectRatio(2, contentMode: .fit)) == ["red 0 40 158 79"])
        #expect(areas(Color.red.aspectRatio(2, contentMode: .fill)) == ["red -79 0 316 158"])
        let symbol = Image(systemName: "star").resizable().scaledToFit().frame(
            width: 60,
            height: 30
        )
        #expect(Drawn(symbol).numbers(Drawn(symbol).items[0]["frame"]) == [64, 64, 30, 30])
    }

    @Test func `A reader of geometry knows the room that it has`() {
        let bar = VStack(alignment: .leading, spacing: 0) {
            Color.gray.frame(height: 20)
            GeometryReader { room in Color.green.frame(width: room.size.width / 2) }.frame(
                height: 10
            )
        }
        #expect(areas(bar.padding(8)) == ["gray 8 64 142 20", "green 8 84 71 10"])
    }

    @Test func `Of several views the first that fits is drawn, or else the last one`() {
        let fits = ViewThatFits(in: .horizontal) {
            Color.red.frame(width: 200, height: 10)
            Color.green.frame(width: 150, height: 10)
            Color.blue.frame(width: 10, height: 10)
        }
        #expect(areas(fits) == ["green 4 74 150 10"])
        #expect(areas(fits.frame(width: 100)) == ["blue 74 74 10 10"])
        #expect(areas(fits.frame(width: 5)) == ["blue 74 74 10 10"])
    }

    @Test func `Guides say where views meet`() {
        let row = HStack(alignment: .firstTextBaseline, spacing: 0) {
            Text("big").font(.system(size: 40))
            Text("small").font(.system(size: 10))
        }
        let drawn = Drawn(row)
        #expect(abs(drawn.place("big").y - drawn.place("small").y) < 0.1)
        let column = VStack(alignment: .leading, spacing: 0) {
            Color.red.frame(width: 40, height: 20).alignmentGuide(.leading) { $0.width }
            Color.blue.frame(width: 40, height: 20)
        }
        #expect(areas(column) == ["red 39 59 40 20", "blue 79 79 40 20"])
    }

    @Test func `The rows of a grid share their columns`() {
        let cell = { (color: Color, width: CGFloat) in color.frame(width: width, height: 10) }
        let grid = Grid(alignment: .leading, horizontalSpacing: 4, verticalSpacing: 2) {
            GridRow {
                cell(.red, 30)
                cell(.green, 20)
            }
            GridRow {
                cell(.blue, 50)
                cell(.pink, 10).gridColumnAlignment(.trailing)
            }
            cell(.gray, 70)
        }
        #expect(
            areas(grid) == [
                "red 42 62 30 10", "green 96 62 20 10", "blue 42 74 50 10", "pink 106 74 10 10",
                "gray 42 86 70 10",
            ]
        )
    }

    @Test func `A row with fewer views than others leaves its last columns empty`() {
        let grid = Grid(horizontalSpacing: 10) {
            GridRow { Color.red.frame(height: 10) }
        }
        #expect(areas(grid) == ["red 0 74 158 10"])
        let two = Grid(horizontalSpacing: 8, verticalSpacing: 0) {
            GridRow {
                Color.red.frame(height: 10)
                Color.green.frame(height: 10)
            }
            GridRow { Color.blue.frame(height: 10) }
        }
        #expect(areas(two) == ["red 0 69 75 10", "green 83 69 75 10", "blue 0 79 75 10"])
    }

    @Test func `A lazy grid has columns that are fixed, share the room, or are as many as fit`() {
        let cells = ForEach(0..<3) { _ in Color.red.frame(height: 10) }
        let fixed = LazyVGrid(columns: [GridItem(.fixed(50)), GridItem()], spacing: 2) { cells }
        #expect(areas(fixed) == ["red 0 68 50 10", "red 58 68 100 10", "red 0 80 50 10"])
        let adaptive = LazyVGrid(columns: [GridItem(.adaptive(minimum: 40))]) { cells }
        #expect(areas(adaptive) == ["red 0 74 47 10", "red 55 74 47 10", "red 111 74 47 10"])
        let rows = LazyHGrid(rows: [GridItem(.fixed(10)), GridItem(.fixed(10))]) {
            ForEach(0..<3) { _ in Color.red.frame(width: 20) }
        }
        #expect(areas(rows) == ["red 55 65 20 10", "red 55 83 20 10", "red 83 65 20 10"])
    }

    @Test func `Views without a container are below each other, and in front where they share one`()
    {
        let views = Group {
            Color.red.frame(width: 20, height: 10)
            Color.blue.frame(width: 20, height: 10)
        }
        #expect(areas(views) == ["red 69 65 20 10", "blue 69 83 20 10"])
        #expect(
            areas(Color.gray.overlay { views })[1...] == ["red 69 74 20 10", "blue 69 74 20 10"]
        )
    }

    @Test func `A hidden view takes its room`() {
        let column = VStack(spacing: 0) {
            Color.red.frame(width: 10, height: 40).hidden()
            Color.blue.frame(width: 10, height: 40)
        }
        #expect(areas(column) == ["blue 74 79 10 40"])
    }

    @Test func `A widget has margins unless it disables them, or says no background`() {
        let view = Color.red.containerBackground(for: .widget) { Color.blue }
        #expect(Drawn(view, margins: true).areas == ["red 16 16 126 126", "blue 0 0 158 158"])
        #expect(Drawn(view, margins: false).areas == ["red 0 0 158 158", "blue 0 0 158 158"])
        let old = Drawn(Color.red, margins: true)
        #expect(old.areas == ["red 0 0 158 158"] && old.omissions.count == 1)
        #expect(Drawn(Color.red, .accessoryRectangular).areas == ["red 0 0 160 72"])
    }
}
