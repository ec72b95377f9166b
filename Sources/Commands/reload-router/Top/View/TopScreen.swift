import Basics

/// A line of the screen, no wider than the screen and without control characters.
struct TopLine: Equatable, Sendable {
    /// How the line stands out: what a terminal takes before it.
    enum Style: String, Sendable {
        case plain = ""
        case title = "\u{1b}[1m"
        case heading = "\u{1b}[4m"
        case faint = "\u{1b}[2m"
        case warning = "\u{1b}[1;31m"
    }

    let text: String
    let style: Style
}

/// Lays out a router's status for a terminal.
///
///     title                                 time    always
///     warning or notice                             if there is one
///     pushes, matched, reloads, match ratio         with sparklines
///     latencies
///     decisions, connections, store …
///     apps, origins, hot keys                       share the rest
///     keys and what they do                         the last line
///
/// Where rows are too few, the lower parts are left out.
struct TopScreen {
    private let width: Int
    private let height: Int
    private var lines: [TopLine] = []

    /// The lines for a terminal, from top to bottom: no wider than `width` columns, and no more
    /// than `height`. Without a status only the notice is shown, which says why numbers are old or
    /// missing. `hint` says what keys do.
    static func lines(
        _ history: TopHistory,
        width: Int,
        height: Int,
        notice: String? = nil,
        hint: String = ""
    ) -> [TopLine] {
        guard width > 0, height > 0 else { return [] }
        var screen = TopScreen(width: width, height: height)
        screen.fill(history, notice: notice, hint: hint)
        return Array(screen.lines.prefix(height))
    }

    private init(width: Int, height: Int) {
        assert(width > 0 && height > 0, "a screen has no room")
        self.width = width
        self.height = height
    }

    /// Rows that are free, without the last line.
    private var left: Int { height - 1 - lines.count }

    private mutating func add(_ text: String, style: TopLine.Style = .plain) {
        lines.append(TopLine(text: DisplayText.cut(text, to: width), style: style))
    }

    private mutating func fill(_ history: TopHistory, notice: String?, hint: String) {
        guard let status = history.status else {
            add("ReloadRouter", style: .title)
            add(DisplayText.printable(notice ?? "waiting for the router"), style: .warning)
            return
        }
        let sections = TopSections(status, rates: history.rates)
        addTitle(sections.title, time: Figures.clock(status.at))
        if let notice {
            add(DisplayText.printable(notice), style: .warning)
        } else if let warning = sections.warning {
            add(warning, style: .warning)
        }
        addCurves(history)
        addTable(sections.latencies, rows: sections.latencies.rows.count - 1)
        let lists = sections.lists(nameWidth: max(8, width - Self.numberColumns))
        // Up to half of the remaining rows are for the lists.
        let wanted = lists.reduce(0) { $0 + $1.rows.count + 1 }
        let kept = min(wanted, left / 2)
        if left > kept { add("") }
        for row in sections.summary where left > kept {
            add(DisplayText.fit(row.name, to: Self.nameColumns) + row.text)
        }
        share(lists)
        while left > 0 { add("") }
        if lines.count < height { add(hint, style: .faint) }
    }

    private mutating func addTitle(_ title: String, time: String) {
        let space = width - DisplayText.width(title) - DisplayText.width(time)
        add(space < 2 ? title : title + String(repeating: " ", count: space) + time, style: .title)
    }

    // MARK: - Curves

    /// Columns of the names at the start of lines.
    private static let nameColumns = 14
    /// Columns of the number in front of a sparkline.
    private static let figureColumns = 12
    /// Columns of a table's numbers, beside its names.
    private static let numberColumns = 40

    private mutating func addCurves(_ history: TopHistory) {
        let curves: [(String, TopHistory.Series, (Double?) -> String)] = [
            ("pushes", .pushes, Figures.rate), ("matched", .matched, Figures.rate),
            ("reloads", .reloads, Figures.rate), ("match ratio", .ratio, Figures.short),
        ]
        for (name, series, text) in curves where left > 0 {
            let figure = text(history.rates?[series])
            if width < Self.nameColumns + Self.figureColumns {
                add("\(name) \(figure)")
                continue
            }
            let padding = max(0, Self.figureColumns - DisplayText.width(figure))
            let columns = width - Self.nameColumns - Self.figureColumns - 2
            let values = history.values(series, last: columns)
            add(
                DisplayText.fit(name, to: Self.nameColumns)
                    + String(repeating: " ", count: padding) + figure + "  "
                    + Sparkline(values).text(width: columns)
            )
        }
    }

    // MARK: - Tables

    /// Adds a table with an empty line before it and a heading, or nothing if not even one row
    /// fits.
    private mutating func addTable(_ table: TopSections.Table, rows: Int) {
        guard left >= 3, rows > 0 else { return }
        add("")
        for (index, line) in table.lines(rows: min(rows, left - 1), width: width).enumerated() {
            add(line, style: index == 0 ? .heading : .plain)
        }
    }

    /// Divides the free rows between tables: one row to each in turn, as long as it has more.
    private mutating func share(_ tables: [TopSections.Table]) {
        var given = tables.map { _ in 0 }
        var free = left
        var isGiving = true
        while isGiving {
            isGiving = false
            for (index, table) in tables.enumerated() where given[index] < table.rows.count - 1 {
                // The first row of a table brings its heading, and the empty line before it.
                let cost = given[index] == 0 ? 3 : 1
                if free < cost { continue }
                free -= cost
                assert(free >= 0, "the tables take more rows than are free")
                given[index] += 1
                isGiving = true
            }
        }
        for (table, rows) in zip(tables, given) { addTable(table, rows: rows) }
    }
}

/// The same status as plain text, for files and pipes.
enum TopText {
    /// Columns of names; only here are they cut.
    private static let nameColumns = 60

    /// The last status as a block of text that ends with an empty line; empty without a status.
    static func block(_ history: TopHistory) -> String {
        guard let status = history.status else { return "" }
        let sections = TopSections(status, rates: history.rates)
        var text = "\(Figures.clock(status.at))  \(sections.title)\n"
        if let warning = sections.warning { text += warning + "\n" }
        let lists = sections.lists(nameWidth: nameColumns)
        let tables = [sections.totals, sections.latencies] + lists
        for table in tables { text += "\n" + table.text() }
        text += "\n" + TextTable.text(sections.summary.map { [$0.name, $0.text] }, numbers: [])
        return text + "\n"
    }
}
