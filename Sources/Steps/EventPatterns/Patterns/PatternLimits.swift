/// The limits of an event pattern; the parser refuses a pattern that exceeds any of them.
package enum PatternLimits {
    /// Deepest nesting of a pattern's objects and `$or`s; the outermost object is depth 1.
    package static var depth: Int { 16 }
    /// The most conditions of one pattern: members of all its objects, `$or`s included.
    package static var conditions: Int { 255 }
    /// The most alternatives of one field, and the most values of one operator's list.
    package static var alternatives: Int { 1_024 }
    /// The most elements of all the lists of one pattern together.
    package static var elements: Int { 16_384 }
    /// The longest wildcard or regular expression, in bytes of UTF-8.
    package static var expressionBytes: Int { 1_024 }
    /// The largest compiled regular expression, in instructions; `{n,m}` multiplies them.
    package static var regexpInstructions: Int { 4_096 }
    /// The longest string or number of a pattern, in bytes.
    package static var valueBytes: Int { 1 << 19 }
}
