/// The HTML page of a report: one file that loads nothing from anywhere.
enum ReportPage {
    /// The text of the page, from the window's title and the content as HTML.
    static func html(title: String, content: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>\(title.escaped)</title>
        <style>
        \(styles)
        \(PlotColor.darkRules)
        </style>
        </head>
        <body>
        <main>
        \(content)
        </main>
        </body>
        </html>

        """
    }

    static func table(_ section: ReportSection) -> String {
        let rows = section.rows.map { row in
            let note = row.note.isEmpty ? "" : "<small>\(row.note.escaped)</small> "
            return "<tr><th scope=\"row\">\(row.name.escaped)</th>"
                + "<td>\(note)\(row.value.escaped)</td></tr>"
        }
        return "<section><h2>\(section.title.escaped)</h2><table>\(rows.joined())</table></section>"
    }

    /// One of the headline figures.
    static func tile(
        _ name: String,
        value: String,
        aside: String,
        isBad: Bool = false
    ) -> String {
        "<div><span>\(name)</span><b\(isBad ? " class=\"bad\"" : "")>\(value)</b>"
            + "<small>\(aside)</small></div>"
    }

    /// A table of latencies.
    static func table(_ latencies: [(name: String, summary: LatencySummary)]) -> String {
        let head = ([""] + LatencySummary.columns).map { "<th scope=\"col\">\($0)</th>" }
        let rows = latencies.map { name, summary in
            "<tr><th scope=\"row\">\(name)</th>"
                + summary.cells.map { "<td>\($0)</td>" }.joined() + "</tr>"
        }
        return "<section class=\"wide\"><h2>Latency</h2><table><thead><tr>\(head.joined())</tr>"
            + "</thead><tbody>\(rows.joined())</tbody></table></section>"
    }

    /// A plot with a title and a legend; `note` stands at the right.
    static func figure(
        _ title: String,
        legend: [(PlotColor, String)],
        picture: PlotPicture,
        note: String = ""
    ) -> String {
        let marks = legend.map { color, text in
            "<span><i class=\"\(color)\"></i>\(text.escaped)</span>"
        }
        let aside = note.isEmpty ? "" : "<span class=\"note\">\(note.escaped)</span>"
        return "<figure><figcaption><h2>\(title.escaped)</h2>\(marks.joined())\(aside)"
            + "</figcaption>\(picture.inline(title: title))</figure>"
    }

    private static var styles: String {
        let light = PlotColor.allCases.map { "--\($0):\($0.light);" }.joined()
        let dark = PlotColor.allCases.map { "--\($0):\($0.dark);" }.joined()
        let marks = PlotColor.allCases.map { "i.\($0){background:var(--\($0))}" }.joined()
        return """
            :root{\(light)--card:#fff}
            @media (prefers-color-scheme:dark){:root{\(dark)--card:#1c1c20}}
            *{box-sizing:border-box}
            body{margin:0;background:var(--paper);color:var(--ink);
            font:14px/1.45 system-ui,"Helvetica Neue",Helvetica,Arial,sans-serif;
            font-variant-numeric:tabular-nums}
            main{max-width:940px;margin:0 auto;padding:48px 32px 64px}
            h1{font-size:26px;line-height:1.2;font-weight:650;letter-spacing:-.015em;margin:0 0 6px;
            overflow-wrap:anywhere}
            h2{font-size:14px;font-weight:600;margin:0}
            p{margin:0;color:var(--faint)}
            .headline{display:grid;grid-template-columns:repeat(3,1fr);
            margin:32px 0 40px;gap:1px;background:var(--grid);border:1px solid var(--grid);
            border-radius:10px;overflow:hidden}
            @media (max-width:600px){.headline{grid-template-columns:repeat(2,1fr)}}
            .headline div{background:var(--card);padding:14px 16px}
            .headline b{display:block;font-size:22px;font-weight:600;letter-spacing:-.01em;
            line-height:1.25}
            .headline span,.headline small{display:block;color:var(--faint);font-size:12px}
            .headline .bad{color:var(--red)}
            figure{margin:0 0 36px}
            figcaption{display:flex;flex-wrap:wrap;gap:4px 18px;align-items:baseline;
            color:var(--faint);font-size:12px;margin:0 0 8px}
            figcaption h2{color:var(--ink);margin-right:4px}
            figcaption i{display:inline-block;width:10px;height:10px;border-radius:2px;
            margin-right:6px}
            .note{margin-left:auto}
            \(marks)
            svg{display:block;width:100%;height:auto;font-family:inherit}
            .tables{display:grid;grid-template-columns:repeat(auto-fit,minmax(330px,1fr));
            gap:36px 56px;margin-top:44px}
            table{border-collapse:collapse;width:100%;margin-top:8px}
            th,td{padding:5px 0;border-top:1px solid var(--grid);text-align:right;font-weight:400;
            white-space:nowrap}
            th:first-child{text-align:left;color:var(--faint)}
            thead th{border-top:0;color:var(--faint);font-size:12px}
            td small{color:var(--faint);margin-right:8px}
            .wide{margin-bottom:36px;overflow-x:auto}
            .wide th+th,.wide td{padding-left:18px}
            """
    }
}
