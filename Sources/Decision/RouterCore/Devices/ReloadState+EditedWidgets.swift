internal import Basics
internal import FrameCodec

/// The widgets of a device's former list that a new list has under other ids.
struct EditedWidgets {
    /// The former widgets by their new ids.
    var former: [[UInt8]: WidgetID] = [:]

    /// What two widgets have in common if one can be the other, edited.
    struct Look: Hashable {
        let kind: KindID
        let family: FamilyDigest
    }

    /// The widgets of a look that only one of the lists has.
    private struct Difference {
        var (went, came) = (0, 0)
        var widget = WidgetID.none
        var id: [UInt8] = []
    }

    private var differences: [Look: Difference] = [:]

    /// Adds a widget that is not listed any more.
    mutating func went(_ widget: WidgetID, look: Look) {
        differences[look, default: Difference()].went += 1
        differences[look]!.widget = widget
    }

    /// Adds a widget that was not listed before.
    mutating func came(_ id: [UInt8], look: Look) {
        differences[look, default: Difference()].came += 1
        differences[look]!.id = id
    }

    /// Finds the looks of which exactly one widget went and one came.
    mutating func finish() {
        for difference in differences.values where (difference.went, difference.came) == (1, 1) {
            former[difference.id] = difference.widget
        }
        differences = [:]
    }
}

extension ReloadState {
    /// Finds the widgets that a person has edited.
    ///
    /// WidgetKit gives a widget no name of its own, so an app names it by what it looks like, and
    /// it has another name with another configuration. If exactly one widget of a kind and family
    /// went and one came, it is the same one to its user, and keeps its budget.
    ///
    /// - Parameters:
    ///   - former: the widgets of the former list.
    ///   - app: the device's app.
    ///   - message: the new list, which was checked.
    ///   - out: is charged with the work.
    /// - Returns: what was found.
    /// - Throws: nothing, because the list was checked.
    mutating func editedWidgets(
        among former: [WidgetID],
        app: AppID,
        in message: WidgetsMessage,
        charging out: inout Outbox
    ) throws(ProtocolError) -> EditedWidgets {
        var found = EditedWidgets()
        if former.isEmpty { return found }
        var gone: [[UInt8]: WidgetID] = [:]
        for widget in former { gone[reloads.delivery.widgetName(widget).array] = widget }
        var list = message.makeWidgets()
        while let entry = try list.next() {
            out.work.charge(WorkCost.registration)
            let id = try scratch.identifiers.identifier(entry.id, of: "id").array
            if gone.removeValue(forKey: id) != nil { continue }
            let kind = try reloads.catalog.declaredKind(
                of: app,
                named: try scratch.identifiers.identifier(entry.kind, of: "kind")
            )
            found.came(
                id,
                look: EditedWidgets.Look(kind: kind, family: try scratch.family(of: entry))
            )
        }
        for widget in gone.values {
            let look = EditedWidgets.Look(
                kind: reloads.delivery.widgets[widget].kind,
                family: reloads.delivery.family(of: widget)
            )
            found.went(widget, look: look)
        }
        found.finish()
        return found
    }
}
