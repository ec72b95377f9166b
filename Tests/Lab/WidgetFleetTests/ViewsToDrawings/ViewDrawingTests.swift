import Basics
import Foundation
import Testing
import WidgetTimelines

@testable import WidgetFleet

/// What the page gets of views; `test_device_page.py` looks at what it paints of that.
@Suite struct ViewDrawingTests {
    /// Views, and what must be in their JSON.
    private let drawn: [(any View, String)] = [
        (Text("a").foregroundStyle(.red), #""paint":"red""#),
        (Text("a").foregroundStyle(.secondary), #""paint":"secondary""#),
        (Text("a").foregroundStyle(.secondary).foregroundStyle(.red), #""paint":"red/50""#),
        (Text("a").foregroundStyle(.tint).tint(.pink), #""paint":"pink""#),
        (Color.red.opacity(0.5).opacity(0.5), #""paint":"red/25""#),
        (Color.red.mix(with: .blue, by: 0.3), #""paint":"mix(red,blue,30)""#),
        (
            LinearGradient(colors: [.white, .blue], startPoint: .top, endPoint: .bottom),
            #""paint":{"linear":[0.5,0.0,0.5,1.0],"stops":[["white",0.0],["blue",1.0]]}"#
        ),
        (
            AngularGradient(colors: [.red], center: .center, angle: .degrees(90)),
            #""paint":{"angular":[0.5,0.5,90.0,450.0],"stops":[["red",0.0]]}"#
        ),
        (
            EllipticalGradient(colors: [.red], center: .top),
            #""paint":{"elliptical":[0.5,0.0,0.0,0.5],"stops":[["red",0.0]]}"#
        ),
        (Rectangle().fill(.blue.gradient), #""stops":[["blend(blue,white,20)",0.0],["blue",1.0]]"#),
        (Text("a").background(.ultraThinMaterial), #""paint":{"material":"ultraThinMaterial"}"#),
        (Triangle(), #"{"path":"M79 0L158 158L0 158Z","frame":[0.0,0.0,158.0,158.0]"#),
        (
            Rectangle().stroke(
                .red,
                style: StrokeStyle(lineWidth: 3, lineCap: .round, dash: [4, 2])
            ),
            #""line":3.0,"cap":"round","join":"miter","dash":[4.0,2.0],"dashPhase":0.0"#
        ),
        (Rectangle().strokeBorder(.red, lineWidth: 8), #""path":"M4 4L154 4L154 154L4 154Z""#),
        (Rectangle().fill(.red, style: FillStyle(eoFill: true)), #""evenOdd":true"#),
        (Color.red.clipShape(Triangle()), #"{"clip":"M79 0L158 158L0 158Z","items":[{"path""#),
        (Color.red.mask { Text("m") }, #"{"mask":[{"text":"m""#),
        (Text("a").opacity(0.5), #"{"opacity":0.5,"items":["#),
        (
            Text("a").shadow(color: .blue, radius: 2, x: 1, y: 3),
            #"{"filter":"drop-shadow 1.0px 3.0px 2.0px blue","items""#
        ),
        (Color.red.rotationEffect(.degrees(30)), #"{"turn":[30.0,79.0,79.0],"items""#),
        (Color.red.scaleEffect(2, anchor: .topLeading), #"{"scale":[2.0,2.0,0.0,0.0],"items""#),
        (Color.red.blendMode(.plusLighter), #"{"blend":"plus-lighter","items""#),
        (Text("a").environment(\.colorScheme, .dark), #"{"scheme":"dark","items":[{"text":"a""#),
        (
            Link("a", destination: URL(string: "https://a.example")!),
            #"{"role":"link","value":"https://a.example","#
        ),
        (Image(systemName: "bell").symbolVariant(.fill), #"{"symbol":"bell.fill","#),
        (
            Image(systemName: "bell").symbolRenderingMode(.palette).foregroundStyle(.red, .blue),
            #""paints":["red","blue"],"mode":"palette""#
        ),
        (Image(systemName: "bell").font(.system(size: 50)), #""frame":[49.0,49.0,60.0,60.0]"#),
    ]

    @Test func `A view is written with what is drawn of it`() {
        for (view, expected) in drawn {
            let json = Drawn(view).json
            #expect(json.contains(expected), "\(json)")
        }
    }

    @Test func `What a view says is text in the JSON, and numbers are always numbers`() {
        let view = Text("\"</script>\u{0}!").frame(width: .nan, height: -.infinity).offset(x: .nan)
        #expect(Drawn(view).texts == ["\"</script>\u{0}!"])
        #expect(
            Drawn(Path { $0.move(to: CGPoint(x: CGFloat.nan, y: .infinity)) }).json.contains(
                "M0 0"
            )
        )
    }

    @Test func `What is not drawn is said in words`() {
        let omissions: [(any View, String)] = [
            (Image("logo"), "the picture “logo”"),
            (Color("brand"), "the colour “brand” of the app’s catalogue"),
            (Text("a").foregroundStyle(Color("ink")), "the colour “ink” of the app’s catalogue"),
            (Text("a").luminanceToAlpha(), "the modifier luminanceToAlpha"),
            (Text("a").rotation3DEffect(.zero, axis: (1, 0, 0)), "the modifier rotation3DEffect"),
        ]
        for (view, words) in omissions {
            let drawn = Drawn(view.containerBackground(.white, for: .widget))
            #expect(drawn.omissions == [words])
        }
        let plain = Text("a").accessibilityLabel("b").id(1).animation(.default, value: 1)
        #expect(Drawn(plain.containerBackground(.white, for: .widget)).omissions.isEmpty)
    }

    @Test func `A view that is too large, too deep or too long is cut, which is said`() {
        struct Deep: View {
            let level: Int
            var body: some View {
                AnyView(
                    level == 0 ? AnyView(Text("end")) : AnyView(VStack { Deep(level: level - 1) })
                )
            }
        }
        let deep = Drawn(Deep(level: 300))
        #expect(deep.texts.isEmpty && deep.omissions.contains("what is more than 256 levels deep"))
        #expect(Drawn(Deep(level: 60)).texts == ["end"])
        let many = Drawn(ForEach(0..<5_000) { _ in Color.red.frame(height: 1) })
        #expect(many.json.utf8.count < ViewDrawing.bytesLimit + 1_000)
        #expect(many.omissions.contains("what is beyond 64 KB"))
        let points = (0..<5_000).map { CGPoint(x: $0, y: 0) }
        let path = Drawn(Path { $0.addLines(points) })
        #expect(path.areas.isEmpty && path.omissions.contains("a path of more than 16 KB"))
        #expect(Drawn(Text(String(repeating: "x ", count: 5_000))).json.utf8.count < 30_000)
    }

    @Test func `Another view in a dark environment is written too`() {
        struct Scheme: View {
            @Environment(\.colorScheme) private var scheme
            var body: some View { Text("\(scheme)") }
        }
        func members(_ view: some View) -> String {
            let object = JSONWriter.object { json in
                let content = { (scheme: ColorScheme) in
                    EnvironmentValues.run({ $0.colorScheme = scheme }) { view.viewContent }
                }
                ViewDrawing.write(
                    { content($0) },
                    in: .init(family: .systemSmall),
                    at: .now,
                    calendar: .current,
                    to: &json
                )
            }
            return String(decoding: object, as: UTF8.self)
        }
        let both = members(Scheme())
        #expect(both.contains(#""text":"light""#) && both.contains(#""darkView":{"#))
        #expect(both.contains(#""text":"dark""#))
        #expect(!members(Text("same")).contains("darkView"))
    }
}

private struct Triangle: Shape {
    func path(in rect: CGRect) -> Path {
        var path = Path()
        path.move(to: CGPoint(x: rect.midX, y: rect.minY))
        path.addLine(to: CGPoint(x: rect.maxX, y: rect.maxY))
        path.addLine(to: CGPoint(x: rect.minX, y: rect.maxY))
        path.closeSubpath()
        return path
    }
}
