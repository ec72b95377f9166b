internal import Basics
internal import RouterSimulation
internal import WidgetTimelines

/// Previews of all kinds of widgets in all their sizes: as the first of some devices displays one,
/// or else as its provider makes a placeholder.
struct WidgetPreviews {
    /// The bytes after which no more previews are begun: a browser that is slow must have room for
    /// all (`HTTPServerLimits.unsentEventBytes`).
    static var bytesLimit: Int { 1 << 19 }
    /// The sizes that only other devices have than those that are shown.
    private static var otherFamilies: Set<WidgetFamily> {
        [.systemExtraLarge, .systemExtraLargePortrait, .accessoryCorner]
    }

    /// The previews as a JSON list.
    private(set) var json = ""

    private let engine: FleetEngine
    private let devices: Int

    /// Makes the previews, for which it looks at the first `devices` of a fleet.
    init(_ engine: FleetEngine, devices: Int) {
        self.engine = engine
        self.devices = min(devices, engine.begunCount)
        var writer = JSONWriter()
        writer.beginArray()
        for (kind, declaration) in engine.population.declarations.enumerated() {
            for family in families(of: declaration) where writer.bytes.count < Self.bytesLimit {
                writer.object { json in
                    write(kind, declaration: declaration, family: family, to: &json)
                }
            }
        }
        writer.endArray()
        json = String(decoding: writer.bytes, as: UTF8.self)
    }

    /// The sizes of a kind; of one that does not restrict them, those of a telephone.
    private func families(of declaration: WidgetDeclaration) -> [WidgetFamily] {
        let isAny = declaration.families.count == WidgetFamily.allCases.count
        return declaration.families.filter { !isAny || !Self.otherFamilies.contains($0) }
    }

    private func write(
        _ kind: Int,
        declaration: WidgetDeclaration,
        family: WidgetFamily,
        to json: inout JSONWriter
    ) {
        json.member("id", value: "\(declaration.kind) \(family)")
        json.member("kind", value: declaration.kind)
        json.member("displayName", value: declaration.displayName)
        json.member("summary", value: declaration.summary)
        json.member("family", value: family.description)
        json.member("isControl", value: declaration.isControl)
        let shown = engine.devices.prefix(devices).lazy.compactMap { device in
            device.widgets.first { $0.kind == kind && $0.family == family && !$0.isPlaceholder }
                .map { (device.name, $0) }
        }.first
        json.member("device", value: shown?.0)
        let context = TimelineProviderContext(
            family: family,
            isPreview: true,
            displaySize: family.displaySize
        )
        ViewDrawing.write(
            { scheme in
                if let shown { return shown.1.content(at: engine.now, in: scheme) }
                return declaration.provider.placeholder(in: context).render(scheme)
            },
            in: ViewDrawing.Place(
                family: family,
                isControl: declaration.isControl,
                hasMargins: declaration.hasMargins
            ),
            at: engine.now.date,
            calendar: engine.calendar,
            to: &json
        )
    }
}
