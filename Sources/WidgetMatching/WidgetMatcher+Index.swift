internal import ByteStorage
internal import ReloadModel

extension WidgetMatcher {
    // MARK: - Rules

    /// Replaces all kinds and rules.
    ///
    /// Widgets of kinds whose rule changed are indexed anew; those of kinds that are gone stay
    /// stored, and match nothing until the kind is back. Costs a pass over all widgets if anything
    /// changed.
    package mutating func install(apps: [App]) {
        precondition(queuedCount == 0, "pushes are being matched")
        var wanted: [InstalledKind?] = Array(repeating: nil, count: kinds.count)
        for app in apps {
            for kind in app.kinds {
                while wanted.count <= Int(kind.kind) { wanted.append(nil) }
                wanted[Int(kind.kind)] = InstalledKind(
                    app: app.app,
                    name: kind.name,
                    rule: kind.rule
                )
            }
        }
        while kinds.count < wanted.count { kinds.append(nil) }
        let changed = Array(
            kinds.indices.filter { index in
                let (old, new) = (kinds[index], wanted[index])
                return !Self.isSame(old?.rule, new?.rule) || (old == nil) != (new == nil)
            }
        )
        if changed.isEmpty { return }
        let kindsChanged = Set(changed)
        forEachWidget(of: kindsChanged) { matcher, widget in matcher.unlink(widget) }
        for index in changed { replace(KindID(index), with: wanted[index]) }
        forEachWidget(of: kindsChanged) { matcher, widget in matcher.link(widget) }
    }

    /// Whether two rules are the same to the byte: strings of Swift compare equal when Unicode says
    /// that they look the same, and payloads do not.
    private static func isSame(_ left: MatchRule?, _ right: MatchRule?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return left == right
            && left.texts.elementsEqual(right.texts) { left, right in
                left.utf8.elementsEqual(right.utf8)
            }
    }

    private mutating func replace(_ kind: KindID, with wanted: InstalledKind?) {
        if let old = kinds[Int(kind)] {
            old.compiled?.release(&reader.vocabulary)
            reader.vocabulary.removeKind(old.name, of: old.app)
        }
        kinds[Int(kind)] = wanted
        guard let wanted else { return }
        reader.vocabulary.addKind(kind, wanted.name, of: wanted.app)
        if let rule = wanted.rule {
            kinds[Int(kind)]?.compiled = CompiledRule(rule, of: wanted.app, &reader.vocabulary)
        }
    }

    private mutating func forEachWidget(
        of changed: Set<Int>,
        _ body: (inout WidgetMatcher, WidgetID) -> Void
    ) {
        for widget in 0..<widgets.end {
            let kind = widgets[widget].kind
            if kind != StoredWidget.freeKind && changed.contains(Int(kind)) {
                body(&self, widget)
            }
        }
    }

    // MARK: - A widget's place in the index

    /// One place: a key, and the position in its posting list.
    struct Link: BitwiseCopyable {
        var key: UInt32
        var position: UInt32
    }

    /// Puts a widget under the values by which pushes find it.
    mutating func link(_ widget: WidgetID) {
        let kind = widgets[widget].kind
        guard Int(kind) < kinds.count, let installed = kinds[Int(kind)] else { return }
        let configuration = configuration(of: widget)
        if installed.compiled == nil {
            useFields(widget, installed.app, configuration)
        }
        let conditions = conditions(kind, installed, configuration)
        guard let anchor = anchor(conditions) else { return }
        let needsCheck = conditions.count > 1 || anchor.count > 1
        var links: [Link] = []
        for value in anchor {
            let (key, isNew) = index.key(value)
            if isNew { reader.vocabulary.countKey(value.attribute, 1) }
            let position = index.append(Posting(widget, needsCheck: needsCheck), to: key)
            links.append(Link(key: key, position: position))
        }
        store(links, of: widget)
    }

    /// Without a rule the parameters' names are the fields that are looked at.
    private mutating func useFields(
        _ widget: WidgetID,
        _ app: AppID,
        _ configuration: Configuration
    ) {
        configuration.forEachParameter { name, _ in
            _ = reader.vocabulary.use(name, of: app)
        }
        widgets[widget].usesFields = true
    }

    /// The values that each condition allows for the widget; the conditions that depend on the
    /// configuration come first.
    private func conditions(
        _ kind: KindID,
        _ installed: InstalledKind,
        _ configuration: Configuration
    ) -> [[FieldValue]] {
        if let rule = installed.compiled {
            let own = rule.conditions.filter { !$0.parameters.isEmpty }
            let fixed = rule.conditions.filter { $0.parameters.isEmpty }
            return (own + fixed).map { $0.values(configuration, reader.hash) }
        }
        var conditions: [[FieldValue]] = []
        configuration.forEachParameter { name, values in
            let root = Vocabulary.root(installed.app)
            let attribute = reader.vocabulary.attribute(below: root, name)
            var allowed: [FieldValue] = []
            values.forEachValue { value in
                let field = FieldValue(attribute, value.tag, value.bytes, hash: reader.hash)
                if !allowed.contains(where: { $0.isEqual(to: field) }) { allowed.append(field) }
            }
            conditions.append(allowed)
        }
        if conditions.isEmpty {
            let nothing = unsafe ByteView(base: UnsafeRawPointer(bitPattern: 8)!, count: 0)
            conditions.append(
                [FieldValue(Vocabulary.byName(kind), .name, nothing, hash: reader.hash)])
        }
        return conditions
    }

    /// The condition that the widget is indexed under; nil if one of them allows nothing.
    private func anchor(_ conditions: [[FieldValue]]) -> [FieldValue]? {
        var best: [FieldValue]?
        var fewest = Int.max
        for values in conditions {
            if values.isEmpty { return nil }
            let crowd = values.reduce(0) { $0 + index.widgetCount($1) }
            if crowd < fewest {
                fewest = crowd
                best = values
            }
        }
        return best
    }

    /// Takes a widget out of the index.
    mutating func unlink(_ widget: WidgetID) {
        for link in links(of: widget) {
            let removed = index.remove(link.position, from: link.key)
            if let moved = removed.moved {
                setPosition(of: moved.widget, in: link.key, to: link.position)
            }
            if removed.emptied != Vocabulary.none {
                reader.vocabulary.countKey(removed.emptied, -1)
            }
        }
        store([], of: widget)
        guard widgets[widget].usesFields else { return }
        widgets[widget].usesFields = false
        let app = kinds[Int(widgets[widget].kind)]!.app
        configuration(of: widget).forEachParameter { name, _ in
            let root = Vocabulary.root(app)
            reader.vocabulary.unuse(reader.vocabulary.attribute(below: root, name))
        }
    }

    // MARK: - Links

    private func links(of widget: WidgetID) -> [Link] {
        let record = widgets[widget]
        switch record.linkCount {
        case 0: return []
        case 1: return [Link(key: record.key, position: record.position)]
        case let count:
            let block = unsafe configurations.pointer(record.key)
                .assumingMemoryBound(to: Link.self)
            return (0..<Int(count)).map { unsafe block[$0] }
        }
    }

    private mutating func store(_ links: [Link], of widget: WidgetID) {
        let stride = MemoryLayout<Link>.stride
        let old = Int(widgets[widget].linkCount)
        if old > 1 { configurations.free(widgets[widget].key, old * stride) }
        widgets[widget].linkCount = UInt32(links.count)
        if links.count == 1 {
            widgets[widget].key = links[0].key
            widgets[widget].position = links[0].position
        } else if links.count > 1 {
            let block = configurations.allocate(links.count * stride)
            widgets[widget].key = block
            for (index, link) in links.enumerated() {
                unsafe configurations.pointer(block).storeBytes(
                    of: link,
                    toByteOffset: index * stride,
                    as: Link.self
                )
            }
        }
    }

    /// Another widget's removal has moved this one within a posting list.
    private mutating func setPosition(of widget: WidgetID, in key: UInt32, to position: UInt32) {
        let count = Int(widgets[widget].linkCount)
        if count == 1 {
            widgets[widget].position = position
            return
        }
        let block = unsafe configurations.pointer(widgets[widget].key)
            .assumingMemoryBound(to: Link.self)
        for index in 0..<count where unsafe block[index].key == key {
            unsafe block[index].position = position
        }
    }
}
