import Foundation
import Testing
import WidgetTimelines

@Suite struct PathTests {
    private let rect = CGRect(x: 0, y: 0, width: 100, height: 40)

    private func bounds(_ path: Path) -> [Int] {
        let rect = path.boundingRect
        return [rect.minX, rect.minY, rect.width, rect.height].map { Int($0.rounded()) }
    }

    @Test func `Each shape is a path in any rectangle`() {
        #expect(Rectangle().path(in: rect).svg == "M0 0L100 0L100 40L0 40Z")
        #expect(bounds(Circle().path(in: rect)) == [30, 0, 40, 40])
        #expect(bounds(Ellipse().path(in: rect)) == [0, 0, 100, 40])
        for shape: any Shape in [
            Capsule(), RoundedRectangle(cornerRadius: 9),
            UnevenRoundedRectangle(topLeadingRadius: 9),
            ContainerRelativeShape(), AnyShape(Capsule()), Rectangle().inset(by: 0),
        ] {
            #expect(bounds(shape.path(in: rect)) == [0, 0, 100, 40], "\(shape)")
        }
    }

    @Test func `A shape is trimmed by its length, from where its path begins`() {
        let quarter = Circle().trim(from: 0, to: 0.25).path(in: rect)
        #expect(bounds(quarter) == [50, 20, 20, 20], "from the right downwards")
        #expect(quarter.currentPoint.map { Int($0.x.rounded()) } == 50)
        #expect(Rectangle().trim(from: 0, to: 0.5).path(in: rect).svg == "M0 0L100 0L100 40")
        #expect(Rectangle().path(in: rect).trimmedPath(from: 0.9, to: 0.1).isEmpty)
        #expect(Rectangle().trim(from: .nan, to: .nan).path(in: rect).isEmpty)
    }

    @Test func `Shapes are scaled, moved, turned and inset`() {
        #expect(bounds(Rectangle().scale(0.5).path(in: rect)) == [25, 10, 50, 20])
        #expect(
            bounds(Rectangle().scale(x: 0.5, anchor: .leading).path(in: rect)) == [0, 0, 50, 40]
        )
        #expect(bounds(Rectangle().offset(x: 5, y: -5).path(in: rect)) == [5, -5, 100, 40])
        #expect(bounds(Rectangle().rotation(.degrees(90)).path(in: rect)) == [30, -30, 40, 100])
        #expect(bounds(Rectangle().inset(by: 10).path(in: rect)) == [10, 10, 80, 20])
        #expect(
            bounds(Rectangle().inset(by: 30).path(in: rect))
                == [30, 20, 40, 0]
        )
        #expect(bounds(Rectangle().size(width: 20, height: 10).path(in: rect)) == [0, 0, 20, 10])
        #expect(bounds(Circle().inset(by: 5).inset(by: 5).path(in: rect)) == [40, 10, 20, 20])
    }

    @Test func `A shape of an app says itself what is inside of it`() {
        struct Half: InsettableShape {
            var amount: CGFloat = 0
            func path(in rect: CGRect) -> Path {
                Path(
                    CGRect(
                        x: amount,
                        y: amount,
                        width: rect.width / 2 - 2 * amount,
                        height: rect.height - 2 * amount
                    )
                )
            }
            func inset(by amount: CGFloat) -> Half { Half(amount: self.amount + amount) }
        }
        guard case .area(let outline, _) = Half().strokeBorder(.red, lineWidth: 4).viewContent
        else {
            Issue.record("a border is an area")
            return
        }
        #expect(outline.line?.lineWidth == 4)
        #expect(bounds(outline.path.value(in: rect)) == [2, 2, 46, 36])
    }

    @Test func `Arcs go around their centre in the direction that is said`() {
        func arc(_ isClockwise: Bool) -> Path {
            Path { path in
                path.addArc(
                    center: CGPoint(x: 50, y: 50),
                    radius: 10,
                    startAngle: .degrees(0),
                    endAngle: .degrees(90),
                    clockwise: isClockwise
                )
            }
        }
        #expect(bounds(arc(false)) == [50, 50, 10, 10], "in the sense of SwiftUI, downwards first")
        #expect(bounds(arc(true)) == [40, 40, 20, 20])
        let relative = Path {
            $0.addRelativeArc(center: .zero, radius: 10, startAngle: .zero, delta: .degrees(-90))
        }
        #expect(bounds(relative) == [0, -10, 10, 10])
        let pie = Path { path in
            path.move(to: .zero)
            path.addArc(
                center: .zero,
                radius: 10,
                startAngle: .zero,
                endAngle: .degrees(90),
                clockwise: false
            )
            path.closeSubpath()
        }
        #expect(pie.svg.hasPrefix("M0 0L10 0C10 ") && pie.svg.hasSuffix("Z"))
    }

    @Test func `Transformations are applied one after the other`() {
        let point = CGPoint(x: 1, y: 0)
        let moved = CGAffineTransform(translationX: 10, y: 0)
        #expect(point.applying(moved.scaledBy(x: 2, y: 2)) == CGPoint(x: 12, y: 0))
        #expect(
            point.applying(moved.concatenating(CGAffineTransform(scaleX: 2, y: 2)))
                == CGPoint(x: 22, y: 0)
        )
        let turned = point.applying(CGAffineTransform(rotationAngle: .pi / 2))
        #expect(abs(turned.x) < 1e-9 && abs(turned.y - 1) < 1e-9)
        let path = Path(CGRect(x: 0, y: 0, width: 1, height: 1)).applying(moved)
        #expect(path.boundingRect.minX == 10)
    }

    @Test func `Two outlines are equal if they are so in the same room`() {
        #expect(Circle().viewContent == Circle().viewContent)
        #expect(Circle().viewContent != Capsule().viewContent)
        #expect(Circle().viewContent != Circle().stroke(lineWidth: 2).viewContent)
        let reader = { (share: CGFloat) in
            GeometryReader { room in Text("\(Int(room.size.width * share))") }.viewContent
        }
        #expect(reader(1) == reader(1) && reader(1) != reader(0.5))
    }
}
