internal import Basics

/// The widgets that have yet to adopt the rules of their kinds.
extension Catalog {
    /// The rules of a widget's kind, as far as the widget has adopted them.
    @inline(__always)
    func rules(of widget: WidgetID, in delivery: borrowing DeliveryTable) -> KindRules {
        let rules = kinds[delivery.widgets[widget].kind].rules
        return adoption.isActive ? adopted(rules, by: delivery.widgets[widget]) : rules
    }

    /// The rules of a widget's kind, with how reloads are spread as far as the widget has adopted
    /// that.
    @inline(never)
    private func adopted(_ rules: KindRules, by widget: WidgetRecord) -> KindRules {
        guard let former = adoption.formerRules(of: widget.kind, on: widget.device) else {
            return rules
        }
        return rules.spread(like: former)
    }

    /// Whether a whole file changes or withdraws a kind that is being adopted. It does not if its
    /// portions were applied before: a log has their file as a whole, after them.
    func changesAdopted(_ declarations: AppCatalog) -> Bool {
        var left = adoption.kinds.count { kinds[$0].isDeclared }
        for declaration in declarations.apps {
            guard let app = appsByName[Array(declaration.app.utf8)] else { continue }
            for kind in declaration.kinds {
                guard let number = apps[app].kindsByName[Array(kind.kind.utf8)],
                    adoption.has(number)
                else { continue }
                let name = Array((kind.policy.origin ?? "").utf8)
                guard
                    let origin = originsByName[Catalog.NameInApp(app: app, name: name)]
                else { return true }
                let rules = KindRules(kind.policy, origin: origin, hasRate: false)
                if rules.areToBeAdopted(after: kinds[number].rules) { return true }
                if kinds[number].isDeclared { left -= 1 }
            }
        }
        return left > 0
    }

    /// How many of the next devices adopt their rules in a step: one, or as many as have
    /// `RouterLimits.adoptionsPerStep` widgets together.
    func adoptingDeviceCount(in delivery: borrowing DeliveryTable) -> Int {
        var count = 0
        var widgets = 0
        let first = adoption.next.rawValue
        for number in first..<UInt32(delivery.devices.ids.count) {
            let device = DeviceID(rawValue: number)
            if delivery.isStored(device) { widgets += Int(delivery.devices[device].widgetCount) }
            if count > 0 && widgets > RouterLimits.adoptionsPerStep { break }
            count += 1
            if count == RouterLimits.adoptingDevicesPerStep { break }
        }
        return count
    }

    /// Whether one of an app file's kinds is being adopted: it can change only once it is.
    func isAdopting(anyOf declarations: AppCatalog) -> Bool {
        if !adoption.isActive { return false }
        for declaration in declarations.apps {
            guard let app = appsByName[Array(declaration.app.utf8)] else {
                continue
            }
            for kind in declaration.kinds {
                guard let number = apps[app].kindsByName[Array(kind.kind.utf8)],
                    adoption.has(number)
                else { continue }
                return true
            }
        }
        return false
    }

    /// Why this number of devices cannot adopt rules, as the beginning of a sentence; nil if they
    /// can.
    func problem(
        withAdoptionBy count: Int,
        in delivery: borrowing DeliveryTable
    ) -> String? {
        let most = delivery.devices.ids.count - Int(adoption.next.rawValue)
        return adoption.isActive && count > 0 && count <= most
            ? nil : "\(count) devices adopt rules, and \(most) have yet to"
    }
}
