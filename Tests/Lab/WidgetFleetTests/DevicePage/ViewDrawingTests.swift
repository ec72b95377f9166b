import Basics
import Foundation
import Testing
import WidgetTimelines

@testable import WidgetFleet

/// What the page gets of views; `test_device_page.py` looks at what it draws of that.
@Suite struct ViewDrawingTests {
    private func json(_ view: some View) -> String {
        ViewDrawing.json(of: view.viewContent, at: .now, calendar: .current)
    }

    /// Views, and what must be in their JSON.
    private let drawn: [(any View, String)] = [
        (Text("a").foregroundStyle(.red), #"{"text":["a"],"notes":[["foregroundStyle","red"]]}"#),
        (
            Text("a").bold() + Text(" b \(Image(systemName: "star.fill"))"),
            #"{"text":[{"runs":["a"],"notes":[["bold","on"]]}," b ",{"symbol":"star.fill"}]}"#
        ),
        (Image(systemName: "heart"), #"{"symbol":"heart"}"#),
        (Image("logo").resizable(), #"{"image":"logo","notes":[["resizable",null]]}"#),
        (
            VStack(alignment: .leading, spacing: 4) { ForEach([1]) { Text("\($0)") } },
            #"{"column":[{"text":["1"]}],"align":["leading","center"],"spacing":4.0}"#
        ),
        (
            HStack { ViewThatFits { Spacer(minLength: 3) } },
            #"{"row":[{"spacer":3.0}],"align":["center","center"],"spacing":null}"#
        ),
        (
            Text("a").padding(.horizontal).frame(maxWidth: .infinity, alignment: .topLeading),
            #"["padding",[0.0,16.0,0.0,16.0]],["frame",[null,1000000.0,null,null],["leading","top"]]"#
        ),
        (
            LinearGradient(colors: [.white, .blue], startPoint: .top, endPoint: .bottom),
            #""paint":{"linear":[0.5,0.0,0.5,1.0],"stops":[["white",0.0],["blue",1.0]]}"#
        ),
        (
            AngularGradient(colors: [.red], center: .center, angle: .degrees(90)),
            #""paint":{"angular":[0.5,0.5,90.0,450.0],"stops":[["red",0.0]]}"#
        ),
        (
            Circle().trim(from: 0, to: 0.75).stroke(.green, lineWidth: 6).rotationEffect(
                .degrees(90)
            ),
            #""kind":"Circle","radii":[],"part":[0.0,0.75],"degrees":0.0,"inset":0.0,"line":6.0,"#
        ),
        (
            Text("a").background(.ultraThinMaterial),
            #"["background",{"material":"ultraThinMaterial"}]"#
        ),
        (
            Text("a").background(.red, in: RoundedRectangle(cornerRadius: 8)),
            #"["background",{"kind":"RoundedRectangle","radii":[8.0],"#
        ),
        (
            Text("a").overlay(alignment: .bottom) { Image(systemName: "bell") },
            #"["overlay",{"symbol":"bell"},["center","bottom"]]"#
        ),
        (
            Gauge(value: 3, in: 0...4) { Text("g") }.gaugeStyle(.accessoryCircular),
            #""notes":[["Gauge",null],["gaugeStyle","accessoryCircular"]]}"#
        ),
        (
            Text("a").environment(\.colorScheme, .dark),
            #"{"text":["a"],"notes":[["colorScheme","dark"]]}"#
        ),
        (Triangle(), #"{"kind":"path","path":"M50.0 0.0L100.0 100.0L0.0 100.0Z""#),
    ]

    @Test func `A view is written with what is drawn of it`() {
        for (view, expected) in drawn {
            #expect(json(view).contains(expected), "\(json(view))")
        }
    }

    @Test func `What a view says is text in the JSON, and numbers are always numbers`() throws {
        let view = Text("\"</script>\u{0}\n").opacity(.nan).frame(width: .nan, height: -.infinity)
        let data = Data(json(view).utf8)
        let object = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(object["text"] as? [String] == ["\"</script>\u{0}\n"])
    }

    @Test func `A view that is too large, too deep or too long is cut`() {
        struct Deep: View {
            let level: Int
            var body: some View {
                AnyView(
                    level == 0 ? AnyView(Text("end")) : AnyView(VStack { Deep(level: level - 1) })
                )
            }
        }
        let deep = json(Deep(level: 200))
        #expect(deep.count(of: "\"column\"") == ViewDrawing.depthLimit && !deep.contains("end"))
        let many = json(ForEach(0..<5_000) { Text("\($0)") })
        #expect(many.utf8.count < ViewDrawing.bytesLimit + 100 && many.contains("999"))
        var path = Path()
        path.addLines((0..<5_000).map { CGPoint(x: $0, y: 0) })
        #expect(json(path).utf8.count < 200)
        #expect(json(Text(String(repeating: "x", count: 5_000))).count(of: "x") < 1_010)
    }

    @Test func `Another view in a dark environment is written too`() {
        struct Scheme: View {
            @Environment(\.colorScheme) private var scheme
            var body: some View { Text("\(scheme)") }
        }
        func members(_ view: some View) -> String {
            let object = JSONWriter.object { json in
                let content = { (scheme: ColorScheme) in
                    view.environment(\.colorScheme, scheme).viewContent
                }
                ViewDrawing.write({ content($0) }, at: .now, calendar: .current, to: &json)
            }
            return String(decoding: object, as: UTF8.self)
        }
        #expect(members(Scheme()).contains(#""darkView":{"text":["dark"]"#))
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

extension String {
    fileprivate func count(of text: String) -> Int { components(separatedBy: text).count - 1 }
}
