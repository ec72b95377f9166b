package import Basics

/// Storing a widget's values and shape, and releasing them.
extension WidgetIndex {
    // MARK: - Storing

    /// Stores a widget with the configuration in `draft`.
    mutating func insert(_ kind: KindID) -> WidgetID {
        let widget = widgets.insert(store(kind))
        precondition(
            widget.rawValue < Posting.widgetLimit,
            "an index holds fewer than 2^27 widgets"
        )
        link(widget)
        return widget
    }

    /// Replaces a widget's kind, and its configuration by the one in `draft`.
    mutating func replace(_ widget: WidgetID, kind: KindID, updating hotKeys: inout HotKeys) {
        assert(isStored(widget), "widget \(widget) is gone")
        let former = widgets[widget]
        let stored = store(kind)
        unlink(widget, updating: &hotKeys)
        widgets[widget] = stored
        link(widget)
        release(former)
    }

    /// Removes a widget; its memory and number are reused.
    mutating func remove(_ widget: WidgetID, updating hotKeys: inout HotKeys) {
        assert(isStored(widget), "widget \(widget) is gone")
        unlink(widget, updating: &hotKeys)
        release(widgets[widget])
        widgets[widget].shape = .none
        widgets.remove(widget)
    }

    // MARK: - Reading

    /// Whether a widget with this number is stored.
    package func isStored(_ widget: WidgetID) -> Bool {
        widgets.has(widget) && widgets[widget].shape != .none
    }

    /// Whether the widget has this kind and the configuration in `draft`; the order of parameters
    /// is ignored.
    func hasConfiguration(_ widget: WidgetID, kind: KindID) -> Bool {
        assert(isStored(widget), "widget \(widget) is gone")
        let record = widgets[widget]
        let shape = shapes[record.shape]
        if shape.kind != kind { return false }
        if draft.configuration.parameters.count != Int(shape.parameterCount) { return false }
        for index in 0..<draft.configuration.parameters.count {
            let parameter = draft.configuration.parameters[index]
            guard let name = vocabulary.names.find(draft.configuration.name(parameter)),
                let position = position(of: name, in: shape)
            else { return false }
            if !isValue(value(of: record, at: position), equalTo: parameter) { return false }
        }
        return true
    }

    /// The kind of a stored widget.
    package func kind(of widget: WidgetID) -> KindID {
        assert(isStored(widget), "widget \(widget) is gone")
        return shapes[widgets[widget].shape].kind
    }

    /// The position of a name in a shape's layout.
    private func position(of name: NameID, in shape: RuleShape) -> Int? {
        (0..<Int(shape.parameterCount)).first { values.name(of: shape.layout, at: $0) == name }
    }

    /// Whether a stored value equals a parameter of the configuration in `draft`.
    private func isValue(
        _ value: ValueID,
        equalTo parameter: ConfigurationReader.Parameter
    ) -> Bool {
        if (values.tag(of: value) == .list) != parameter.isList { return false }
        if !parameter.isList {
            let wanted = draft.configuration.value(parameter.firstValue)
            return values.equals(value, tag: wanted.tag, bytes: wanted.bytes)
        }
        let count = parameter.endValue - parameter.firstValue
        if values.elementCount(of: value) != count { return false }
        for position in 0..<count {
            let wanted = draft.configuration.value(parameter.firstValue + position)
            let element = values.element(of: value, at: position)
            if !values.equals(element, tag: wanted.tag, bytes: wanted.bytes) { return false }
        }
        return true
    }

    // MARK: - Values and shapes

    /// Stores the values of the configuration in `draft`, and acquires its shape. The widget is not
    /// linked to keys yet.
    mutating func store(_ kind: KindID) -> StoredWidget {
        for index in 0..<draft.configuration.parameters.count {
            let parameter = draft.configuration.parameters[index]
            let name = vocabulary.names.acquire(draft.configuration.name(parameter))
            draft.configuration.parameters[index].name = name
            draft.configuration.parameters[index].value = acquireValue(parameter)
        }
        storedCosts.add(configurationCost, to: kind)
        storedCosts.count(1, of: kind)
        if kinds[kind, default: nil] == nil { undeclaredCount += 1 }
        // The order in which a configuration names its parameters has no meaning.
        draft.configuration.parameters.sort { $0.name < $1.name }
        return StoredWidget(shape: acquireShape(kind), values: storeValues())
    }

    /// The number of a parameter's value, with one more reference.
    private mutating func acquireValue(_ parameter: ConfigurationReader.Parameter) -> ValueID {
        if !parameter.isList {
            return values.acquire(draft.configuration.value(parameter.firstValue)).value
        }
        draft.keyWords.truncate(to: 0)
        for index in parameter.firstValue..<parameter.endValue {
            draft.keyWords.append(Word(values.acquire(draft.configuration.value(index)).value))
        }
        let list = values.acquire(TypedValue(tag: .list, bytes: wordBytes))
        if !list.isNew {
            for index in 0..<draft.keyWords.count { values.release(draft.keyWords[index].value) }
        }
        return list.value
    }

    /// The bytes of `draft.keyWords`, which are those of a list or layout.
    var wordBytes: ByteView {
        unsafe ByteView(
            base: UnsafeRawPointer(draft.keyWords.elements),
            count: draft.keyWords.count << 2
        )
    }

    /// `StoredWidget.values` for the values in `draft`.
    private mutating func storeValues() -> StoredValues {
        let count = draft.configuration.parameters.count
        if count == 0 { return .none }
        if count == 1 { return StoredValues(draft.configuration.parameters[0].value) }
        let block: ArenaBlock = configurations.allocate(count << 2)
        for index in 0..<count {
            let value = draft.configuration.parameters[index].value
            unsafe configurations.pointer(block).storeBytes(
                of: value,
                toByteOffset: index << 2,
                as: ValueID.self
            )
        }
        return StoredValues(block)
    }

    /// The shape for the parameters in `draft`, with one more reference.
    private mutating func acquireShape(_ kind: KindID) -> ShapeID {
        draft.keyWords.truncate(to: 0)
        for index in 0..<draft.configuration.parameters.count {
            draft.keyWords.append(Word(draft.configuration.parameters[index].name))
        }
        let layout = values.acquire(TypedValue(tag: .layout, bytes: wordBytes))
        if !layout.isNew {
            // An existing layout already holds references to the names.
            for index in 0..<draft.keyWords.count {
                vocabulary.names.release(draft.keyWords[index].name)
            }
        }
        if let known = shapes.find(kind, layout: layout.value) {
            // An existing shape already holds a reference to the layout.
            _ = values.releaseAlone(layout.value)
            shapes[known].references += 1
            return known
        }
        var shape = RuleShape(
            kind: kind,
            parameterCount: UInt16(draft.configuration.parameters.count),
            layout: layout.value
        )
        shape.references = 1
        let number = shapes.insert(shape)
        storedCosts.add(layoutCost(number), to: kind)
        compile(number)
        return number
    }

    /// Releases everything that a widget's record refers to.
    private mutating func release(_ record: StoredWidget) {
        assert(shapes[record.shape].references > 0, "a shape is released too often")
        let kind = shapes[record.shape].kind
        let count = Int(shapes[record.shape].parameterCount)
        storedCosts.add(-cost(of: record), to: kind)
        storedCosts.count(-1, of: kind)
        if kinds[kind, default: nil] == nil { undeclaredCount -= 1 }
        for position in 0..<count { values.release(value(of: record, at: position)) }
        if count > 1 { unsafe configurations.free(record.values.block, byteCount: count << 2) }
        releaseShape(record.shape)
    }

    /// Releases a reference to a shape; the last one removes it.
    mutating func releaseShape(_ number: ShapeID) {
        shapes[number].references -= 1
        let shape = shapes[number]
        if shape.references > 0 { return }
        // The cost of the layout is that of the successor.
        if shape.successor == .none { storedCosts.add(-layoutCost(number), to: shape.kind) }
        decompile(number)
        releaseLayout(shape.layout)
        shapes.remove(number)
        if shape.successor == .none { return }
        shapes[shape.successor].former = .none
        releaseShape(shape.successor)
    }

    /// Releases a reference to a layout; the last one also releases the names.
    private mutating func releaseLayout(_ layout: ValueID) {
        if !values.releaseAlone(layout) { return }
        for position in 0..<values.elementCount(of: layout) {
            vocabulary.names.release(values.name(of: layout, at: position))
        }
        values.remove(layout)
    }
}
