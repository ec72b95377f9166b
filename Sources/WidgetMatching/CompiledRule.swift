internal import ByteStorage
internal import ReloadModel

/// A kind's rule with its fields and parameters as numbers.
struct CompiledRule {
    /// One field: which attribute, and what it may equal.
    struct Condition {
        let attribute: AttributeID
        let constants: [Constant]
        let parameters: [NameID]
    }

    /// A value of the rule itself.
    struct Constant {
        let tag: ValueTag
        let bytes: [UInt8]

        func equals(_ field: FieldValue) -> Bool {
            tag == field.tag && bytes.count == field.bytes.count
                && bytes.withByteView { $0 == field.bytes }
        }
    }

    let conditions: [Condition]

    /// Takes the rule's fields and parameter names into use.
    init(_ rule: MatchRule, of app: AppID, _ vocabulary: inout Vocabulary) {
        var conditions: [Condition] = []
        for condition in rule.conditions {
            var constants: [Constant] = []
            var parameters: [NameID] = []
            for alternative in condition.alternatives {
                switch alternative {
                case .string(let text):
                    constants.append(Constant(tag: .string, bytes: Array(text.utf8)))
                case .number(let text):
                    let bytes = text.withByteView { text in
                        withCanonicalNumber(text) { $0.array }
                    }
                    constants.append(Constant(tag: .number, bytes: bytes))
                case .boolean(let value):
                    constants.append(Constant(tag: value ? .true : .false, bytes: []))
                case .null:
                    constants.append(Constant(tag: .null, bytes: []))
                case .parameter(let name):
                    parameters.append(vocabulary.names.acquire(name))
                }
            }
            conditions.append(
                Condition(
                    attribute: vocabulary.use(condition.path, of: app),
                    constants: constants,
                    parameters: parameters
                )
            )
        }
        self.conditions = conditions
    }

    /// Takes back what `init` took into use.
    func release(_ vocabulary: inout Vocabulary) {
        for condition in conditions {
            vocabulary.unuse(condition.attribute)
            for parameter in condition.parameters { vocabulary.names.release(parameter) }
        }
    }
}

extension CompiledRule.Condition {
    /// Whether the field may have this value for a widget with this configuration.
    func allows(_ field: FieldValue, _ configuration: Configuration) -> Bool {
        for constant in constants where constant.equals(field) { return true }
        for parameter in parameters where configuration.values(of: parameter).contains(field) {
            return true
        }
        return false
    }

    /// All values that the field may have for a widget with this configuration, each once.
    func values(_ configuration: Configuration, _ hash: ValueHash) -> [FieldValue] {
        var values: [FieldValue] = []
        func add(_ tag: ValueTag, _ bytes: ByteView) {
            let value = FieldValue(attribute, tag, bytes, hash: hash)
            if !values.contains(where: { $0.isEqual(to: value) }) { values.append(value) }
        }
        for parameter in parameters {
            configuration.values(of: parameter).forEachValue { add($0.tag, $0.bytes) }
        }
        for constant in constants {
            constant.bytes.withByteView { add(constant.tag, $0) }
        }
        return values
    }
}
