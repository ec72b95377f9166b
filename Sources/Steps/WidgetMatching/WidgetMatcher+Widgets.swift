package import ByteStorage
package import ReloadModel

extension WidgetMatcher {
    // MARK: - Storing

    /// Stores a widget.
    ///
    /// - Parameters:
    ///   - kind: its kind; it need not be installed (the widget then matches nothing until it is).
    ///   - json: its configuration, a JSON object that the scanner has accepted.
    /// - Throws: what is wrong, and where.
    /// - Returns: the widget's number, valid until it is removed.
    package mutating func insert(
        kind: KindID,
        configuration json: ByteView
    ) throws(ConfigurationError) -> WidgetID {
        requireIdle()
        try configuration.read(json)
        let widget = widgets.insert(store(kind))
        precondition(widget < Posting.widgetLimit, "the matcher holds fewer than 2^27 widgets")
        link(widget)
        return widget
    }

    /// Gives a widget another kind or configuration; it keeps its number.
    ///
    /// No push ever sees the widget without either.
    ///
    /// - Throws: what is wrong, and where; the widget is then what it was.
    package mutating func replace(
        _ widget: WidgetID,
        kind: KindID,
        configuration json: ByteView
    ) throws(ConfigurationError) {
        requireIdle()
        try configuration.read(json)
        let former = widgets[widget]
        let stored = store(kind)
        unlink(widget)
        widgets[widget] = stored
        link(widget)
        release(former)
    }

    /// Removes a widget; its memory and number are used again.
    package mutating func remove(_ widget: WidgetID) {
        requireIdle()
        unlink(widget)
        release(widgets[widget])
        widgets[widget].shape = Shape.none
        widgets.remove(widget)
    }

    /// Says what `insert` would throw, and stores nothing.
    package static func check(configuration json: ByteView) throws(ConfigurationError) {
        var reader = ConfigurationReader()
        try reader.read(json)
    }

    // MARK: - Asking

    /// Whether there is a widget of this number.
    package func isStored(_ widget: UInt32) -> Bool {
        widget < widgets.end && widgets[widget].shape != Shape.none
    }

    /// Whether the widget was stored with this kind and configuration, in whatever order.
    package mutating func hasConfiguration(
        _ widget: WidgetID,
        kind: KindID,
        equalTo json: ByteView
    ) -> Bool {
        let record = widgets[widget]
        let shape = shapes[record.shape]
        if shape.kind != kind { return false }
        do throws(ConfigurationError) { try configuration.read(json) } catch { return false }
        if configuration.parameters.count != Int(shape.parameterCount) { return false }
        for index in 0..<configuration.parameters.count {
            let parameter = configuration.parameters[index]
            let name = reader.vocabulary.names.find(configuration.name(parameter))
            guard let position = position(of: name, in: shape) else { return false }
            if !isValue(value(of: record, position), parameter) { return false }
        }
        return true
    }

    package func kind(of widget: WidgetID) -> KindID { shapes[widgets[widget].shape].kind }

    private func position(of name: NameID, in shape: Shape) -> Int? {
        (0..<Int(shape.parameterCount)).first { values.element(shape.layout, $0) == name }
    }

    private func isValue(_ value: ValueID, _ parameter: ConfigurationReader.Parameter) -> Bool {
        if (values.tag(of: value) == .list) != parameter.isList { return false }
        if !parameter.isList {
            let wanted = configuration.value(parameter.firstValue)
            return values.equals(value, wanted.tag, wanted.bytes)
        }
        let count = parameter.endValue - parameter.firstValue
        if values.elementCount(of: value) != count { return false }
        for position in 0..<count {
            let wanted = configuration.value(parameter.firstValue + position)
            let element = values.element(value, position)
            if !values.equals(element, wanted.tag, wanted.bytes) { return false }
        }
        return true
    }

    /// One of a widget's values, by its position in the layout.
    @inline(__always)
    func value(of widget: StoredWidget, _ position: Int) -> ValueID {
        if shapes[widget.shape].parameterCount == 1 { return widget.values }
        return storedValue(widget.values, position)
    }

    /// One of a block of several values.
    @inline(__always)
    func storedValue(_ block: UInt32, _ position: Int) -> ValueID {
        unsafe configurations.pointer(block).load(
            fromByteOffset: position << 2,
            as: UInt32.self
        )
    }

    // MARK: - Values and shapes

    /// Stores the values of the configuration that was read, and makes sure of its shape.
    mutating func store(_ kind: KindID) -> StoredWidget {
        for index in 0..<configuration.parameters.count {
            let parameter = configuration.parameters[index]
            let name = reader.vocabulary.names.acquire(configuration.name(parameter))
            configuration.parameters[index].name = name
            configuration.parameters[index].value = acquireValue(parameter)
        }
        storedCosts.add(configurationCost, to: kind)
        // The order in which a configuration names its parameters means nothing.
        configuration.parameters.sort(from: 0) { $0.name < $1.name }
        return StoredWidget(shape: acquireShape(kind), values: storeValues())
    }

    private mutating func acquireValue(_ parameter: ConfigurationReader.Parameter) -> ValueID {
        if !parameter.isList {
            return values.acquire(configuration.value(parameter.firstValue)).value
        }
        keyWords.truncate(to: 0)
        for index in parameter.firstValue..<parameter.endValue {
            keyWords.append(values.acquire(configuration.value(index)).value)
        }
        let list = values.acquire(TypedValue(tag: .list, bytes: wordBytes))
        if !list.isNew {
            for index in 0..<keyWords.count { values.release(keyWords[index]) }
        }
        return list.value
    }

    /// `keyWords` as the bytes of a list or layout.
    var wordBytes: ByteView {
        unsafe ByteView(base: UnsafeRawPointer(keyWords.elements), count: keyWords.count << 2)
    }

    private mutating func storeValues() -> UInt32 {
        let count = configuration.parameters.count
        if count == 0 { return ByteArena.none }
        if count == 1 { return configuration.parameters[0].value }
        let block = configurations.allocate(count << 2)
        for index in 0..<count {
            let value = configuration.parameters[index].value
            unsafe configurations.pointer(block).storeBytes(
                of: value,
                toByteOffset: index << 2,
                as: UInt32.self
            )
        }
        return block
    }

    /// The shape of the parameters that were read, with one reference more.
    private mutating func acquireShape(_ kind: KindID) -> ShapeID {
        keyWords.truncate(to: 0)
        for index in 0..<configuration.parameters.count {
            keyWords.append(configuration.parameters[index].name)
        }
        let layout = values.acquire(TypedValue(tag: .layout, bytes: wordBytes))
        if !layout.isNew {
            // The layout has its own references to the names.
            for index in 0..<keyWords.count { reader.vocabulary.names.release(keyWords[index]) }
        }
        let known = shapes.find(kind, layout.value)
        if known != Shape.none {
            // So has the shape to the layout.
            _ = values.releaseAlone(layout.value)
            shapes[known].references += 1
            return known
        }
        var shape = Shape(
            kind: kind,
            parameterCount: UInt16(configuration.parameters.count),
            layout: layout.value
        )
        shape.references = 1
        let number = shapes.insert(shape)
        storedCosts.add(layoutCost(number), to: kind)
        compile(number)
        return number
    }

    /// Takes back all that a widget's record refers to.
    private mutating func release(_ record: StoredWidget) {
        let kind = shapes[record.shape].kind
        let count = Int(shapes[record.shape].parameterCount)
        storedCosts.add(-cost(of: record), to: kind)
        for position in 0..<count { values.release(value(of: record, position)) }
        if count > 1 { configurations.free(record.values, count << 2) }
        shapes[record.shape].references -= 1
        if shapes[record.shape].references > 0 { return }
        storedCosts.add(-layoutCost(record.shape), to: kind)
        decompile(record.shape)
        releaseLayout(shapes[record.shape].layout)
        shapes.remove(record.shape)
    }

    private mutating func releaseLayout(_ layout: ValueID) {
        if !values.releaseAlone(layout) { return }
        for position in 0..<values.elementCount(of: layout) {
            reader.vocabulary.names.release(values.element(layout, position))
        }
        values.remove(layout)
    }
}
