internal import Foundation
internal import WidgetTimelines

/// What the modifiers around a view say of how it is drawn.
struct ViewStyle {
    var font = FontStyle()
    /// What a font's own weight and design are replaced with.
    var weight: Int?
    var design: String?
    var isItalic = false
    var isTabular = false
    /// What is drawn with, the most important first.
    var foreground: [Paint] = [.label]
    var tint: Paint?
    var isUnderlined = false
    var isStruck = false
    var kerning: CGFloat = 0
    var baselineOffset: CGFloat = 0
    var letters: String?
    var alignment = "leading"
    var lineLimit: Int?
    var lineSpacing: CGFloat = 0
    var leastScale: CGFloat = 1
    var truncation = "tail"
    var imageScale = "medium"
    var variant = ""
    var renderingMode: String?
    /// The styles of controls by the modifiers' names; nil if the app draws them.
    var styles: [String: String] = [:]
    var hidesLabels = false
    var isRedacted = false
    /// The direction of the stack that the view is in.
    var axis: Axis?

    /// The font of texts.
    var textFont: FontStyle {
        var font = font
        if let weight { font.weight = weight }
        if let design { font.design = design }
        font.isItalic = font.isItalic || isItalic
        font.isTabular = font.isTabular || isTabular
        return font
    }

    /// The side of a symbol beside texts.
    var symbolSide: CGFloat {
        font.size * (["small": 0.95, "large": 1.55][imageScale] ?? 1.2)
    }

    /// Takes over what a modifier says; returns false if it is none of those.
    mutating func apply(_ note: ViewNote) -> Bool {
        applyFont(note) || applyText(note) || applyPaint(note) || applyControl(note)
    }

    private mutating func applyFont(_ note: ViewNote) -> Bool {
        let word = note.value.word
        switch note.name {
        case "font": if let word { font = FontStyle(description: word) }
        case "fontWeight": weight = word.flatMap { FontStyle.weights[$0] } ?? weight
        case "fontDesign": design = word == "default" ? "" : word ?? design
        case "bold": weight = note.isOn ? 700 : nil
        case "italic": isItalic = note.isOn
        case "monospaced": design = note.isOn ? "monospaced" : nil
        case "monospacedDigit": isTabular = true
        default: return false
        }
        return true
    }

    private mutating func applyText(_ note: ViewNote) -> Bool {
        let number = note.value.number
        switch note.name {
        case "underline": isUnderlined = note.isOn
        case "strikethrough": isStruck = note.isOn
        case "kerning", "tracking": kerning = number ?? 0
        case "baselineOffset": baselineOffset = number ?? 0
        case "textCase": letters = note.value.word
        case "multilineTextAlignment": alignment = note.value.word ?? alignment
        case "lineLimit": lineLimit = number.map { max(1, Int(min(1_000, $0))) }
        case "lineSpacing": lineSpacing = number ?? 0
        case "minimumScaleFactor": leastScale = min(1, max(0.05, number ?? 1))
        case "truncationMode": truncation = note.value.word ?? truncation
        default: return false
        }
        return true
    }

    private mutating func applyPaint(_ note: ViewNote) -> Bool {
        switch (note.name, note.value) {
        case ("foregroundStyle", .paint(let paint)): foreground = [resolved(paint)]
        case ("foregroundStyle", .paints(let paints)): foreground = paints.map(resolved)
        case ("foregroundStyle", _): break
        case ("tint", .paint(let paint)): tint = resolved(paint)
        case ("tint", _): tint = nil
        case ("symbolRenderingMode", _): renderingMode = note.value.word
        case ("imageScale", _): imageScale = note.value.word ?? imageScale
        case ("symbolVariant", _): variant = note.value.word == "none" ? "" : note.value.word ?? ""
        case ("redacted", _): isRedacted = note.isOn
        case ("unredacted", _): isRedacted = false
        default: return false
        }
        return true
    }

    private mutating func applyControl(_ note: ViewNote) -> Bool {
        switch note.name {
        case "buttonStyle", "labelStyle", "gaugeStyle", "progressViewStyle", "toggleStyle",
            "buttonBorderShape", "controlSize":
            styles[note.name] = note.value.word
        case "labelsHidden": hidesLabels = true
        default: return false
        }
        return true
    }

    // MARK: - Paints

    /// The paint that is meant here by one that depends on the view around.
    func resolved(_ paint: Paint) -> Paint {
        switch paint {
        case .material: return paint
        case .gradient(let kind, let numbers, let stops):
            let stops = stops.map { stop in
                Gradient.Stop(color: color(stop.color), location: stop.location)
            }
            return .gradient(kind: kind, numbers, stops)
        case .color(let color):
            switch color.description {
            case "foreground", "ForegroundStyle": return foreground[0]
            case "tint", "TintShapeStyle", "accentColor", "SelectionShapeStyle":
                return tint ?? .color(.accentColor)
            default: return level(color) ?? paint
            }
        }
    }

    private func color(_ color: Color) -> Color { resolved(Paint.color(color)).color ?? color }

    private func level(_ color: Color) -> Paint? {
        guard let level = Int(color.description.dropFirst(5)), color.description.hasPrefix("level")
        else { return nil }
        if level <= foreground.count { return foreground[level - 1] }
        if foreground[0] == .label {
            return .color(named: ["", "secondary", "tertiary", "quaternary", "quinary"][level - 1])
        }
        return foreground[0].opacity([1, 0.5, 0.25, 0.2, 0.15][level - 1])
    }
}

extension Paint {
    /// That of texts where nothing else is said.
    static let label = Paint.color(.primary)

    static func color(named name: String) -> Paint { .color(Color(description: name)) }
}

extension NoteValue {
    /// The name that a modifier gets.
    var word: String? {
        if case .text(let text) = self { return text }
        return nil
    }

    /// The first number that a modifier gets.
    var number: CGFloat? {
        guard case .numbers(let numbers) = self, let number = numbers.first else { return nil }
        return number?.isNaN == true ? nil : number
    }
}

extension ViewNote {
    var isOn: Bool { value.word == "on" }
}
