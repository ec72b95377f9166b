internal import Basics

/// Installing kinds, and compiling their rules for each shape.
extension WidgetIndex {
    /// Replaces all kinds and rules; see `WidgetMatcher.install`.
    mutating func install(apps: [WidgetMatcher.App], updating hotKeys: inout HotKeys) {
        let wanted = apps.flatMap(\.kinds).map(\.kind)
        let kept = Set(wanted)
        precondition(kept.count == wanted.count, "a kind is installed twice")
        finishRelinking(updating: &hotKeys)
        change(
            installing: apps,
            removing: kinds.ids.filter { kinds[$0] != nil && !kept.contains($0) },
            isAtOnce: true,
            updating: &hotKeys
        )
        haveKindsPatterns = kinds.elements.contains { $0?.patterns.isEmpty == false }
    }

    /// Replaces and removes some kinds; see `WidgetMatcher.change`. If `isAtOnce`, all widgets of
    /// kinds that change move now, however many there are.
    mutating func change(
        installing apps: [WidgetMatcher.App],
        removing removed: [KindID],
        isAtOnce: Bool = false,
        updating hotKeys: inout HotKeys
    ) {
        var wanted: [(number: KindID, kind: InstalledKind?)] = removed.map { ($0, nil) }
        for app in apps {
            for kind in app.kinds {
                let installed = InstalledKind(app: app.app, name: kind.name, rule: kind.rule)
                wanted.append((kind.kind, installed))
            }
        }
        wanted.removeAll { !Self.isChange(from: kinds[$0.number, default: nil], to: $0.kind) }
        let changed = Set(wanted.map(\.number).filter { widgetCount(of: $0) > 0 })
        if !isAtOnce && widgets.ids.count > relinkedAtOnce {
            return replace(changed, by: wanted, updating: &hotKeys)
        }
        forEachWidget(of: changed) { index, widget in
            index.unlink(widget, updating: &hotKeys)
        }
        forEachShape(of: changed) { index, shape in index.decompile(shape) }
        replaceKinds(changed, by: wanted)
        forEachShape(of: changed) { index, shape in index.compile(shape) }
        forEachWidget(of: changed) { index, widget in index.link(widget) }
    }

    /// Replaces and removes kinds, of which those in `changed` have widgets.
    private mutating func replaceKinds(
        _ changed: Set<KindID>,
        by wanted: [(number: KindID, kind: InstalledKind?)]
    ) {
        countUndeclared(among: changed, by: -1)
        for (number, _) in wanted {
            guard let former = kinds[number, default: nil] else { continue }
            vocabulary.removeKind(former.name, of: former.app)
        }
        for (number, kind) in wanted {
            if let kind { vocabulary.addKind(number, named: kind.name, of: kind.app) }
            kinds[number, default: nil] = kind
            if kind?.patterns.isEmpty == false { haveKindsPatterns = true }
        }
        countUndeclared(among: changed, by: 1)
    }

    // MARK: - Relinking

    /// Whether some widgets have yet to move to a successor of their shape.
    var isRelinking: Bool { shapes.formerCount > 0 }

    /// Replaces and removes kinds, whose widgets move some at a time.
    private mutating func replace(
        _ changed: Set<KindID>,
        by wanted: [(number: KindID, kind: InstalledKind?)],
        updating hotKeys: inout HotKeys
    ) {
        var mustFinish = false
        forEachShape(of: changed) { index, shape in
            mustFinish = mustFinish || index.shapes[shape].successor != .none
        }
        if mustFinish { finishRelinking(updating: &hotKeys) }
        replaceKinds(changed, by: wanted)
        var former: [ShapeID] = []
        forEachShape(of: changed) { _, shape in former.append(shape) }
        for shape in former {
            let successor = shapes.addSuccessor(of: shape)
            values.retain(shapes[successor].layout)
            compile(successor)
        }
        if !former.isEmpty { tables.value.nextRelinked = WidgetID(rawValue: 0) }
    }

    /// Moves further widgets to the successors of their shapes, until the work is above `most` in
    /// units of `WorkCost`; returns the work that was done.
    mutating func relink(work most: Int, updating hotKeys: inout HotKeys) -> Int {
        var work = 0
        let combinations = combinationCount
        while isRelinking,
            work + (combinationCount - combinations) * WorkCost.combination < most
        {
            let widget = tables.value.nextRelinked
            precondition(widgets.has(widget), "no widget is left for a successor")
            tables.value.nextRelinked = WidgetID(rawValue: widget.rawValue + 1)
            work += Self.lookWork
            let shape = widgets[widget].shape
            if shape == .none || shapes[shape].successor == .none { continue }
            unlink(widget, updating: &hotKeys)
            let successor = shapes[shape].successor
            shapes[successor].references += 1
            widgets[widget].shape = successor
            releaseShape(shape)
            link(widget)
            work += WorkCost.registration
        }
        return work + (combinationCount - combinations) * WorkCost.combination
    }

    /// The work of finding out that a widget need not move, in units of `WorkCost`.
    private static var lookWork: Int { 8 }

    /// Moves all widgets to the successors of their shapes.
    mutating func finishRelinking(updating hotKeys: inout HotKeys) {
        while isRelinking { _ = relink(work: .max, updating: &hotKeys) }
    }

    /// Whether pushes may find other widgets of a kind once its declaration `old` is replaced by
    /// `new`; nil means that the kind is not declared.
    private static func isChange(from old: InstalledKind?, to new: InstalledKind?) -> Bool {
        // By bytes: names that differ in nothing but Unicode's normal form are two.
        let isRenamed = old.map { Array($0.name.utf8) } != new.map { Array($0.name.utf8) }
        if isRenamed || old?.app != new?.app { return true }
        guard let former = old?.rule, let latter = new?.rule else { return old?.rule != new?.rule }
        return !former.isIdentical(to: latter)
    }

    /// Counts the widgets of those changed kinds that are not installed, or removes them if `sign`
    /// is -1.
    private mutating func countUndeclared(among changed: Set<KindID>, by sign: Int) {
        for kind in changed where kinds[kind, default: nil] == nil {
            undeclaredCount += sign * widgetCount(of: kind)
        }
    }

    /// Calls `body` for each widget of a changed kind.
    private mutating func forEachWidget(
        of changed: Set<KindID>,
        body: (inout WidgetIndex, WidgetID) -> Void
    ) {
        if changed.isEmpty { return }
        for widget in widgets.ids {
            let shape = widgets[widget].shape
            if shape == .none { continue }
            if changed.contains(shapes[shape].kind) { body(&self, widget) }
        }
    }

    /// Calls `body` for each shape of a changed kind.
    private mutating func forEachShape(
        of changed: Set<KindID>,
        body: (inout WidgetIndex, ShapeID) -> Void
    ) {
        if changed.isEmpty { return }
        for shape in shapes.numbers where shapes[shape].references > 0 {
            if changed.contains(shapes[shape].kind) { body(&self, shape) }
        }
    }

    // MARK: - Shapes

    /// Compiles the kind's rule for a shape, if the kind is installed. Sets the shape's `use`.
    mutating func compile(_ number: ShapeID) {
        assert(shapes[number].program == .none, "shape \(number) is compiled already")
        let shape = shapes[number]
        guard let kind = kinds[shape.kind, default: nil] else { return }
        let names = (0..<Int(shape.parameterCount)).map { values.name(of: shape.layout, at: $0) }
        if kind.rule == nil && names.isEmpty {
            shapes[number].use = .named
            return
        }
        var compiler = PatternCompiler(
            parameters: names.map { vocabulary.names.bytes(of: $0).array }
        )
        tables.value.compile(kind, names: names, with: &compiler)
        shapes.setProgram(of: number, to: compiler.nodes, equalities: compiler.equalities)
        countTextTests(of: number, by: 1)
        if compiler.isMissingParameter { return }
        shapes[number].use = .rule
        shapes[number].isDecidedByKey = compiler.isDecidedByEqualities
        shapes[number].hasParameterRegexps = compiler.nodes.contains {
            $0.isRegexp && $0.isParameter
        }
        shapes[number].hasPatterns = compiler.nodes.contains(where: \.isPattern)
        for node in compiler.nodes where node.isRegexp && !node.isParameter {
            tables.value.acquireRegex(node.value)
        }
        acquireSpace(number)
    }

    /// Undoes `compile`.
    mutating func decompile(_ number: ShapeID) {
        let shape = shapes[number]
        if shape.space != .none { tables.value.release(shape.space) }
        shapes[number].space = .none
        if shape.program != .none {
            let program = shapes.program(number)
            if shape.use == .rule {
                for index in 0..<program.count
                where program[index].isRegexp && !program[index].isParameter {
                    tables.value.releaseRegex(program[index].value)
                }
            }
            countTextTests(of: number, by: -1)
            tables.value.release(program)
            shapes.removeProgram(number)
        }
        shapes[number].use = .none
    }

    /// Acquires the key space of all equalities, if there are any and at most
    /// `KeySpace.attributeLimit`.
    ///
    /// A kind without a rule gets it only if `KeySpaces.hasRoom`, because devices choose the
    /// parameter names. A kind with a rule always gets it, so that devices cannot deprive an
    /// operator's rule of it.
    private mutating func acquireSpace(_ number: ShapeID) {
        let count = Int(shapes[number].equalityCount)
        if count == 0 || count > KeySpace.attributeLimit { return }
        let attributes = (0..<count).map {
            shapes.program(number)[shapes.equality(of: number, at: $0)].attribute
        }
        let space = KeySpace(equal: attributes)
        let isOfRule = kinds[shapes[number].kind]?.rule != nil
        if !isOfRule && !spaces.hasRoom(for: space, in: vocabulary) { return }
        shapes[number].space = tables.value.acquire(space)
    }
}
