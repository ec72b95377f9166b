internal import DataStructures
package import ReloadModel

/// What a widget would add to an index, in bytes of `StoredCost`.
package struct WidgetCost: Equatable, Sendable {
    /// What set of parameter names the widget would have among those of its kind.
    package enum Layout: Equatable, Sendable {
        /// Other widgets have it: its number.
        case stored(UInt32)
        /// It would be new: what it costs, and what tells it from others that would be.
        case new(Int, identity: [UInt8])
    }

    /// The widget's own part, without its id.
    package let own: Int
    package let layout: Layout
}

/// Counting what is stored: see `StoredCost`.
///
/// `store` and `release` are the only ways in and out of the tables, and both count.
extension WidgetIndex {
    /// Bytes that all widgets take, without their ids.
    package var storedCost: Int { storedCosts.total }

    /// Bytes that a kind's widgets take, without their ids; 0 exactly if there is none.
    package func storedCost(of kind: KindID) -> Int { storedCosts[kind] }

    /// What a widget of a kind with the configuration in `draft` would cost.
    mutating func cost(ofKind kind: KindID) -> WidgetCost {
        WidgetCost(own: configurationCost, layout: findLayout(of: kind))
    }

    /// What would be free again if widgets were removed.
    ///
    /// - Parameters:
    ///   - removed: stored widgets of one device, each once.
    ///   - kept: numbers of layouts that other widgets are about to have.
    /// - Returns: bytes of `StoredCost`, without ids.
    package func freedCost(removing removed: [WidgetID], keeping kept: Set<UInt32>) -> Int {
        var freed = 0
        var users: [ShapeID: UInt32] = [:]
        for widget in removed {
            freed += cost(of: widgets[widget])
            users[widgets[widget].shape, default: 0] += 1
        }
        for (shape, count) in users where shapes[shape].references == count && !kept.contains(shape)
        {
            freed += layoutCost(shape)
        }
        return freed
    }

    /// Counts the bytes of all widgets anew: what `storedCost` must be.
    ///
    /// - Complexity: in proportion to what is stored.
    package func countStoredCost() -> Int {
        var sum = 0
        for widget in 0..<widgets.end where isStored(widget) { sum += cost(of: widgets[widget]) }
        for shape in 0..<shapes.end where shapes[shape].references > 0 { sum += layoutCost(shape) }
        return sum
    }

    // MARK: - Configurations

    /// The cost of a widget with the configuration that was read.
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

    /// The same of a widget that is stored.
    func cost(of widget: StoredWidget) -> Int {
        var cost = StoredCost.widget
        for position in 0..<Int(shapes[widget.shape].parameterCount) {
            cost += self.cost(ofValue: value(of: widget, position))
        }
        return cost
    }

    private func cost(ofValue value: ValueID) -> Int {
        if values.tag(of: value) != .list {
            return StoredCost.value + StoredCost.text(values.bytes(of: value).count)
        }
        var cost = StoredCost.value
        for position in 0..<values.elementCount(of: value) {
            cost += StoredCost.element + self.cost(ofValue: values.element(value, position))
        }
        return cost
    }

    // MARK: - Layouts

    /// The cost of a layout that is stored.
    func layoutCost(_ shape: ShapeID) -> Int {
        let shape = shapes[shape]
        var cost = StoredCost.layout
        for position in 0..<Int(shape.parameterCount) {
            let name = vocabulary.names.bytes(of: values.element(shape.layout, position))
            cost += StoredCost.layoutParameter + StoredCost.text(name.count)
        }
        return cost
    }

    /// The layout of the configuration that was read, among those of a kind.
    private mutating func findLayout(of kind: KindID) -> WidgetCost.Layout {
        let count = draft.configuration.parameters.count
        draft.keyWords.truncate(to: 0)
        for index in 0..<count {
            let name = draft.configuration.name(draft.configuration.parameters[index])
            draft.keyWords.append(vocabulary.names.find(name))
        }
        draft.keyWords.sort(from: 0) { $0 < $1 }
        let layout = values.find(TypedValue(tag: .layout, bytes: wordBytes))
        if layout != ValueTable.none {
            let shape = shapes.find(kind, layout)
            if shape != Shape.none { return .stored(shape) }
        }
        var cost = StoredCost.layout
        var names: [[UInt8]] = []
        for index in 0..<count {
            let name = draft.configuration.name(draft.configuration.parameters[index])
            cost += StoredCost.layoutParameter + StoredCost.text(name.count)
            names.append(name.array)
        }
        names.sort { $0.lexicographicallyPrecedes($1) }
        var identity = [UInt8(truncatingIfNeeded: kind), UInt8(truncatingIfNeeded: kind >> 8)]
        for name in names { identity += [UInt8(name.count)] + name }
        return .new(cost, identity: identity)
    }
}
