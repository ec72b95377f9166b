import Foundation
import Testing
import WidgetTimelines

@testable import WidgetFleet

@Suite struct ControlDrawingTests {
    @Test func `A gauge is a bar that is filled as far as its value, or has a marker there`() {
        let gauge = Gauge(value: 30, in: 20...40) {
            Text("°C")
        } currentValueLabel: {
            Text("30")
        } minimumValueLabel: {
            Text("20")
        } maximumValueLabel: {
            Text("40")
        }
        let filled = Drawn(gauge.gaugeStyle(.linearCapacity).tint(.red))
        #expect(filled.texts == ["°C", "20", "40", "30"])
        let widths = filled.items.filter { $0["path"] != nil }.map {
            filled.numbers($0["frame"])[2]
        }
        #expect(widths.count == 2 && abs(widths[1] - widths[0] / 2) < 0.1, "\(widths)")
        let marked = Drawn(
            gauge.gaugeStyle(.accessoryLinear).tint(Gradient(colors: [.blue, .red]))
        )
        #expect(
            marked.json.contains(
                #"{"linear":[0.0,0.5,1.0,0.5],"stops":[["blue",0.0],["red",1.0]]}"#
            )
        )
        let frames = marked.items.filter { $0["path"] != nil }.map { marked.numbers($0["frame"]) }
        #expect(abs(frames[1][0] + frames[1][2] / 2 - (frames[0][0] + frames[0][2] / 2)) < 0.1)
    }

    @Test func `A round gauge is an open ring with a marker, or one that is filled`() {
        let gauge = Gauge(value: 0.5) {
            Text("a")
        } currentValueLabel: {
            Text("50")
        }
        let open = Drawn(gauge.gaugeStyle(.accessoryCircular).tint(.green), .accessoryCircular)
        #expect(Set(open.texts) == ["50", "a"])
        #expect(open.items.filter { $0["line"] != nil }.count == 1)
        #expect(open.areas.contains { $0.hasPrefix("label") }, "the marker")
        let filled = Drawn(gauge.gaugeStyle(.accessoryCircularCapacity).tint(.green))
        let rings = filled.items.filter { $0["line"] != nil }.map { $0["paint"] as? String }
        #expect(rings == ["green/25", "green"] && filled.texts == ["50"])
        let outside = Drawn(Gauge(value: 50, in: 0...1) { Text("a") }.gaugeStyle(.linearCapacity))
        let widths = outside.items.filter { $0["path"] != nil }.map {
            outside.numbers($0["frame"])[2]
        }
        #expect(widths == [158, 158])
    }

    @Test func `Progress is a bar or a ring, and a spinner where it is not known`() {
        #expect(Drawn(ProgressView("Loading", value: 1, total: 4)).texts == ["Loading"])
        let bar = Drawn(ProgressView(value: 0.25).tint(.red))
        #expect(bar.areas == ["fill 0 77 158 5", "red 0 77 40 5"])
        #expect(Drawn(ProgressView()).areas == ["gray 69 69 20 20"])
        let ring = Drawn(ProgressView(value: 0.25).progressViewStyle(.circular))
        #expect(ring.items.filter { $0["line"] != nil }.count == 2)
        let until = Date(timeIntervalSince1970: 1_800_000_000)
        let timer = Drawn(ProgressView(timerInterval: until - 60...until + 90))
        #expect(timer.texts == ["1:30"])
    }

    @Test func `A button has the look of its style, or that which the app makes`() {
        struct Own: ButtonStyle {
            func makeBody(configuration: Configuration) -> some View {
                configuration.label.padding(4).background(.orange)
            }
        }
        #expect(Drawn(Button("a") {}.buttonStyle(.plain)).areas.isEmpty)
        #expect(Drawn(Button("a") {}).text("a")["paint"] as? String == "accentColor")
        let prominent = Drawn(Button("a") {}.buttonStyle(.borderedProminent).tint(.green))
        #expect(prominent.areas.first?.hasPrefix("green ") == true)
        #expect(prominent.text("a")["paint"] as? String == "white")
        #expect(Drawn(Button("a", role: .destructive) {}).text("a")["paint"] as? String == "red")
        let own = Drawn(VStack { Button("a") {} }.buttonStyle(Own()))
        #expect(own.areas.count == 1 && own.areas[0].hasPrefix("orange "))
        #expect(own.groups("role").first?["role"] as? String == "button")
    }

    @Test func `Labels, switches, gauges and progress are drawn by the app's own styles`() {
        struct OwnLabel: LabelStyle {
            func makeBody(configuration: Configuration) -> some View { configuration.title }
        }
        struct OwnToggle: ToggleStyle {
            func makeBody(configuration: Configuration) -> some View {
                HStack {
                    configuration.label
                    Text(configuration.isOn ? "yes" : "no")
                }
            }
        }
        struct OwnGauge: GaugeStyle {
            func makeBody(configuration: Configuration) -> some View {
                VStack {
                    Text("\(configuration.value)")
                    configuration.currentValueLabel
                }
            }
        }
        struct OwnProgress: ProgressViewStyle {
            func makeBody(configuration: Configuration) -> some View {
                Text("\(configuration.fractionCompleted ?? -1)")
            }
        }
        let label = Label("title", systemImage: "star")
        #expect(Drawn(label).texts == ["title"] && Drawn(label).symbols == ["star"])
        #expect(Drawn(label.labelStyle(.iconOnly)).texts.isEmpty)
        #expect(Drawn(label.labelStyle(OwnLabel())).symbols.isEmpty)
        #expect(Drawn(label.labelStyle(.titleAndIcon).labelStyle(OwnLabel())).symbols == ["star"])
        let toggle = Toggle("t", isOn: .constant(true))
        #expect(Drawn(toggle).groups("role").last?["value"] as? String == "on")
        #expect(Drawn(toggle.toggleStyle(OwnToggle())).texts == ["t", "yes"])
        let gauge = Gauge(value: 0.5) {
            Text("g")
        } currentValueLabel: {
            Text("c")
        }
        #expect(Drawn(gauge.gaugeStyle(OwnGauge())).texts == ["0.5", "c"])
        #expect(Drawn(ProgressView(value: 0.5).progressViewStyle(OwnProgress())).texts == ["0.5"])
    }

    @Test func `A control has its symbol and two lines, and the line beside the clock has one`() {
        let label = Label("Timer", systemImage: "timer")
        let control = Drawn(
            VStack {
                label
                Text("On")
                Text("more")
            },
            isControl: true
        )
        #expect(control.texts == ["Timer", "On"] && control.symbols == ["timer"])
        let line = Drawn(
            VStack {
                label
                Text("second")
            },
            .accessoryInline
        )
        #expect(line.texts == ["Timer"] && line.symbols == ["timer"])
    }
}
