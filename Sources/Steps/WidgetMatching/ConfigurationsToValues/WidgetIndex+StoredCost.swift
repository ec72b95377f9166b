package import Basics

/// The cost that storing a widget would add to an index, in bytes as `StoredCost` counts them.
package struct WidgetCost: Equatable, Sendable {
    /// The layout (set of parameter names) that the widget would have among those of its kind.
    package enum Layout: Equatable, Sendable {
        /// The layout is stored, because a widget of the kind has it already: the number of its
        /// shape.
        case stored(ShapeID)
        /// The layout would be new: its cost, and bytes that identify the kind and the parameter
        /// names.
        case new(Int, identity: [UInt8])
    }

    /// The cost of the widget itself, without its id.
    package let own: Int
    /// The layout, and its cost if it is new.
    package let layout: Layout
    /// The number of values of the configuration.
    package let valueCount: Int
    /// The size of the patterns among them; see `RouterLimits.patternsPerDevice`.
    package let patternSize: Int
}

/// Accounting for the bytes that are stored; see `StoredCost`.
///
/// `store` and `release` are the only ways into and out of the tables, and both update the totals.
extension WidgetIndex {
    /// Bytes of all widgets, without their ids.
    package var storedCost: Int { storedCosts.total }

    /// Bytes of a kind's widgets, without their ids; 0 exactly if there are none.
    package func storedCost(of kind: KindID) -> Int { storedCosts[kind] }

    /// The number of a kind's widgets.
    package func widgetCount(of kind: KindID) -> Int { storedCosts.widgetCount(of: kind) }

    /// The cost of a widget of a kind with the configuration in `draft`.
    mutating func cost(ofKind kind: KindID) -> WidgetCost {
        WidgetCost(
            own: configurationCost,
            layout: findLayout(of: kind),
            valueCount: draft.configuration.values.count,
            patternSize: patternSize(of: kind)
        )
    }

    /// The bytes that removing widgets would free.
    ///
    /// - Parameters:
    ///   - removed: stored widgets, each once. A layout is freed if they are all of its widgets.
    ///   - kept: shapes that are about to get other widgets, so that their layouts stay.
    /// - Returns: bytes of `StoredCost`, without ids.
    package func freedCost(removing removed: [WidgetID], keeping kept: Set<ShapeID>) -> Int {
        var freed = 0
        var users: [ShapeID: UInt32] = [:]
        for widget in removed {
            freed += cost(of: widgets[widget])
            users[latest(widgets[widget].shape), default: 0] += 1
        }
        for (shape, count) in users where widgetCount(of: shape) == count && !kept.contains(shape) {
            freed += layoutCost(shape)
        }
        return freed
    }

    /// A shape, or its successor.
    private func latest(_ shape: ShapeID) -> ShapeID {
        shapes[shape].successor == .none ? shape : shapes[shape].successor
    }

    /// The number of widgets of a shape without a successor, and of the one whose successor it is.
    private func widgetCount(of number: ShapeID) -> UInt32 {
        let shape = shapes[number]
        if shape.former == .none { return shape.references }
        return shape.references - 1 + shapes[shape.former].references
    }

    /// Computes `storedCost` from scratch, to check it.
    ///
    /// - Complexity: proportional to what is stored.
    package func countStoredCost() -> Int {
        var sum = 0
        for widget in widgets.ids where isStored(widget) { sum += cost(of: widgets[widget]) }
        for shape in shapes.numbers
        where shapes[shape].references > 0 && shapes[shape].successor == .none {
            sum += layoutCost(shape)
        }
        return sum
    }

    // MARK: - Configurations

    /// The cost of a widget with the configuration in `draft`.
    var configurationCost: Int {
        var cost = StoredCost.widget
        for index in 0..<draft.configuration.parameters.count {
            let parameter = draft.configuration.parameters[index]
            if parameter.isList { cost += StoredCost.value }
            for value in parameter.firstValue..<parameter.endValue {
                cost += StoredCost.value + StoredCost.text(draft.configuration.values[value].count)
                if parameter.isList { cost += StoredCost.element }
            }
        }
        return cost
    }

    func cost(of widget: StoredWidget) -> Int {
        var cost = StoredCost.widget
        for position in 0..<Int(shapes[widget.shape].parameterCount) {
            cost += self.cost(ofValue: value(of: widget, at: position))
        }
        return cost
    }

    /// The cost of a stored value: of a scalar, or of a list with its elements.
    private func cost(ofValue value: ValueID) -> Int {
        if values.tag(of: value) != .list {
            return StoredCost.value + StoredCost.text(values.bytes(of: value).count)
        }
        var cost = StoredCost.value
        for position in 0..<values.elementCount(of: value) {
            cost += StoredCost.element + self.cost(ofValue: values.element(of: value, at: position))
        }
        return cost
    }

    // MARK: - Layouts

    func layoutCost(_ shape: ShapeID) -> Int {
        let shape = shapes[shape]
        var cost = StoredCost.layout
        for position in 0..<Int(shape.parameterCount) {
            let name = vocabulary.names.bytes(of: values.name(of: shape.layout, at: position))
            cost += StoredCost.layoutParameter + StoredCost.text(name.count)
        }
        return cost
    }

    /// The layout of the configuration in `draft`, among those of a kind.
    private mutating func findLayout(of kind: KindID) -> WidgetCost.Layout {
        let count = draft.configuration.parameters.count
        draft.keyWords.truncate(to: 0)
        for index in 0..<count {
            let name = draft.configuration.name(draft.configuration.parameters[index])
            draft.keyWords.append(Word(vocabulary.names.find(name).orNone))
        }
        draft.keyWords.sort { $0.name < $1.name }
        if let layout = values.find(TypedValue(tag: .layout, bytes: wordBytes)),
            let shape = shapes.find(kind, layout: layout)
        {
            return .stored(shape)
        }
        var cost = StoredCost.layout
        var names: [[UInt8]] = []
        for index in 0..<count {
            let name = draft.configuration.name(draft.configuration.parameters[index])
            cost += StoredCost.layoutParameter + StoredCost.text(name.count)
            names.append(name.array)
        }
        names.sort { $0.lexicographicallyPrecedes($1) }
        var identity = [
            UInt8(truncatingIfNeeded: kind.rawValue), UInt8(truncatingIfNeeded: kind.rawValue >> 8),
        ]
        for name in names { identity += [UInt8(name.count)] + name }
        return .new(cost, identity: identity)
    }
}

/// The cost of an index's widgets in bytes as `StoredCost` counts them, and their number, by kind
/// and in total.
struct StoredCosts {
    /// Bytes of all widgets.
    private(set) var total = 0
    private var byKind = NumberedArray<KindID, Int>()
    private var widgetsByKind = NumberedArray<KindID, Int>()

    /// Bytes of a kind's widgets; 0 exactly if none is stored.
    subscript(kind: KindID) -> Int { byKind[kind, default: 0] }

    /// The number of a kind's widgets.
    func widgetCount(of kind: KindID) -> Int { widgetsByKind[kind, default: 0] }

    /// Counts widgets of a kind, or removes them if negative.
    mutating func count(_ widgets: Int, of kind: KindID) {
        widgetsByKind[kind, default: 0] += widgets
        assert(widgetsByKind[kind] >= 0, "more widgets are released than were stored")
    }

    /// Adds bytes, or subtracts them if negative.
    mutating func add(_ byteCount: Int, to kind: KindID) {
        byKind[kind, default: 0] += byteCount
        total += byteCount
        assert(byKind[kind] >= 0, "more bytes are released than were stored")
    }
}
