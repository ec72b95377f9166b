import AppIntents
import SwiftUI
import Testing
import WidgetKit

/// The types of the tables in `Sources/Widgets/names` that have named values and can be compared.
@Suite("The named values of a type")
struct NamedValueTests {
    private func differ<Value: Equatable>(_ values: Value...) -> Bool {
        values.indices.allSatisfy { !values[..<$0].contains(values[$0]) }
    }

    @Test("are keys of a dictionary")
    func keys() {
        let sizes: [UIFont.TextStyle: Int] = [.title1: 28, .body: 17, .caption1: 12]
        #expect(sizes[.title1] == 28 && sizes[.body] == 17 && sizes[.title2] == nil)
    }

    @Test("differ: fonts and texts")
    func texts() {
        #expect(
            differ(
                UIFont.TextStyle.largeTitle,
                .title1,
                .title2,
                .title3,
                .headline,
                .subheadline,
                .body,
                .callout,
                .footnote,
                .caption1,
                .caption2
            )
        )
        #expect(differ(UIFont.Weight.light, .regular, .medium, .semibold, .bold, .heavy))
        #expect(
            differ(
                Font.Weight.ultraLight,
                .thin,
                .light,
                .regular,
                .medium,
                .semibold,
                .bold,
                .heavy,
                .black
            )
        )
        #expect(differ(Font.Width.compressed, .condensed, .standard, .expanded))
        #expect(differ(Text.Scale.default, .secondary))
        #expect(differ(Text.LineStyle.Pattern.solid, .dot, .dash, .dashDot, .dashDotDot))
        let lines: Set<Text.LineStyle> = [.single, .init(pattern: .dot), .init(color: .red)]
        #expect(lines.count == 3 && lines.contains(Text.LineStyle(pattern: .solid)))
    }

    @Test("differ: pictures and colours")
    func pictures() {
        #expect(differ(DisplayRepresentation.Image.DisplayStyle.default, .circular))
        #expect(
            differ(
                SymbolVariants.none,
                .fill,
                .circle,
                .square,
                .rectangle,
                .slash,
                .circle.fill,
                .circle.slash,
                .square.circle
            )
        )
        #expect(
            differ(
                SymbolEffect.bounce,
                .pulse,
                .variableColor,
                .scale,
                .rotate,
                .wiggle,
                .breathe
            )
        )
        #expect(differ(SymbolEffectOptions.default, .repeating, .nonRepeating))
        #expect(differ(Gradient.ColorSpace.device, .perceptual))
        #expect(differ(Glass.regular, .clear, .identity))
    }

    @Test("differ: what moves")
    func animations() {
        #expect(
            differ(
                Animation.default,
                .linear,
                .easeIn,
                .easeOut,
                .easeInOut,
                .spring,
                .smooth,
                .snappy,
                .bouncy,
                .linear(duration: 1),
                .easeIn(duration: 1),
                .easeOut(duration: 1),
                .easeInOut(duration: 1),
                .spring()
            )
        )
        #expect(
            differ(
                ContentTransition.identity,
                .opacity,
                .interpolate,
                .symbolEffect,
                .numericText(countsDown: true),
                .numericText(value: 1)
            )
        )
    }

    @Test("differ: places and parts of views")
    func places() {
        #expect(differ(HorizontalAlignment.leading, .center, .trailing))
        #expect(
            differ(VerticalAlignment.top, .center, .bottom, .firstTextBaseline, .lastTextBaseline)
        )
        #expect(differ(AccessibilityChildBehavior.ignore, .contain, .combine))
        #expect(differ(ContainerBackgroundPlacement.widget, .navigation))
        #expect(differ(ButtonRole.destructive, .cancel))
        #expect(
            differ(
                ButtonBorderShape.automatic,
                .capsule,
                .circle,
                .roundedRectangle,
                .roundedRectangle(radius: 1)
            )
        )
    }

    @Test("differ: widgets and live activities")
    func widgets() {
        #expect(differ(LevelOfDetail.default, .simplified))
        #expect(
            differ(
                WidgetLocation.homeScreen,
                .lockScreen,
                .standBy,
                .iPhoneWidgetsOnMac,
                .carPlay
            )
        )
        #expect(differ(WidgetMountingStyle.elevated, .recessed))
        #expect(differ(WidgetTexture.glass, .paper))
        #expect(
            differ(
                WidgetAccentedRenderingMode.accented,
                .accentedDesaturated,
                .desaturated,
                .fullColor
            )
        )
        #expect(differ(RelevantContext.DateKind.default, .informational, .scheduled))
        #expect(
            differ(DynamicIslandMode.expanded, .compactLeading, .compactTrailing, .minimal)
        )
        #expect(differ(DynamicIslandExpandedRegionVerticalPlacement.default, .belowIfTooWide))
    }
}
