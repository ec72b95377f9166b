internal import Basics

/// How often the tables of an index refer to each other, counted from the widgets and the rules:
/// what the counts of references in the tables must be.
struct IndexCensus {
    private(set) var values: [ValueID: Int] = [:]
    private(set) var names: [NameID: Int] = [:]
    private(set) var attributes: [AttributeID: Int] = [:]
    private(set) var textTests: [AttributeID: Int] = [:]
    private(set) var ruleTests: Set<RuleTest> = []
    private(set) var spaces: [SpaceID: Int] = [:]
    private(set) var shapes: [ShapeID: Int] = [:]
    /// The number of shapes that have a successor, each of which counts in `shapes`.
    private(set) var formerCount = 0
    private(set) var regexes: [ValueID: Int] = [:]
    /// For each key, the widgets under it by position.
    private(set) var keys: [KeyID: [Int: WidgetID]] = [:]
    /// Bytes of the blocks in `WidgetIndex.configurations`.
    private(set) var configurationBytes = 0

    /// Counts everything that the index stores.
    init(_ index: borrowing WidgetIndex) {
        for widget in index.widgets.ids where index.isStored(widget) { add(widget, in: index) }
        for shape in Array(shapes.keys) where index.shapes[shape].successor != .none {
            shapes[index.shapes[shape].successor, default: 0] += 1
            formerCount += 1
        }
        for shape in Array(shapes.keys) { add(shape, in: index) }
        for key in Array(keys.keys) { add(key, in: index) }
        spaces[index.namedSpace, default: 0] += 1
        for space in spaces.keys where index.spaces[space].retainsAttributes {
            let space = index.spaces[space]
            for position in 0..<Int(space.attributeCount) {
                attributes[space.attributes[position], default: 0] += 1
            }
        }
        addNames(of: index)
        for list in Array(values.keys) where index.values.tag(of: list) == .list {
            for position in 0..<index.values.elementCount(of: list) {
                values[index.values.element(of: list, at: position), default: 0] += 1
            }
        }
    }

    /// Counts what a widget refers to.
    private mutating func add(_ widget: WidgetID, in index: borrowing WidgetIndex) {
        let record = index.widgets[widget]
        let shape = index.shapes[record.shape]
        shapes[record.shape, default: 0] += 1
        let count = Int(shape.parameterCount)
        for position in 0..<count { values[index.value(of: record, at: position), default: 0] += 1 }
        if count > 1 { configurationBytes += ByteArena.size(ofBlock: count << 2) }
        if !record.links.isLinked { return }
        if record.links.block != nil {
            let links = index.links(of: widget)
            configurationBytes += ByteArena.size(ofBlock: KeyLink.blockLength(links.count))
            for (before, link) in zip(links, links.dropFirst()) {
                assert(before.key < link.key, "the links of widget \(widget) ascend")
            }
            for link in links { add(link, of: widget) }
        } else {
            add(record.links.only, of: widget)
        }
        if shape.hasParameterRegexps { addParameterRegexes(index.rule(of: record), in: index) }
    }

    /// Counts the posting of a link.
    private mutating func add(_ link: KeyLink, of widget: WidgetID) {
        let former = keys[link.key, default: [:]].updateValue(widget, forKey: link.position.index)
        assert(former == nil, "two widgets have one position under key \(link.key)")
    }

    /// Counts the expressions among the parameters of a widget.
    private mutating func addParameterRegexes(_ rule: WidgetRule, in index: borrowing WidgetIndex) {
        for number in 0..<rule.program.count {
            let node = rule.program[number]
            if !node.isRegexp || !node.isParameter { continue }
            for position in 0..<index.operandCount(of: node, in: rule) {
                let value = index.operand(of: node, in: rule, at: position)
                if index.values.tag(of: value) == .string { regexes[value, default: 0] += 1 }
            }
        }
    }

    /// Counts what a shape and its compiled rule refer to.
    private mutating func add(_ number: ShapeID, in index: borrowing WidgetIndex) {
        let shape = index.shapes[number]
        values[shape.layout, default: 0] += 1
        if shape.space != .none { spaces[shape.space, default: 0] += 1 }
        if shape.program == .none { return }
        let program = index.shapes.program(number)
        for position in 0..<program.count {
            let node = program[position]
            if node.form == .field { attributes[node.attribute, default: 0] += 1 }
            if node.readsWholeText { textTests[node.attribute, default: 0] += 1 }
            if node.readsWholeText && !node.isParameter { ruleTests.insert(RuleTest(node)) }
            if !node.hasOperand || node.isParameter { continue }
            values[node.value, default: 0] += 1
            if node.isRegexp && shape.use == .rule && index.values.tag(of: node.value) == .string {
                regexes[node.value, default: 0] += 1
            }
        }
    }

    /// Counts what a key refers to.
    private mutating func add(_ key: KeyID, in index: borrowing WidgetIndex) {
        let space = index.keys.space(key)
        spaces[space, default: 0] += 1
        if index.spaces[space].ownsValues {
            values[index.keys.word(of: key, at: 0).value, default: 0] += 1
        }
    }

    /// Counts the names of layouts, attributes and kinds.
    private mutating func addNames(of index: borrowing WidgetIndex) {
        for layout in values.keys where index.values.tag(of: layout) == .layout {
            for position in 0..<index.values.elementCount(of: layout) {
                names[index.values.name(of: layout, at: position), default: 0] += 1
            }
        }
        index.vocabulary.forEachEdgeName { name in names[name, default: 0] += 1 }
    }
}
